// Fewer outputs from the definition: masses stay, groups from below can only hide, cells from above can only
// show.
import { describe, expect, it } from 'vitest';
import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { blanketDivergence, widerCells } from '../../src/index.ts';
import { groupedOutputs } from '../../src/blanket/fewer-outputs.ts';

const CELLS = 400;
const EDGES = Array.from({ length: CELLS + 1 }, (_, i) => -7 + (15 * i) / CELLS);

/**
 * Laplace noise of scale 1 about 0 or 1; `others` hold 0, or are sure to show the smaller of the two
 * densities.
 */
function laplace(isBlanket: boolean): LikelihoodAtoms {
  const below = (y: number, at: number): number => (y < at ? Math.exp(y - at) / 2 : 1 - Math.exp(at - y) / 2);
  const outer = (y: number, last: boolean): number => (last ? Infinity : y);
  const mass = (at: number, i: number): number =>
    below(outer(EDGES[i + 1]!, i === CELLS - 1), at) - (i === 0 ? 0 : below(EDGES[i]!, at));
  const law = (at: number): Float64Array => Float64Array.from({ length: CELLS }, (_, i) => mass(at, i));
  const density = (y: number, at: number): number => Math.exp(-Math.abs(y - at));
  const least = (y: number): number => Math.min(density(y, 0), density(y, 1));
  // The smaller density changes at 1/2, an edge.
  const blanket = law(0).map((m, i) => (EDGES[i]! + EDGES[i + 1]! < 1 ? law(1)[i]! : m));
  const ratios = (at: number, end: 0 | 1): Float64Array =>
    Float64Array.from({ length: CELLS }, (_, i) => density(EDGES[i + end]!, at) / least(EDGES[i + end]!));
  return {
    label: 'Laplace',
    victim0: law(0),
    victim1: law(1),
    others: isBlanket ? blanket : law(0),
    symmetric: false,
    ...(isBlanket && {
      cellEnds: {
        ratio0Start: ratios(0, 0),
        ratio0End: ratios(0, 1),
        ratio1Start: ratios(1, 0),
        ratio1End: ratios(1, 1),
      },
    }),
  };
}

const total = (masses: Float64Array): number => masses.reduce((sum, mass) => sum + mass, 0);

describe.each([50, 100, 200])('%d outputs', (most) => {
  it.each([
    [100, 0.1],
    [5000, 0.05],
    [5000, 0],
  ])('from below hide more, and hardly: %d users at %d', (users, epsilon) => {
    const atoms = laplace(false);
    const fewer = groupedOutputs(atoms, most);
    expect(fewer.others.length).toBeLessThanOrEqual(most);
    for (const masses of ['victim0', 'victim1', 'others'] as const)
      expect(total(fewer[masses])).toBeCloseTo(total(atoms[masses]), 14);
    const whole = blanketDivergence(atoms, users, epsilon);
    const grouped = blanketDivergence(fewer, users, epsilon);
    expect(grouped.lower).toBeLessThanOrEqual(whole.upper);
    expect(grouped.upper).toBeGreaterThan(whole.lower * (1 - 12 / most ** 2));
  });

  it.each([
    [100, 0.1],
    [5000, 0.05],
    [5000, 0],
  ])('from above show more, and hardly: %d users at %d', (users, epsilon) => {
    const atoms = laplace(true);
    const fewer = widerCells(atoms, most);
    expect(fewer.others.length).toBeLessThanOrEqual(most);
    expect(total(fewer.others)).toBeCloseTo(total(atoms.others), 14);
    const { lower } = blanketDivergence(atoms, users, epsilon);
    const whole = blanketDivergence(atoms, users, epsilon).upper;
    const { upper } = blanketDivergence(fewer, users, epsilon, { ends: 'upper' });
    expect(upper).toBeGreaterThanOrEqual(lower);
    expect(upper).toBeLessThan(whole * (1 + 60 / most ** 2));
  });
});

it('ends of wider cells enclose the ratios inside, of which the mean is one', () => {
  const atoms = laplace(true);
  const { others, victim0, victim1, cellEnds } = widerCells(atoms, 40);
  const { ratio0Start, ratio0End, ratio1Start, ratio1End } = cellEnds!;
  const ends = atoms.cellEnds!;
  expect(Math.max(...ratio0End)).toBe(Math.max(...ends.ratio0Start, ...ends.ratio0End));
  expect(Math.min(...ratio1Start)).toBe(Math.min(...ends.ratio1Start, ...ends.ratio1End));
  others.forEach((mass, y) => {
    for (const [victim, start, end] of [
      [victim0, ratio0Start, ratio0End],
      [victim1, ratio1Start, ratio1End],
    ] as const) {
      expect(victim[y]! / mass).toBeGreaterThanOrEqual(start[y]! * (1 - 1e-12));
      expect(victim[y]! / mass).toBeLessThanOrEqual(end[y]! * (1 + 1e-12));
    }
  });
});

it('keeps apart what nobody else is sure to show', () => {
  const atoms = laplace(false);
  const others = atoms.others.map((mass, i) => (i % 100 === 50 ? 0 : mass));
  const fewer = groupedOutputs({ ...atoms, others }, 60);
  const alone = [...fewer.others.keys()].filter((y) => fewer.others[y] === 0);
  expect(alone.map((y) => fewer.victim0[y])).toEqual([50, 150, 250, 350].map((i) => atoms.victim0[i]));
});

it('leaves points as they are from above, and few outputs on both sides', () => {
  const points = laplace(false);
  expect(widerCells(points, 10)).toBe(points);
  expect(groupedOutputs(points, CELLS)).toBe(points);
  const cells = laplace(true);
  expect(widerCells(cells, CELLS)).toBe(cells);
});

it('says of groups that they may not be symmetric', () => {
  expect(groupedOutputs({ ...laplace(false), symmetric: true }, 60).symmetric).toBe(false);
});

// The search for a share of the variance did not end.
it.each([1e-160, 1e-250])('groups ratios whose squares leave the doubles, others of %d', (least) => {
  const atoms = laplace(false);
  const fewer = groupedOutputs({ ...atoms, others: atoms.others.map((mass) => mass * least) }, 3);
  expect(total(fewer.victim0)).toBeCloseTo(1, 12);
  expect(fewer.others.length).toBeLessThan(CELLS);
});
