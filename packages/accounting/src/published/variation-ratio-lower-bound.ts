/**
 * The lower bound of Wang et al. (PVLDB 17(8), 2024), Theorem 5.1: all other users hold one value, and
 * outputs are merged into three cells, those likelier under the victim's first input, under its second, and
 * the rest. Merging is post-processing, so the divergence of the counts is one that an adversary attains. We
 * merge by the sign of the difference; finer cells are never worse (use the certified accountant's lower
 * end).
 */
import { CompensatedSum, Real, type LikelihoodAtoms, type Target } from '@shuffle-dp/core';
import {
  logWorseEstimate,
  tellingCellsDivergence,
  tellingCellsEpsilon,
  type TellingCells,
} from '../variation-ratio/variation-ratio-asymmetric.ts';
import { condition, underConditions, type PublishedBound } from './published-bound.ts';

/** Of a mass, and of a compensated sum of masses, relative: some units in the last place. */
const ROUNDING = 2 ** -50;

/** Masses that differ by less, relative, are of the rest: two sums of the same terms may. */
const ALIKE = 1e-12;

/** Others' mass outside of the two cells that is not worth a cell of its own. */
const NOTHING = 1e-9;

/** The sums of the divergence leave the doubles where the others hardly ever show a cell. */
const LEAST_OTHERS = 1e-100;

/** The three cells of symmetric atoms; null where they are not of the pair's form. */
function mergedCells(atoms: LikelihoodAtoms): TellingCells | null {
  const { victim0, victim1, others } = atoms;
  // Mass of the cells {0 likelier, 1 likelier} under victim0, victim1 and the others. The two of one cell may
  // be nearly the same number: what hundreds of plain additions lose is as much as their difference.
  const [first, second, law] = [twoSums(), twoSums(), twoSums()];
  // Summed as a cell of its own, however small: as what the others leave of 1 it would be lost in their
  // rounding.
  const rest = new CompensatedSum();
  const othersSum = new CompensatedSum();
  // By how much the victim's masses of the rest may differ. The same number is the same mass.
  let unequal = 0;
  for (let i = 0; i < others.length; i++) {
    const difference = victim0[i]! - victim1[i]!;
    const larger = Math.max(victim0[i]!, victim1[i]!);
    if (Math.abs(difference) <= ALIKE * larger) {
      if (difference !== 0) unequal += Math.abs(difference) + 2 * ROUNDING * larger;
      rest.add(larger);
      othersSum.add(others[i]!);
      continue;
    }
    const cell = difference > 0 ? 0 : 1;
    first[cell].add(victim0[i]!);
    second[cell].add(victim1[i]!);
    law[cell].add(others[i]!);
  }
  const [left, othersLeft] = [rest.value, othersSum.value];
  const [likelier0, likelier1] = [first[0].value, second[1].value];
  const [other0, other1] = [second[0].value, first[1].value];
  const symmetric = near(likelier0, likelier1) && near(other1, other0);
  const isWhole = othersLeft <= NOTHING;
  // All that is done here to the messages is post-processing. A rest that the others hardly ever show goes to
  // both cells alike.
  const shared = isWhole ? left / 2 : 0;
  const othersShared = isWhole ? othersLeft / 2 : 0;
  // The victim's masses of one cell differ by as much as those of the other, or of the rest. The divergence
  // grows with that difference, since the losses of both cells are the further apart the larger it is and
  // keep their mean; and it falls with the mass of the input that is not favoured. So the least of the one
  // and the most of the other are none too large, in both orders.
  const [rise0, rise1] = [likelier0 - other0, likelier1 - other1];
  const rounding = ROUNDING * (likelier0 + likelier1) + (isWhole ? unequal : 0);
  const rise = Math.min(rise0, rise1) - rounding;
  const low = Math.max(other0, other1) + shared;
  const high = low + rise;
  const [others0, others1] = [law[0].value + othersShared, law[1].value + othersShared];
  if (!symmetric || !(rise > 0) || !(Math.min(others0, others1) > LEAST_OTHERS)) return null;
  const ratios = low === 0 ? { p: Infinity, pMinusOne: Infinity } : { p: high / low, pMinusOne: rise / low };
  return {
    ...ratios,
    high,
    low,
    rest: isWhole ? 0 : left,
    restError: 2 * ROUNDING,
    others0,
    others1,
    othersRest: isWhole ? 0 : othersLeft,
    lost: unequal,
  };
}

function twoSums(): readonly [CompensatedSum, CompensatedSum] {
  return [new CompensatedSum(), new CompensatedSum()];
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(a, b, 1e-9);
}

function divergenceAt(cells: TellingCells, users: number, epsilon: number): number {
  return tellingCellsDivergence(cells, users, epsilon, 'coarse').lower;
}

/** Sums are long beyond so many users. */
const MANY_USERS = 1e8;

function quickLogDivergence(cells: TellingCells, users: number, epsilon: number): number {
  if (users <= MANY_USERS) return Real.log(divergenceAt(cells, users, epsilon));
  return logWorseEstimate(cells, users, epsilon);
}

/** The largest over the data sets. */
function largest(candidates: readonly TellingCells[], users: number, target: Target): number {
  const { epsilon } = target;
  if (epsilon !== undefined)
    return Math.max(...candidates.map((cells) => divergenceAt(cells, users, epsilon)));
  let worst = 0;
  for (const cells of candidates) {
    // One evaluation, or an estimate where that is long, tells whether this data set is worse than those
    // before; every one is valid.
    if (worst > 0 && quickLogDivergence(cells, users, worst) <= Real.log(target.delta)) continue;
    worst = Math.max(worst, tellingCellsEpsilon(cells, users, target.delta, 'coarse').lower);
  }
  return worst;
}

export const variationRatioLowerBound: PublishedBound = {
  name: 'variation-ratio-lower',
  direction: 'lower',
  source: 'Wang et al. 2024, Theorem 5.1',
  citation: 'wang2024',
  verdict: () => ({ sound: true }),
  at: ({ amplification, users }, target) => {
    const candidates = amplification.homogeneous.map(mergedCells).filter((cells) => cells !== null);
    const conditions = [
      condition(
        'outputs that merge into two mirrored cells and a rest',
        `${candidates.length} of ${amplification.homogeneous.length} data sets of equal users give them`,
        candidates.length > 0,
      ),
    ];
    return underConditions(conditions, () => largest(candidates, users, target));
  },
};
