/**
 * The variation-ratio pair of Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and
 * Tightened" (PVLDB 17(8), 2024), Theorems 4.7 and 4.8, evaluated exactly: as published, and as it holds.
 * Their closed forms are in variation-ratio-closed-forms.ts.
 *
 * The paper's pair gives every other user the cells (r, r, 1 - 2r), as if all leftover messages could be the
 * victim's. Only the mass (1 - alpha - p alpha)/q of the leftover is sure to be shared, so that the pair does
 * not dominate where the victim's own leftover 1 - alpha - p alpha is positive (docs/soundness.md).
 */
import { ParameterError, type LikelihoodAtoms, type VariationRatio, ROUNDOFF } from '@shuffle-dp/core';
import {
  correctedVariationRatioDivergence,
  correctedVariationRatioEpsilon,
} from '../variation-ratio/corrected-variation-ratio.ts';
import { pairCells } from '../variation-ratio/variation-ratio.ts';
import type { TellingCells } from '../variation-ratio/variation-ratio-asymmetric.ts';
import { atPair } from './clones.ts';
import type { GeneralVerdict } from './general-verdict.ts';
import {
  comparison,
  condition,
  shown,
  underConditions,
  type Condition,
  type PublishedBound,
  type ShuffleSetting,
} from './published-bound.ts';

/**
 * With the parameters that the literature prints, which are not always the mechanism's own: what a theorem
 * says as published.
 */
export function asPrinted(setting: ShuffleSetting): ShuffleSetting {
  const { amplification } = setting;
  const printed = amplification.printedVariationRatio;
  return printed ? { ...setting, amplification: { ...amplification, variationRatio: printed } } : setting;
}

/** The condition of all bounds by these parameters. */
export function known({ amplification: { variationRatio } }: ShuffleSetting): Condition {
  return condition(
    'known p, beta and q',
    variationRatio ? 'they are given' : 'none are published',
    variationRatio !== null,
  );
}

/**
 * Why the parameters are those of no pair: another user's two cells do not fit into its law. Empty where they
 * do.
 */
export function brokenPair({ amplification: { variationRatio } }: ShuffleSetting): readonly Condition[] {
  if (variationRatio === null || pairOf(variationRatio) !== null) return [];
  const { p, pMinusOne = p - 1, beta, q } = variationRatio;
  const least = p === Infinity ? 2 * beta : (2 * beta * p) / pMinusOne;
  return [
    comparison('q > 2 beta p / (p - 1), or q equal to it at beta = (p - 1) / (p + 1)', q, least, false),
  ];
}

/** The pair's cells; null for parameters of which there is no pair. */
export function pairOf(ratios: VariationRatio): TellingCells | null {
  try {
    return pairCells(ratios);
  } catch (error) {
    if (error instanceof ParameterError) return null;
    throw error;
  }
}

/**
 * The victim's leftover is empty, or the atoms are the pair's three cells: then the pair is the blanket's
 * own. Otherwise exact data sets exceed it.
 *
 * @example pairDominates({ users: 10, epsilon0: 1, amplification: { variationRatio: { p: Infinity, beta: 1, q: 4 }, blanket: [], homogeneous: [] } }) // true
 */
export function pairDominates({ amplification: { variationRatio, blanket } }: ShuffleSetting): boolean {
  if (variationRatio === null) return false;
  const cells = pairOf(variationRatio);
  if (cells === null) return false;
  if (cells.rest === 0) return true;
  return blanket.length > 0 && blanket.every((atoms) => arePairCells(atoms, cells));
}

/**
 * Whether atoms grouped by their likelihood ratios weigh what the pair's cells weigh. The other users' third
 * cell is what the two telling ones leave of 1, so theirs are compared, and that no slot is silent: against
 * the smallest cell, since beside a cell of 1e-12 a silence of as much is not nothing.
 */
