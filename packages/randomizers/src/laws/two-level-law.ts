/**
 * Laws with two likelihoods, the optimal shape of local randomizers: of a base measure on the outputs a
 * share, which depends on the input, is e^epsilon0 times as likely as the rest (P. Kairouz, S. Oh, P.
 * Viswanath, "Extremal Mechanisms for Local Differential Privacy", JMLR 17, 2016).
 */
import { Real, type LikelihoodAtoms } from '@shuffle-dp/core';
import { likelihoodAtoms } from './likelihood-atoms.ts';
import type { TypedAtom } from './typed-inputs.ts';

export interface TwoLevelLaw {
  /** Base measure of the likely outputs of one input. */
  readonly share: number;
  /** Density, against the base measure, of the likely outputs. */
  readonly high: number;
  /** Density of all others. */
  readonly low: number;
  /** high - low, with all digits: of a small budget the two are nearly the same number. */
  readonly rise: number;
  /** 1 - 2 share, with all digits of a share near one half; below 0 for a larger one. */
  readonly neither: number;
  /** 1 - share, with all digits of a share near 1. */
  readonly rest: number;
}

/**
 * @param share in (0, 1)
 * @param epsilon0 in nats, positive
 * @param neither 1 - 2 share, where it is known to more digits, and likewise `rest`
 */
export function twoLevelLaw(
  share: number,
  epsilon0: number,
  neither: number = 1 - 2 * share,
  rest: number = 1 - share,
): TwoLevelLaw {
  const inverse = Real.exp(-epsilon0);
  // Divided by e^epsilon0, to stay finite at large budgets.
  const high = 1 / (share + rest * inverse);
  return { share, high, low: inverse * high, rise: -Real.expm1(-epsilon0) * high, neither, rest };
}

/**
 * Total variation between inputs whose likely outputs overlap as little as their shares allow:
 * share (p-1) / (share p + 1 - share), p = e^epsilon0, for shares up to one half.
 */
export function largestVariation({ share, rise, rest }: TwoLevelLaw): number {
  return Math.min(share, rest) * rise;
}

/** Outputs alike to all who matter: their base measure, and for whom they are likely. */
export type Region = readonly [measure: number, likely0: boolean, likely1: boolean, likelyOthers: boolean];

/** Masses of each region, and what every input gives it at least. */
export function regionMasses(
  { high, low }: Pick<TwoLevelLaw, 'high' | 'low'>,
  regions: readonly Region[],
): TypedAtom[] {
  const density = (likely: boolean): number => (likely ? high : low);
  return regions.map(([measure, first, second, others]) => [
    measure * density(first),
    measure * density(second),
    measure * density(others),
    measure * low,
  ]);
}

export function regionAtoms(
  label: string,
  law: TwoLevelLaw,
  regions: readonly Region[],
  symmetric = true,
): LikelihoodAtoms {
  return likelihoodAtoms(label, regionMasses(law, regions), symmetric);
}

/**
 * The regions of two inputs whose likely outputs have an overlap of the given measure; default the least
 * possible.
 * @param others whether outputs are likely for the others, by whether they are for the two inputs
 */
export function pairRegions(
  { share, neither, rest }: Pick<TwoLevelLaw, 'share' | 'neither' | 'rest'>,
  others: (first: boolean, second: boolean) => boolean,
  given?: number,
): Region[] {
  const overlap = given ?? Math.max(0, -neither);
  const only = given === undefined ? Math.min(share, rest) : share - given;
  return [
    [only, true, false, others(true, false)],
    [only, false, true, others(false, true)],
    [overlap, true, true, others(true, true)],
    [Math.max(0, neither + overlap), false, false, others(false, false)],
  ];
}

/** All others hold the victim's first input, which is called `label`; overlaps as of `pairRegions`. */
export function sameAsFirst(label: string, law: TwoLevelLaw, overlap?: number): LikelihoodAtoms {
  const regions = pairRegions(law, (first) => first, overlap);
  return regionAtoms(`all others hold ${label}`, law, regions, false);
}

/**
 * Atoms against the blanket `low`, for likely outputs of the given overlap; default the least possible.
 *
 * With the least overlap they bound every randomizer whose densities lie between `low` and `high` for all
 * inputs: among functions with these bounds and integral 1 one with two levels is largest in convex order,
 * and its difference from e^epsilon times another one is largest in convex order where the two are opposed.
 * The law of that difference decides formula F1.
 */
export function lowBlanket(label: string, law: TwoLevelLaw, overlap?: number): LikelihoodAtoms {
  const regions = pairRegions(law, () => false, overlap);
  // 1 - low, which the law's own integral makes share (high - low).
  return Object.freeze({ ...regionAtoms(label, law, regions), silent: law.share * law.rise });
}

/**
 * Three inputs whose likely outputs do not meet.
 *
 * @param left 1 - 3 share, where it is known to more digits
 */
export function separateRegions(share: number, left: number = 1 - 3 * share): Region[] {
  return [
    [share, true, false, false],
    [share, false, true, false],
    [share, false, false, true],
    [left, false, false, false],
  ];
}
