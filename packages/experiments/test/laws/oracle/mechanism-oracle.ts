/** What a mechanism is by its published definition, small enough to be listed. */
import { withoutEqualOutputs, type DataSet, type FiniteMechanism } from './finite-mechanism.ts';
import type { Fixed, FixedPoint } from './fixed-point.ts';
import { shuffledViews, type View } from './shuffled-divergence.ts';

export type Parameters = Readonly<Record<string, number>>;

export interface MechanismOracle {
  /** Parameters of small domains at which one message tells inputs apart by about so many nats. */
  settings(budget: number): readonly Parameters[];
  /** Nats below 1 of the least probability of a message. */
  nats(parameters: Parameters): number;
  /** What is seen of so many users; several where the mechanism stands for any of a class. */
  views(parameters: Parameters, users: number, arithmetic: FixedPoint): Iterable<View>;
  /** How many likelihoods are compared for so many users: what listing costs. */
  outcomes(parameters: Parameters, users: number, arithmetic: FixedPoint): number;
  /** What the laws of all other users have in common: the mass of their pointwise infimum, or more. */
  commonMass?(parameters: Parameters, arithmetic: FixedPoint): Fixed;
  /** By the label of a lower bound: which data sets it is about. */
  readonly claims: Readonly<Record<string, Claim>>;
  /**
   * What may be missing of the truth, relative to it: 0 where the outputs are listed in full, infinity where
   * they are cut into cells that only bound it from below.
   */
  readonly missing: number;
  /**
   * At smaller deltas outputs that are taken together hide what they tell apart, and the list is but a lower
   * end.
   */
  readonly leastDelta?: number;
  /**
   * Of continuous outputs: a mechanism that tells at least as much when all others hold the victim's first
   * value.
   */
  ceiling?(parameters: Parameters, arithmetic: FixedPoint): FiniteMechanism;
  /** Relative error of the oracle itself, where it integrates numerically. */
  readonly rounding?: number;
}

/** Of the victim's two inputs and those of the others, all as indices of laws. */
type ClaimedData = (
  first: number,
  second: number,
  others: readonly number[],
  parameters: Readonly<Record<string, number>> & { readonly bits: number },
) => boolean;

export interface Claim {
  readonly admits: ClaimedData;
  /**
   * The lower bound is about the outputs themselves, not about some merging of them: it has the data set's
   * own value.
   */
  readonly attained: (parameters: Parameters) => boolean;
}

export const claim = (admits: ClaimedData, attained: boolean | Claim['attained'] = true): Claim => ({
  admits,
  attained: typeof attained === 'function' ? attained : () => attained,
});

/** All others hold what the victim holds first or second: both orders are looked at. */
export const FIRST_VALUE: DataSet = (first, second, others) =>
  others.every((value) => value === others[0] && (value === first || value === second));

/** All others hold one value that the victim does not. */
export const THIRD_VALUE: DataSet = (first, second, others) =>
  others.every((value) => value === others[0] && value !== first && value !== second);

export type Definition = (
  parameters: Parameters,
  arithmetic: FixedPoint,
) => FiniteMechanism | readonly FiniteMechanism[];

/** By all multisets of inputs and outputs. */
export function listed(define: Definition): Pick<MechanismOracle, 'views' | 'outcomes' | 'commonMass'> {
  const mechanisms = (parameters: Parameters, arithmetic: FixedPoint): FiniteMechanism[] =>
    [define(parameters, arithmetic)].flat().map(withoutEqualOutputs);
  return {
    *views(parameters, users, arithmetic) {
      for (const mechanism of mechanisms(parameters, arithmetic))
        yield* shuffledViews(mechanism, users, arithmetic);
    },
    commonMass: (parameters, arithmetic) =>
      [define(parameters, arithmetic)]
        .flat()
        .map(({ others }) =>
          others[0]!.reduce(
            (sum, _, y) => sum + others.map((law) => law[y]!).reduce((a, b) => (b < a ? b : a)),
            0n,
          ),
        )
        .reduce((a, b) => (b < a ? b : a)),
    outcomes: (parameters, users, arithmetic) =>
      mechanisms(parameters, arithmetic).reduce(
        (sum, { victims, others }) =>
          sum +
          multisetCount(others.length, users - 1) *
            victims.length ** 2 *
            multisetCount(victims[0]!.length, users),
        0,
      ),
  };
}

function multisetCount(values: number, length: number): number {
  let count = 1;
  for (let i = 1; i <= length; i++) count *= (values + i - 1) / i;
  return count;
}

export const epsilon0Nats = ({ epsilon0 }: Parameters): number => epsilon0!;

/** Of a mechanism with a local budget, at which its settings are taken. */
export const budgeted = (
  define: Definition,
  claims: MechanismOracle['claims'],
  missing: number,
  settings: readonly Parameters[] = [{}],
  ceiling?: MechanismOracle['ceiling'],
): MechanismOracle => ({
  ...(ceiling && { ceiling }),
  settings: (epsilon0) => settings.map((rest) => ({ epsilon0, ...rest })),
  nats: (parameters) => 2 * epsilon0Nats(parameters),
  ...listed(define),
  claims,
  missing,
});