function arePairCells(atoms: LikelihoodAtoms, cells: TellingCells): boolean {
  const { victim0, victim1, others } = atoms;
  const kinds = [
    [cells.high / cells.others0, cells.low / cells.others0, cells.others0],
    [cells.low / cells.others1, cells.high / cells.others1, cells.others1],
    [cells.rest / cells.othersRest, cells.rest / cells.othersRest, cells.othersRest],
  ] as const;
  const weights = [0, 0, 0];
  for (let i = 0; i < others.length; i++) {
    const w = others[i]!;
    const [p, q] = [victim0[i]!, victim1[i]!];
    const telling = kinds.findIndex(([a, b]) => near(p, a * w) && near(q, b * w));
    // The rest of the victim is what its cells leave of 1, and known to the rounding of that.
    const kind = telling < 0 && near(p, q) && Math.abs(p - kinds[2][0] * w) <= LEFT_OF_ONE ? 2 : telling;
    if (kind < 0) return false;
    weights[kind]! += w;
  }
  const least = Math.min(...kinds.map(([, , weight]) => weight));
  return kinds.every(([, , weight], kind) => near(weights[kind]!, weight)) && silence(atoms) <= SAME * least;
}

/** Probability that another user's message shows nothing, from above. */
function silence({ others, silent }: LikelihoodAtoms): number {
  if (silent !== undefined) return silent;
  const left = others.reduce((rest, mass) => rest - mass, 1);
  return Math.abs(left) + (others.length + 8) * ROUNDOFF;
}

/** Relative difference of two numbers that are the same but for their rounding. */
const SAME = 1e-9;
const LEFT_OF_ONE = 16 * ROUNDOFF;

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b));
}

const REFUTED: GeneralVerdict = {
  sound: false,
  reason:
    "the victim's leftover mass is positive and other users' leftovers differ: exact data sets exceed this pair " +
    '(docs/soundness.md)',
  counterexample: {
    command: 'account grr --epsilon0 4 --domain 4 --users 100 --delta 1e-4',
    stated: 3.562,
    atLeast: 3.978,
  },
};

export const variationRatioBound: PublishedBound = {
  name: 'variation-ratio',
  direction: 'upper',
  source: 'Wang et al. 2024, Theorem 4.7',
  citation: 'wang2024',
  verdict: (setting) => verdictOnPair(asPrinted(setting)),
  at: (setting, target) =>
    underConditions([known(setting), ...brokenPair(asPrinted(setting))], () =>
      atPair(asPrinted(setting).amplification.variationRatio!, setting.users, target),
    ),
};

function verdictOnPair(setting: ShuffleSetting): GeneralVerdict {
  return pairDominates(setting) ? { sound: true } : REFUTED;
}

/**
 * The same theorem where the printed beta is not the mechanism's total variation; elsewhere it says nothing.
 */
export const exactBetaBound: PublishedBound = {
  ...variationRatioBound,
  name: 'variation-ratio-exact-beta',
  source: 'Wang et al. 2024, Theorem 4.7 with the exact total variation in place of the printed one',
  verdict: verdictOnPair,
  at: (setting, target) => {
    const { variationRatio, printedVariationRatio } = setting.amplification;
    const differs = condition(
      'a printed beta that is not the total variation',
      printedVariationRatio && variationRatio
        ? `printed ${shown(printedVariationRatio.beta)}, exact ${shown(variationRatio.beta)}`
        : 'the printed beta is the total variation',
      printedVariationRatio !== undefined,
    );
    return underConditions([known(setting), differs], () => atPair(variationRatio!, setting.users, target));
  },
};

const corrected: PublishedBound = {
  name: 'variation-ratio-corrected',
  direction: 'upper',
  source: 'Wang et al. 2024, Theorem 4.7 with only the leftover that is shared',
  citation: 'wang2024',
  verdict: () => ({ sound: true }),
  at: (setting, target) => {
    const pair = setting.amplification.variationRatio;
    const conditions = [
      known(setting),
      ...brokenPair(setting),
      ...(pair
        ? [
            condition(
              'q >= 1 + beta',
              `q = ${shown(pair.q)}, beta = ${shown(pair.beta)}`,
              pair.q >= 1 + pair.beta,
            ),
          ]
        : []),
    ];
    return underConditions(conditions, () =>
      'delta' in target
        ? correctedVariationRatioEpsilon(pair!, setting.users, target.delta).upper
        : correctedVariationRatioDivergence(pair!, setting.users, target.epsilon).upper,
    );
  },
};

export const variationRatioBounds: readonly PublishedBound[] = [variationRatioBound, corrected];
