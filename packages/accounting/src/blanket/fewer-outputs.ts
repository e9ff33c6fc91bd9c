/**
 * Fewer outputs in place of many, for curves that are evaluated a thousand times: neighbours in the list are
 * taken together. Telling which group an output is in is post-processing, so from below the outcome is a
 * mechanism that occurs. From above the groups are cells, whose ratios stay between the extremes of those
 * inside (docs/soundness.md, F4).
 */
import { CompensatedSum, type LikelihoodAtoms } from '@shuffle-dp/core';

/** For a lower end: the law of the groups. Greedy from one side, so a symmetric pair may not stay one. */
export function groupedOutputs(atoms: LikelihoodAtoms, most: number): LikelihoodAtoms {
  if (atoms.others.length <= most) return atoms;
  const ratios = pointRatios(atoms);
  const groups = groupsOf(atoms, ratios, most);
  return { ...withMasses(atoms, groups), symmetric: false };
}

/**
 * For an upper end, of cells of continuous outputs; points are left as they are. A symmetric worst case
 * bounds both orders by one.
 */
export function widerCells(atoms: LikelihoodAtoms, most: number): LikelihoodAtoms {
  const { cellEnds } = atoms;
  if (!cellEnds || atoms.others.length <= most) return atoms;
  const { ratio0Start, ratio0End, ratio1Start, ratio1End } = cellEnds;
  const ratios = {
    least0: extremes(ratio0Start, ratio0End, Math.min),
    most0: extremes(ratio0Start, ratio0End, Math.max),
    least1: extremes(ratio1Start, ratio1End, Math.min),
    most1: extremes(ratio1Start, ratio1End, Math.max),
  };
  const groups = groupsOf(atoms, ratios, most);
  const over = (values: Float64Array, choose: (a: number, b: number) => number): Float64Array =>
    Float64Array.from(groups, ([first, last]) =>
      values.subarray(first, last + 1).reduce((a, b) => choose(a, b)),
    );
  return {
    ...withMasses(atoms, groups),
    // What lies between the ends is all that is asked of them.
    cellEnds: {
      ratio0Start: over(ratios.least0, Math.min),
      ratio0End: over(ratios.most0, Math.max),
      ratio1Start: over(ratios.least1, Math.min),
      ratio1End: over(ratios.most1, Math.max),
    },
  };
}

/** Between which the ratios of the victim's masses to the others' lie, output by output. */
interface RatioRanges {
  readonly least0: Float64Array;
  readonly most0: Float64Array;
  readonly least1: Float64Array;
  readonly most1: Float64Array;
}

function pointRatios({ victim0, victim1, others }: LikelihoodAtoms): RatioRanges {
  const ratio0 = victim0.map((mass, y) => mass / others[y]!);
  const ratio1 = victim1.map((mass, y) => mass / others[y]!);
  return { least0: ratio0, most0: ratio0, least1: ratio1, most1: ratio1 };
}

function extremes(
  starts: Float64Array,
  ends: Float64Array,
  choose: (a: number, b: number) => number,
): Float64Array {
  return starts.map((start, y) => choose(start, ends[y]!));
}

type Group = readonly [first: number, last: number];

/**
 * At most `most` groups of neighbours, beside outputs that nobody else is sure to show, which stay apart:
 * each adds about the same to the variance of the ratios.
 */
function groupsOf({ others }: LikelihoodAtoms, ratios: RatioRanges, most: number): Group[] {
  const { least0, most0, least1, most1 } = ratios;
  const apart = others.map((mass, y) => Number(!(mass > 0 && most0[y]! + most1[y]! < Infinity)));
  const alone = apart.reduce((sum, one) => sum + one, 0);
  let variance = 0;
  others.forEach((mass, y) => {
    if (!apart[y]) variance += mass * (most0[y]! - least1[y]!) ** 2;
  });
  const mostBudget = variance < Infinity ? variance / most : NaN;
  for (let budget = mostBudget * SMALLEST_BUDGET; ; budget *= 1.5) {
    const groups: Group[] = [];
    for (let first = 0; first < others.length;) {
      const last = apart[first] ? first : lastOfGroup(first, budget);
      groups.push([first, last]);
      first = last + 1;
    }
    // A variance that leaves the doubles is no budget: then ranges of ratios alone make groups.
    if (groups.length <= Math.max(most, 2 * alone + 1) || !(budget <= mostBudget)) return groups;
  }

  function lastOfGroup(first: number, budget: number): number {
    let mass = 0;
    let low0 = Infinity;
    let high0 = -Infinity;
    let low1 = Infinity;
    let high1 = -Infinity;
    let y = first;
    for (; y < others.length && !apart[y]; y++) {
      mass += others[y]!;
      low0 = Math.min(low0, least0[y]!);
      high0 = Math.max(high0, most0[y]!);
      low1 = Math.min(low1, least1[y]!);
      high1 = Math.max(high1, most1[y]!);
      const isWide = high0 + high1 > WIDEST_RATIO * (low0 + low1);
      if (y > first && (isWide || mass * ((high0 - low0) ** 2 + (high1 - low1) ** 2) > budget)) break;
    }
    return y - 1;
  }
}

/** Far out little mass has large ratios, which decide how far a curve goes. */
const WIDEST_RATIO = 1.25;

/** Of the variance, over the number of groups: less than any useful share. */
const SMALLEST_BUDGET = 1e-9;

function withMasses(atoms: LikelihoodAtoms, groups: readonly Group[]): LikelihoodAtoms {
  const { label, symmetric, silent } = atoms;
  const total = (masses: Float64Array): Float64Array =>
    Float64Array.from(groups, ([first, last]) => {
      const sum = new CompensatedSum();
      for (let y = first; y <= last; y++) sum.add(masses[y]!);
      return sum.value;
    });
  return {
    label,
    victim0: total(atoms.victim0),
    victim1: total(atoms.victim1),
    others: total(atoms.others),
    symmetric,
    ...(silent !== undefined && { silent }),
  };
}
