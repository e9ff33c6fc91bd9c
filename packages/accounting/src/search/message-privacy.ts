/** What is proved, or published, of one shuffled message per user. */
import {
  provedInterval,
  type AmplificationProfile,
  type Interval,
  type PrivacyStatement,
} from '@shuffle-dp/core';
import { certifiedEpsilon, type CertifiedOptions } from '../one-round.ts';
import { namedSharpestEpsilon, type NamedBracket, type UpperBoundName } from '../sharp/sharpest.ts';
import type { Amplified } from './local-budget.ts';
import { publishedClaim, type SingleMessageAccounting } from './message-accounting.ts';

/** What helps to state the privacy of a message, and whose it is; nothing of it has to be told. */
export interface StatementHints extends Pick<CertifiedOptions, 'relativeGap' | 'near'> {
  readonly group?: string;
  /** An epsilon that was proved already, as by a calibration, and by which bound. */
  readonly met?: { readonly epsilon: number; readonly by: UpperBoundName };
}

/** The proofs, by the bound whose upper end is told. */
const THEOREMS: Readonly<Record<UpperBoundName, string>> = {
  blanket: 'privacy blanket (Balle et al. 2019) evaluated numerically, docs/soundness.md F1 and F2',
  sharp: 'the sharp bound, docs/sharp-bound.md Theorem 3 and Corollary 3s',
  'popular-input': 'the pigeonhole bound, docs/sharp-bound.md Theorem 5',
  'two-messages': 'all data of two messages, docs/sharp-bound.md Theorem 6',
};

/**
 * The central guarantee of one shuffled message per user, at `delta`. By 'sharpest' the statement names the
 * bound that is the least. By 'variation-ratio' the upper end is the published pair's value with its verdict:
 * sound where the victim's leftover is empty, as in binary randomized response.
 * @throws ParameterError as `largestLocalBudget`
 */
export function singleMessagePrivacy(
  randomizer: Amplified,
  users: number,
  delta: number,
  accounting: SingleMessageAccounting,
  { group, ...hints }: StatementHints = {},
): PrivacyStatement {
  const { epsilon0 } = randomizer;
  const amplification = randomizer.amplification();
  const common = {
    delta,
    adjacency: 'replace-one',
    unit: 'one user, their one message',
    view: 'the shuffled messages of all users',
    ...(group === undefined ? {} : { group }),
  } as const;
  if (accounting === 'variation-ratio')
    return Object.freeze({
      ...common,
      ...publishedClaim({ epsilon0, amplification }, users, delta),
      theorem: 'Wang et al. 2024, Theorem 4.7',
    });
  const { bracket: epsilon, by } = proved(amplification, users, delta, accounting, { epsilon0, ...hints });
  return Object.freeze({
    ...common,
    epsilon,
    accountant: by,
    theorem: THEOREMS[by],
    status: 'certified',
    sound: true,
  });
}

function proved(
  amplification: AmplificationProfile,
  users: number,
  delta: number,
  accounting: 'sharpest' | 'blanket',
  { met, ...options }: StatementHints & Pick<CertifiedOptions, 'epsilon0'>,
): NamedBracket {
  if (accounting === 'blanket' || met?.by === 'blanket') {
    const bracket = certifiedEpsilon(amplification, users, delta, options);
    // The search for an epsilon leaves a hundred-thousandth of it open, which a calibration looked into.
    const isMet = met?.by === 'blanket' && met.epsilon < bracket.upper;
    return { bracket: isMet ? metInterval(bracket.lower, met.epsilon, 'blanket') : bracket, by: 'blanket' };
  }
  if (met === undefined) return namedSharpestEpsilon(amplification, users, delta, options);
  const { variationRatio, homogeneous } = amplification;
  const equal = { variationRatio, blanket: [], homogeneous };
  const { lower } = certifiedEpsilon(equal, users, delta, options);
  return { bracket: metInterval(lower, met.epsilon, met.by), by: met.by };
}

function metInterval(lower: number, upper: number, by: UpperBoundName): Interval {
  return provedInterval(
    'epsilon',
    { name: 'equal users, F3', value: lower },
    { name: `${by}, which meets the target`, value: upper },
  );
}
