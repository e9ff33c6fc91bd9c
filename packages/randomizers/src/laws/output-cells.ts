/**
 * Atoms of randomizers with a real output, for the victim's inputs at the two ends of the range.
 *
 * The ends are the worst pair for the blanket: proved in docs/worst-pairs.md.
 */
import { Real, type AmplificationProfile, type LikelihoodAtoms } from '@shuffle-dp/core';
import { profileOnDemand, type ProfileParts } from './profile-on-demand.ts';

/** Finite ends, the lower one first. */
export interface InputRange {
  readonly low: number;
  readonly high: number;
}

export interface OutputLaw {
  readonly inputRange: InputRange;
  /** Probability of an output in [from, to]; infinite ends allowed. Small masses to relative accuracy. */
  mass(input: number, from: number, to: number): number;
  /** log(density(output, low) / density(output, high)), falling in the output; infinite outputs allowed. */
  logRatio(output: number): number;
}

export interface EndpointOptions extends Pick<ProfileParts, 'typed'> {
  /** The cells span all outputs but two tails, in which the blanket is taken as zero. */
  readonly uncovered?: boolean;
}

/**
 * Atoms on the cells between the edges, which must increase, hold the middle of the range, and span all
 * outputs unless it says otherwise.
 */
export function endpointProfile(
  law: OutputLaw,
  edges: readonly number[],
  variationRatio: AmplificationProfile['variationRatio'],
  { uncovered = false, typed }: EndpointOptions = {},
): AmplificationProfile {
  const { low } = law.inputRange;
  const middle = middleOf(law.inputRange);
  // The other end as common input is the mirror image of the first, and both directions are taken of that.
  return profileOnDemand(variationRatio, {
    blanket: () => [blanketAtoms(law, edges, uncovered)],
    homogeneous: () => [
      homogeneousAtoms(law, edges, middle, 'all others hold the middle of the range', true),
      homogeneousAtoms(law, edges, low, "all others hold the victim's first value", false),
    ],
    ...(typed && { typed }),
  });
}

export function middleOf({ low, high }: InputRange): number {
  return low + (high - low) / 2;
}

/** `cells` equal cells from `from` to `to`, as their edges. */
export function equalCells(from: number, to: number, cells: number): number[] {
  return Array.from({ length: cells + 1 }, (_, i) => (i === cells ? to : from + ((to - from) * i) / cells));
}

/** Edges of `cells` equal cells on either side of the middle. */
export function cellsAround(middle: number, from: number, to: number, cells: number): number[] {
  return [...equalCells(from, middle, cells), ...equalCells(middle, to, cells).slice(1)];
}

/**
 * Cells that keep the bracket of the divergence narrow where the log ratio of two inputs runs over so many
 * nats.
 */
export function cellCount(nats: number): number {
  return Math.min(2048, Math.ceil(256 + 64 * nats));
}

/**
 * Of data sets with more atoms neighbours are put together: at large budgets narrow cells cost much and tell
 * little.
 */
const MOST_DATA_CELLS = 1600;
const FEWER_DATA_CELLS = 768;

/**
 * Atoms of a data set, in groups of neighbours where they are many: a coarser output, hence still a lower
 * bound. The first and the last, where ratios are largest, stay as they are.
 * @param runs in which atoms stand by their ratios: so many of the same length, one after the other
 */
export function withFewerCells(atoms: LikelihoodAtoms, runs = 1): LikelihoodAtoms {
  const { length } = atoms.others;
  if (length <= MOST_DATA_CELLS) return atoms;
  const size = Math.ceil(length / FEWER_DATA_CELLS);
  const run = length / runs;
  const edges = atoms.symmetric ? mirroredEdges(run - 2, size) : evenEdges(run - 2, size);
  const groups = Array.from({ length: runs }, (_, r) => groupsFrom(r * run, (r + 1) * run, edges)).flat();
  const sums = (masses: Float64Array): Float64Array =>
    Float64Array.from(groups, ([from, to]) => masses.subarray(from, to).reduce((sum, mass) => sum + mass, 0));
  return Object.freeze({
    ...atoms,
    victim0: sums(atoms.victim0),
    victim1: sums(atoms.victim1),
    others: sums(atoms.others),
  });
}

