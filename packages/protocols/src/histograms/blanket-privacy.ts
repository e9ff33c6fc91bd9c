/**
 * Central privacy of one data message among blanket messages: the blankets are the slots of formula F1
 * (docs/soundness.md), and the data messages of other users are left out, which is sound.
 */
import {
  provedInterval,
  ParameterError,
  Real,
  type AmplificationProfile,
  type Interval,
  type PrivacyStatement,
} from '@shuffle-dp/core';
import {
  type AccountedMessage,
  type Axis,
  calibrate,
  certifiedEpsilon,
  logExcess,
  type MessageAccounting,
  messageDivergence,
  publishedClaim,
} from '@shuffle-dp/accounting';
import { beyondMostBlankets, MOST_BLANKETS } from '../most-blankets.ts';
import { allMessagesEpsilon, allMessagesExcess, type MessageCells } from './all-messages-privacy.ts';

/** A data message, its atoms against the blankets. */
export interface HiddenMessage extends AccountedMessage {
  /** Present where the data messages of other users hide the victim's notably. */
  readonly cells?: MessageCells;
}

/** The messages of all users. */
export interface SentMessages {
  readonly hidden: HiddenMessage;
  readonly users: number;
  readonly blankets: number;
  /** Slots that the other users' data messages are worth on some data set; null where none is known. */
  readonly othersAsSlots: number | null;
}

/** Of the number of blankets, relative; the result is on the private side. */
const COUNT_TOLERANCE = 1e-4;
/** Of the flip probability, relative to its room below 1/2; likewise. */
const FLIP_TOLERANCE = 1e-6;
/**
 * How many fewer blankets are tried first where other data messages hide the victim's too, as a logarithm.
 */
const STEP_DOWN = Real.log(4);

/** Numbers of blankets from the most to one: the more, the more private. */
const COUNTS: Axis = {
  // Rounded up, but for what a logarithm and its exponential add.
  valueAt: (position) => Math.ceil(Real.exp(-position) * (1 - 4e-15)),
  mostPrivate: -Real.log(MOST_BLANKETS),
  leastPrivate: 0,
  whole: true,
};

/**
 * The least number of blankets, within a relative 1e-4 from above, with which a data message is (epsilon,
 * delta)-private. By 'blanket' the data messages of the other users are counted on as well, where they hide
 * the victim's.
 * @throws ParameterError where a trillion would not do
 */
export function leastBlankets(
  hidden: HiddenMessage,
  users: number,
  epsilon: number,
  delta: number,
  accounting: MessageAccounting,
): number {
  const excess = (blankets: number): number =>
    logExcess(messageDivergence(hidden, blankets + 1, epsilon, accounting), delta);
  if (excess(0) <= 0) return 0;
  const { cells, epsilon0 } = hidden;
  // The bound that counts on all messages, where other data messages hide something.
  const sharp =
    accounting === 'blanket' && cells
      ? {
          excess: (blankets: number) =>
            allMessagesExcess({ cells, epsilon0, users, blankets }, epsilon, delta),
          tolerance: COUNT_TOLERANCE,
        }
      : undefined;
  const quick = { excess, start: 0, step: STEP_DOWN, tolerance: COUNT_TOLERANCE };
  const result = calibrate(COUNTS, quick, sharp);
  if (result === null) throw beyondMostBlankets(epsilon);
  return result.value;
}

/**
 * The least flip probability below 1/2, within a millionth from above, with which a data message among so
 * many blankets is (epsilon, delta)-private: at 1/2 it says nothing. From 1e-9 to 1/2 - 1e-9.
 * @throws ParameterError where the largest of these would not do
 */
export function leastFlip(
  hiddenAt: (flip: number) => AccountedMessage,
  blankets: number,
  epsilon: number,
  delta: number,
  accounting: MessageAccounting,
): number {
  const largest = 0.5 - SMALLEST_FLIP;
  const axis: Axis = {
    valueAt: (position) => -position,
    mostPrivate: -largest,
    leastPrivate: -SMALLEST_FLIP,
  };
  const excess = (flip: number): number =>
    logExcess(messageDivergence(hiddenAt(flip), blankets + 1, epsilon, accounting), delta);
  const result = calibrate(axis, { excess, start: -largest, step: 0.5, tolerance: FLIP_TOLERANCE });
  if (result === null)
    throw new ParameterError(
      'epsilon',
      epsilon,
      `larger: it would take bits that are flipped more than ${largest} of the time`,
    );
  return result.value;
}

const SMALLEST_FLIP = 1e-9;

const STATED = {
  adjacency: 'replace-one',
  unit: 'one user, their one data message',
  view: 'the shuffled messages of all users, and whose blanket messages are how many',
  group: 'all users',
} as const;

const CERTIFIED = { ...STATED, status: 'certified', sound: true } as const;

/** The central guarantee at `delta` by the accounting that the blankets are counted out by. */
export function hiddenPrivacy(
  messages: SentMessages,
  delta: number,
  accounting: MessageAccounting,
): PrivacyStatement {
  if (accounting === 'blanket') return certifiedHiddenPrivacy(messages, delta);
  return Object.freeze({
    ...STATED,
    ...publishedClaim(messages.hidden, messages.blankets + 1, delta),
    delta,
    theorem: 'Wang et al. 2024, Theorem 4.8 with the parameters of Table 4',
  });
}

/** The sharpest that is proved: where other users' data messages hide the victim's, they are counted too. */
export function certifiedHiddenPrivacy(messages: SentMessages, delta: number): PrivacyStatement {
  const { hidden, users, blankets } = messages;
  const alone = amongBlankets(messages, delta);
  if (!hidden.cells || blankets === 0 || alone.epsilon.upper === 0) return alone;
  const all = allMessagesEpsilon({ cells: hidden.cells, epsilon0: hidden.epsilon0, users, blankets }, delta);
  const upper = Math.min(all.upper, alone.epsilon.upper);
  return Object.freeze({
    ...CERTIFIED,
    delta,
    epsilon: provedInterval(
      'epsilon',
      { name: 'equal users', value: Math.max(all.lower, alone.epsilon.lower) },
      { name: 'blanket messages, with or without other data', value: upper },
    ),
    accountant: 'blanket of all messages',
    theorem: 'blanket messages and the blankets of other data messages (docs/personalized.md)',
  });
}

const NOTHING_KNOWN: AmplificationProfile = { variationRatio: null, blanket: [], homogeneous: [] };

/** Other users' data messages are not counted on. */
function amongBlankets({ hidden, blankets, othersAsSlots }: SentMessages, delta: number): PrivacyStatement {
  const { epsilon0, amplification } = hidden;
  const among = (slots: number, side: Partial<AmplificationProfile>): Interval =>
    certifiedEpsilon({ ...NOTHING_KNOWN, ...side }, slots + 1, delta, { epsilon0 });
  const { upper } = among(blankets, { blanket: amplification.blanket });
  const lower =
    othersAsSlots === null
      ? 0
      : among(blankets + othersAsSlots, { homogeneous: amplification.homogeneous }).lower;
  return Object.freeze({
    ...CERTIFIED,
    delta,
    epsilon: provedInterval(
      'epsilon',
      { name: 'other data messages as blankets', value: lower },
      { name: 'blanket messages alone', value: upper },
    ),
    accountant: 'blanket',
    theorem: 'blanket messages as the slots of F1, other data messages left out (docs/soundness.md)',
  });
}
