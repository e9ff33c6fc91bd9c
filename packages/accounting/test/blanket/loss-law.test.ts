// The loss of formula F1 and what no blanket covers, against atoms computed by hand.
import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import {
  edgeLosses,
  Losses,
  pointLosses,
  uncoveredExcess,
  type LossLaw,
} from '../../src/blanket/loss-law.ts';
import { thinned } from '../../src/blanket/thinning.ts';

type Cell = readonly [p: number, q: number, w: number];
type Ends = readonly [start0: number, end0: number, start1: number, end1: number];

function atoms(cells: readonly Cell[], ends?: readonly Ends[]): LikelihoodAtoms {
  const column = (rows: readonly (readonly number[])[], i: number) =>
    Float64Array.from(rows, (row) => row[i]!);
  return {
    label: 'by hand',
    victim0: column(cells, 0),
    victim1: column(cells, 1),
    others: column(cells, 2),
    symmetric: false,
    ...(ends && {
      cellEnds: {
        ratio0Start: column(ends, 0),
        ratio0End: column(ends, 1),
        ratio1Start: column(ends, 2),
        ratio1End: column(ends, 3),
      },
    }),
  };
}

/** Values and their probabilities, to thirteen places. */
function rowsOf({ values, probabilities }: LossLaw): number[][] {
  return Array.from(values, (value, i) => [value, probabilities[i]!].map((x) => Number(x.toFixed(13))));
}

const E = 2;

describe('points', () => {
  // Covered, covered with a negative loss, uncovered with excess 0.3 - 2 * 0.1, uncovered with none.
  const points = atoms([
    [0.5, 0.1, 0.2],
    [0.1, 0.4, 0.5],
    [0.3, 0.1, 0],
    [0.1, 0.4, 0],
  ]);

  it('lose (P - e^eps Q) / W with the probability W', () => {
    expect(rowsOf(pointLosses(points, E))).toEqual([
      [-1.4, 0.5],
      [1.5, 0.2],
    ]);
    expect([...pointLosses(points, E).magnitudes]).toEqual([0.9 / 0.5, 0.7 / 0.2]);
  });

  it('are split nowhere', () => {
    expect(edgeLosses(points, E)).toEqual(pointLosses(points, E));
  });

  it('that nobody covers show the positive part of P - e^eps Q', () => {
    const { lower, upper } = uncoveredExcess(points, E);
    expect(lower).toBeLessThanOrEqual(0.1);
    expect(upper).toBeGreaterThanOrEqual(0.1);
    expect(upper - lower).toBeLessThan(1e-14);
  });

  it('of one loss are one atom', () => {
    const twins = atoms([
      [0.25, 0.125, 0.25],
      [0.5, 0.25, 0.5],
      [0.25, 0.625, 0.25],
    ]);
    expect(rowsOf(pointLosses(twins, 1))).toEqual([
      [-1.5, 0.25],
      [0.5, 0.75],
    ]);
  });
});

describe('cells of continuous outputs', () => {
  const CELLS: readonly Cell[] = [
    // Bounded and covered.
    [0.3, 0.1, 0.2],
    // Covered, with a ratio that has no bound at its end.
    [0.2, 0.3, 0.4],
    // Uncovered, where the ratio may cross e^eps inside: P - 2 Q is negative.
    [0.1, 0.2, 0],
    // Uncovered with an excess of 0.4 - 2 * 0.05 = 0.3.
    [0.4, 0.05, 0],
    // Covered, ratios constant.
    [0, 0.35, 0.1],
  ];
  const ENDS: readonly Ends[] = [
    [1, 2, 0.25, 0.75],
    [0, 1, 0.1, Infinity],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 3.5, 3.5],
  ];
  const cells = atoms(CELLS, ENDS);

  it('show at least the excess of the uncovered, at most all of P where nothing is covered or bounded', () => {
    const { lower, upper } = uncoveredExcess(cells, E);
    expect(lower).toBeCloseTo(0.3, 13);
    expect(lower).toBeLessThanOrEqual(0.3);
    expect(upper).toBeCloseTo(0.2 + 0.1 + 0.4, 13);
    expect(upper).toBeGreaterThanOrEqual(0.7);
  });

  it.each([0, 1, 2, 3])('without a bound at end %i are uncovered', (end) => {
    const ends: Ends[] = [
      [1, 2, 0.25, 0.75].map((ratio, i) => (i === end ? Infinity : ratio)) as unknown as Ends,
    ];
    const one = atoms([[0.3, 0.1, 0.2]], ends);
    expect(uncoveredExcess(one, E).upper).toBeCloseTo(0.3, 14);
    expect(uncoveredExcess(one, E).lower).toBe(0);
    expect(edgeLosses(one, E).values).toHaveLength(0);
  });

  it('are split onto the losses that their ends allow, and keep mass and mean', () => {
    // The first cell: mean (0.3 - 0.2) / 0.2 = 0.5 between 1 - 2 * 0.75 = -0.5 and 2 - 2 * 0.25 = 1.5,
    // halved. The last: (0 - 0.7) / 0.1 = -7 at both ends. The second is uncovered.
    expect(rowsOf(edgeLosses(cells, E))).toEqual([
      [-7, 0.1],
      [-0.5, 0.1],
      [1.5, 0.1],
    ]);
  });

  it('whose mean lies past their ends by rounding widen to it', () => {
    const one = atoms([[0.3, 0.1, 0.2]], [[1, 1.5, 0.6, 0.75]]);
    // Ends -0.5 and 0.3, mean 0.5: all of the mass stands at the mean.
    expect(rowsOf(edgeLosses(one, E))).toEqual([[0.5, 0.2]]);
  });

  it('as points have their means, the unbounded too', () => {
    expect(rowsOf(pointLosses(cells, E))).toEqual([
      [-7, 0.1],
      [-1, 0.4],
      [0.5, 0.2],
    ]);
  });
});

