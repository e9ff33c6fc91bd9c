/**
 * Central privacy of one data message among blanket messages: the blankets are the slots of formula F1 (docs/soundness.md), and
 * the data messages of other users are left out, which is sound.
 */
import {
  bracketRoot,
  provedInterval,
  ParameterError,
  type AmplificationProfile,
  type Interval,
  type PrivacyStatement,
} from '@shuffle-dp/core';
import {
  type AccountedMessage,
  certifiedEpsilon,
  type MessageAccounting,
  messageDivergence,
  publishedClaim,
} from '@shuffle-dp/accounting';
import { beyondMostBlankets, MOST_BLANKETS } from '../setting.ts';
import { allMessagesEpsilon, type MessageCells } from './all-messages-privacy.ts';

/** The messages of all users. */
export interface SentMessages {
  /** A data message, its atoms against the blankets. */
  readonly hidden: AccountedMessage & { readonly cells?: MessageCells };
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
 * The least number of blankets, within a relative 1e-4 from above, with which a data message is (epsilon, delta)-private.
 * @throws ParameterError where a trillion would not do
 */
export function leastBlankets(
  hidden: AccountedMessage,
  epsilon: number,
  delta: number,
  accounting: MessageAccounting,
): number {
  const excess = (blankets: number): number =>
    logExcess(messageDivergence(hidden, blankets + 1, epsilon, accounting), delta);
  if (excess(0) <= 0) return 0;
  let enough = 1;
  while (excess(enough) > 0) {
    enough *= 4;
    if (enough > MOST_BLANKETS) throw beyondMostBlankets(epsilon);
  }
  if (enough === 1) return 1;
  const bracket = bracketRoot(
    (log) => -excess(Math.ceil(Math.exp(log))),
    Math.log(enough / 4),
    Math.log(enough),
    { absoluteTolerance: COUNT_TOLERANCE },
  );
  return Math.ceil(Math.exp(bracket.upper));
}

/**
 * The least flip probability below 1/2, within a millionth from above, with which a data message among so many blankets is
 * (epsilon, delta)-private: at 1/2 it says nothing. From 1e-9 to 1/2 - 1e-9.
 * @throws ParameterError where the largest of these would not do
 */
export function leastFlip(
  hiddenAt: (flip: number) => AccountedMessage,
  blankets: number,
  epsilon: number,
  delta: number,
  accounting: MessageAccounting,
): number {
  const spare = (flip: number): number =>
    -logExcess(messageDivergence(hiddenAt(flip), blankets + 1, epsilon, accounting), delta);
  const largest = 0.5 - SMALLEST_FLIP;
  if (spare(SMALLEST_FLIP) >= 0) return SMALLEST_FLIP;
  if (spare(largest) < 0)
    throw new ParameterError(
      'epsilon',
      epsilon,
      `larger: it would take bits that are flipped more than ${largest} of the time`,
    );
  return bracketRoot(spare, SMALLEST_FLIP, largest, { absoluteTolerance: FLIP_TOLERANCE }).upper;
}

const SMALLEST_FLIP = 1e-9;

function logExcess(divergence: number, delta: number): number {
  return Math.max(-800, Math.log(divergence)) - Math.log(delta);
}

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
  if (accounting === 'blanket') return amongBlankets(messages, delta);
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
  const all = allMessagesEpsilon(hidden.cells, hidden.epsilon0, users, blankets, delta);
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

/** Of other users' data messages nothing is counted on. */
function amongBlankets({ hidden, blankets, othersAsSlots }: SentMessages, delta: number): PrivacyStatement {
  const { epsilon0, amplification } = hidden;
  const among = (slots: number, side: Partial<AmplificationProfile>): Interval =>
    certifiedEpsilon({ ...amplification, ...side }, slots + 1, delta, { epsilon0 });
  const { upper } = among(blankets, { homogeneous: [] });
  const lower = othersAsSlots === null ? 0 : among(blankets + othersAsSlots, { blanket: [] }).lower;
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