/** Groups between the first atom and the last. @param edges from 0 on, counted from the second */
function groupsFrom(from: number, to: number, edges: readonly number[]): (readonly [number, number])[] {
  const inner = edges.slice(1).map((edge, i) => [from + 1 + edges[i]!, from + 1 + edge] as const);
  return [[from, from + 1], ...inner, [to - 1, to]];
}

function evenEdges(atoms: number, size: number): number[] {
  return Array.from({ length: Math.ceil(atoms / size) + 1 }, (_, i) => Math.min(atoms, i * size));
}

/** Edges that are their own mirror image: without, one direction of a symmetric pair is not the other. */
function mirroredEdges(atoms: number, size: number): number[] {
  const least = Math.ceil(atoms / size);
  // In the middle of an odd number of atoms there is no edge.
  const groups = least + (atoms % 2) * ((least + 1) % 2);
  const below = (i: number): number => Math.floor((i * atoms) / groups);
  return Array.from({ length: groups + 1 }, (_, i) =>
    2 * i <= groups ? below(i) : atoms - below(groups - i),
  );
}

/** The pointwise infimum over all inputs is the density of the end that is further from the output. */
function blanketAtoms(law: OutputLaw, edges: readonly number[], uncovered: boolean): LikelihoodAtoms {
  const { low, high } = law.inputRange;
  const middle = middleOf(law.inputRange);
  const cells = edges.length - 1;
  const size = cells + (uncovered ? 2 : 0);
  const array = (): Float64Array => new Float64Array(size);
  const [victim0, victim1, others] = [array(), array(), array()];
  const [ratio0Start, ratio0End, ratio1Start, ratio1End] = [array(), array(), array(), array()];
  for (let i = 0; i < cells; i++) {
    const [from, to] = [edges[i]!, edges[i + 1]!];
    const left = to <= middle;
    victim0[i] = law.mass(low, from, to);
    victim1[i] = law.mass(high, from, to);
    others[i] = left ? victim1[i]! : victim0[i]!;
    const [start, end] = [law.logRatio(from), law.logRatio(to)];
    ratio0Start[i] = left ? Real.exp(start) : 1;
    ratio0End[i] = left ? Real.exp(end) : 1;
    ratio1Start[i] = left ? 1 : Real.exp(-start);
    ratio1End[i] = left ? 1 : Real.exp(-end);
  }
  if (uncovered) {
    const tails = [
      [-Infinity, edges[0]!],
      [edges[cells]!, Infinity],
    ] as const;
    tails.forEach(([from, to], i) => {
      victim0[cells + i] = law.mass(low, from, to);
      victim1[cells + i] = law.mass(high, from, to);
    });
  }
  return Object.freeze({
    label: 'both ends of the range',
    victim0,
    victim1,
    others,
    symmetric: true,
    cellEnds: Object.freeze({ ratio0Start, ratio0End, ratio1Start, ratio1End }),
  });
}

/** Masses of the cells, the outermost reaching to infinity: a coarser output, hence still a lower bound. */
function homogeneousAtoms(
  law: OutputLaw,
  edges: readonly number[],
  input: number,
  label: string,
  symmetric: boolean,
): LikelihoodAtoms {
  const cells = edges.length - 1;
  const masses = (x: number): Float64Array =>
    Float64Array.from({ length: cells }, (_, i) =>
      law.mass(x, i === 0 ? -Infinity : edges[i]!, i === cells - 1 ? Infinity : edges[i + 1]!),
    );
  return withFewerCells({
    label,
    victim0: masses(law.inputRange.low),
    victim1: masses(law.inputRange.high),
    others: masses(input),
    symmetric,
  });
}