describe('thinned laws', () => {
  const law: LossLaw = {
    values: Float64Array.of(-1, 0, 0.01, 0.02, 0.03, 2),
    probabilities: Float64Array.of(0.1, 0.2, 0.1, 0.1, 0.2, 0.3),
    magnitudes: Float64Array.of(1, 2, 3, 4, 5, 6),
  };
  const convex = [
    (g: number) => Math.max(0, g),
    (g: number) => Math.max(0, g - 0.015),
    (g: number) => g * g,
    (g: number) => Math.abs(g + 0.3),
  ];
  const mean = ({ values, probabilities }: LossLaw, f: (g: number) => number): number =>
    values.reduce((sum, value, i) => sum + probabilities[i]! * f(value), 0);

  it.each([
    ['dilation', 1],
    ['contraction', -1],
  ] as const)('a %s keeps mass and mean and moves convex means one way', (how, sign) => {
    const thin = thinned(law, law.probabilities, how === 'dilation' ? 6 : 4, how);
    expect(thin.values.length).toBeLessThan(law.values.length);
    expect(mean(thin, () => 1)).toBeCloseTo(1, 14);
    expect(mean(thin, (g) => g)).toBeCloseTo(
      mean(law, (g) => g),
      14,
    );
    for (const f of convex) expect(sign * (mean(thin, f) - mean(law, f))).toBeGreaterThanOrEqual(-1e-15);
    expect(sign * (mean(thin, (g) => g * g) - mean(law, (g) => g * g))).toBeGreaterThan(1e-6);
    expect(Math.max(...thin.magnitudes)).toBe(6);
  });
});

it('a cell that others hardly show is uncovered: shares of its mass would lose their digits', () => {
  const [share, hardly] = [2 ** -10, 1e-295];
  const cells = atoms(
    [
      [0.5, 0.5, 0.5],
      [share, 0, hardly],
    ],
    [
      [1, 1, 1, 1],
      [(0.9 * share) / hardly, (1.1 * share) / hardly, 0, 0],
    ],
  );
  expect([...edgeLosses(cells, E).values]).toEqual([-1]);
  expect(uncoveredExcess(cells, E).upper).toBeGreaterThanOrEqual(share);
  expect(uncoveredExcess(cells, E).upper).toBeLessThan(share * (1 + 1e-12));
});

describe('the order of values', () => {
  /** Twenty cells, of which each begins where the one before ends, with two values that are far off. */
  const ends = Array.from({ length: 20 }, (_, y) => [y, y, y + 1]).flat();
  const cases: Readonly<Record<string, readonly number[]>> = {
    rising: ends,
    falling: ends.toReversed(),
    'nearly rising': [...ends, 3, 7],
    'nearly falling': [30, 7, ...ends.toReversed()],
    'in no order': ends.map((value) => (value * 7919) % 101),
  };

  it.each(Object.entries(cases))('%s: as of a stable sort', (_, values) => {
    const losses = new Losses(values.length);
    // Equal values are summed in their order, which the last bits of these shares tell.
    const shareOf = (i: number): number => (i % 4 === 0 ? 0.1 : 1e-17);
    values.forEach((value, i) => losses.add(value, shareOf(i), 1));
    const sums = new Map<number, number>();
    values.forEach((value, i) => sums.set(value, (sums.get(value) ?? 0) + shareOf(i)));
    const expected = [...sums].toSorted(([a], [b]) => a - b);
    const law = losses.law();
    expect([...law.values]).toEqual(expected.map(([value]) => value));
    expect([...law.probabilities]).toEqual(expected.map(([, mass]) => mass));
  });
});

it('the order of losses at an epsilon before changes nothing of a law', () => {
  // The last two are equal at 1.5, too far apart in magnitude to be taken together, and in turn at 1.
  const made = (): LikelihoodAtoms =>
    atoms([
      [9, 1, 1],
      [5, 3, 1],
      [0.5, 0, 1],
    ]);
  const used = made();
  expect([...pointLosses(used, 1).values]).toEqual([0.5, 2, 8]);
  const { values, magnitudes } = pointLosses(used, 1.5);
  expect([...values]).toEqual([0.5, 0.5, 7.5]);
  expect([...magnitudes]).toEqual([9.5, 0.5, 10.5]);
});
