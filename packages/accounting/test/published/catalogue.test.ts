import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blanketDivergence,
  evaluateBound,
  evaluatePublishedBounds,
  localDeltaTerm,
  publishedBounds,
  variationRatioDivergence,
  type EvaluatedBound,
  type ShuffleSetting,
} from '@shuffle-dp/accounting';
import { bibtex, type Target } from '@shuffle-dp/core';
import { bare, grr, laplace, mixDump } from './settings.ts';

function bound(name: string, setting: ShuffleSetting, target: Target): EvaluatedBound {
  const found = publishedBounds.find((one) => one.name === name);
  if (!found) throw new Error(name);
  return evaluateBound(found, setting, target);
}

test('what a local delta adds: (e^eps + 1) (1 + e^-eps0 / 2) n delta', () => {
  const local = { epsilon0: Math.log(2), localDelta: 1e-9, users: 1000 };
  expect(localDeltaTerm(Math.log(3), local)).toBeCloseTo(4 * 1.25 * 1e-6, 18);
});

describe('published values at epsilon0 = 1, delta = 1e-6', () => {
  // Measured with Balle et al.'s own program.
  test.each([
    ['generic', grr(1, 16, 1e4), 'blanket-hoeffding-generic', 0.16663],
    ['generic', grr(1, 16, 1e4), 'blanket-bennett-generic', 0.16617],
    ['Laplace', laplace(1, 1e4), 'blanket-hoeffding', 0.054],
    ['Laplace', laplace(1, 1e4), 'blanket-bennett', 0.04502],
    ['two values', grr(1, 2, 1e4), 'blanket-hoeffding', 0.05067],
    ['two values', grr(1, 2, 1e4), 'blanket-bennett', 0.05124],
    ['16 values', grr(1, 16, 1e4), 'blanket-hoeffding', 0.06667],
    ['16 values', grr(1, 16, 1e4), 'blanket-bennett', 0.02258],
    ['generic', grr(1, 16, 1e6), 'blanket-hoeffding-generic', 0.014451],
    ['generic', grr(1, 16, 1e6), 'blanket-bennett-generic', 0.014205],
    ['Laplace', laplace(1, 1e6), 'blanket-hoeffding', 0.004621],
    ['Laplace', laplace(1, 1e6), 'blanket-bennett', 0.003797],
    ['16 values', grr(1, 16, 1e6), 'blanket-bennett', 0.001863],
  ] as const)('%s: %#', (_, setting, name, published) => {
    const { epsilon } = bound(name, setting, { delta: 1e-6 });
    expect(Math.abs(epsilon! / published - 1)).toBeLessThan(1e-3);
  });

  test('clones and the pair, n = 1e4', () => {
    const values = [1, 2, 3, 4].map((epsilon0) => {
      const setting = grr(epsilon0, 16, 1e4);
      return ['clone', 'stronger-clone', 'variation-ratio'].map((name) =>
        bound(name, setting, { delta: 1e-6 }).epsilon!.toFixed(4),
      );
    });
    expect(values).toEqual([
      ['0.0530', '0.0432', '0.0186'],
      ['0.1550', '0.1144', '0.0675'],
      ['0.3207', '0.2261', '0.1714'],
      ['0.6009', '0.4108', '0.3615'],
    ]);
  });

  test('Table 5 of Wang et al.: 0.0433, 0.227, 0.743 and 6.99 for n = 1e4, delta = 1e-6', () => {
    const exact = [0.0432061581, 0.2260789803, 0.7421322799, 6.9908708704];
    for (const [i, epsilon0] of [1, 3, 5, 7].entries()) {
      const p = Math.exp(epsilon0);
      const { epsilon } = bound('variation-ratio', bare(p, (p - 1) / (p + 1), p, 1e4), { delta: 1e-6 });
      expect(Math.abs(epsilon! / exact[i]! - 1)).toBeLessThan(1e-9);
    }
  });
});

describe('verdicts', () => {
  const verdicts = (setting: ShuffleSetting): Record<string, unknown> =>
    Object.fromEntries(publishedBounds.map((one) => [one.name, one.verdict(setting).sound]));

  test('a positive leftover refutes the pair and leaves its closed forms unproven', () => {
    expect(verdicts(grr(1, 16, 1e4))).toMatchObject({
      erlingsson: true,
      'blanket-bennett': true,
      clone: true,
      'variation-ratio': false,
      'variation-ratio-corrected': true,
      'variation-ratio-analytic': false,
      'variation-ratio-analytic-repaired': 'unproven',
      'variation-ratio-asymptotic': 'unproven',
      'variation-ratio-lower': true,
    });
  });

  test.each([
    // By listing all multisets of two messages in integers of 1152 bits after the point.
    {
      outcomes: [
        [(1 - 7.2e-66) ** 2, 7.2e-66 ** 2, 7.2e-66 * (1 - 7.2e-66)],
        [7.2e-66 ** 2, (1 - 7.2e-66) ** 2, 7.2e-66 * (1 - 7.2e-66)],
        [7.2e-66 * (1 - 7.2e-66), 7.2e-66 * (1 - 7.2e-66), (1 - 7.2e-66) ** 2],
      ],
      target: { delta: 0.999 },
      truth: 292.4,
    },
    {
      outcomes: [
        [1 - 8.5e-18, 4.25e-18, 1 / 3],
        [4.25e-18, 1 - 8.5e-18, 1 / 3],
        [4.25e-18, 4.25e-18, 1 / 3],
      ],
      target: { epsilon: 28 },
      truth: 0.666661,
    },
  ])('a rest lost in the rounding of 1 counts in the lower end: $truth', ({ outcomes, target, truth }) => {
    const column = (i: number): Float64Array => Float64Array.from(outcomes, (row) => row[i]!);
    const homogeneous = [
      { label: 'others', victim0: column(0), victim1: column(1), others: column(2), symmetric: true },
    ];
    const amplification = { variationRatio: null, blanket: [], homogeneous };
    const setting: ShuffleSetting = { amplification, users: 2, epsilon0: Infinity };
    const { epsilon, delta } = bound('variation-ratio-lower', setting, target);
    const value = 'delta' in target ? epsilon! : delta!;
    expect(value).toBeLessThan(truth * (1 + 2e-6));
    expect(value).toBeGreaterThan(truth * (1 - 2e-3));
  });

  test('a silence as rare as the cells themselves refutes the pair', () => {
    const cap = 1e-12;
    const p = Math.E;
    const low = 1 / (1 + cap * (p - 1));
    const atoms = {
      label: 'two caps and the rest',
      victim0: Float64Array.of(cap * p * low, cap * low, (1 - 2 * cap) * low),
      victim1: Float64Array.of(cap * low, cap * p * low, (1 - 2 * cap) * low),
      others: Float64Array.of(cap * low, cap * low, (1 - 2 * cap) * low),
      symmetric: true,
    };
    const variationRatio = { p, beta: cap * (p - 1) * low, q: p };
    const at = (silent?: number): ShuffleSetting => {
      const blanket = [silent === undefined ? atoms : { ...atoms, silent }];
      return { amplification: { variationRatio, blanket, homogeneous: [] }, users: 2, epsilon0: 1 };
    };
    expect(verdicts(at(cap * (p - 1) * low))['variation-ratio']).toBe(false);
    expect(verdicts(at())['variation-ratio']).toBe(false);
    // Delta at e^0.95 by listing; what the blanket leaves of 1 in doubles is 5e-5 too little.
    const { upper } = blanketDivergence({ ...atoms, silent: cap * (p - 1) * low }, 2, 0.95);
    expect(upper).toBeGreaterThan(3.60368e-25);
    expect(upper).toBeLessThan(3.6038e-25);
  });

  test('no leftover, or one that all users share, makes the pair sound', () => {
    const p = Math.exp(1);
    for (const setting of [
      grr(1, 2, 1e4),
      bare(p, (p - 1) / (p + 1), p, 1e4),
      bare(Infinity, 1, 16, 1e4),
      mixDump(0.3, 8, 1e4),
    ]) {
      expect(verdicts(setting)['variation-ratio']).toBe(true);
      expect(verdicts(setting)['variation-ratio-analytic']).toBe(false);
    }
  });

  test('three values, two users: an actual pair of neighbours exceeds the published pair p times', () => {
    const p = Math.exp(2);
    const setting = grr(2, 3, 2);
    // Above e^eps = (p^2 + 1)/(p + 1) only the outcome in which both messages are the victim's value counts.
    const growth = (p + (p * p + 1) / (p + 1)) / 2;
    const truth = (p * (p - growth)) / (p + 2) ** 2;
    const target = { epsilon: Math.log(growth) };
    expect(bound('variation-ratio', setting, target).delta! * p).toBeCloseTo(truth, 12);
    expect(bound('variation-ratio-corrected', setting, target).delta!).toBeGreaterThanOrEqual(truth);
    expect(bound('stronger-clone', setting, target).delta!).toBeGreaterThanOrEqual(truth);
  });

  test("Theorem 4.2 as programmed lies millions of times below the authors' own pair", () => {
    const p = Math.exp(5);
    const setting = bare(p, (p - 1) / (p + 1) / 2, p, 1e4);
    const closed = bound('variation-ratio-analytic', setting, { delta: 1e-9 });
    const there = variationRatioDivergence(setting.amplification.variationRatio!, 1e4, closed.epsilon!);
    expect(there.lower / 1e-9).toBeGreaterThan(8.7e6);
    expect(there.lower / 1e-9).toBeLessThan(8.9e6);
    const repaired = bound('variation-ratio-analytic-repaired', setting, { delta: 1e-9 });
    expect(repaired.epsilon === null || repaired.epsilon > closed.epsilon!).toBe(true);
  });
});

describe('conditions', () => {
  test('a bound outside its regime has no value and says why', () => {
    const outside = bound('clone-closed', grr(4, 16, 1e4), { delta: 1e-6 });
    expect(outside.epsilon).toBeNull();
    expect(outside.reason).toBe(
      'needs epsilon0 <= log(n / (16 log(2/delta))), but the two sides are 4 and 3.763',
    );
    expect(outside.conditions.map(({ holds }) => holds)).toEqual([false]);
    expect(bound('erlingsson', grr(0.4, 16, 1e4), { delta: 0.02 }).reason).toMatch(/^needs delta < 1\/100/);
    expect(bound('erlingsson', grr(0.4, 16, 999), { delta: 1e-6 }).reason).toMatch(/^needs n >= 1000/);
    expect(bound('erlingsson', grr(0.4, 16, 1e4), { delta: 1e-6 }).epsilon).toBeCloseTo(
      4.8 * Math.sqrt(Math.log(1e6) / 1e4),
      12,
    );
  });

  test('conditions that hold are listed with their values', () => {
    const { conditions } = bound('stronger-clone-closed', grr(1, 16, 1e4), { delta: 1e-6 });
    expect(conditions).toEqual([
      {
        statement: 'epsilon0 <= log(n / (8 log(2/delta)) - 1)',
        given: 'the two sides are 1 and 4.444',
        holds: true,
      },
    ]);
  });

  test('nothing published, nothing computed', () => {
    const setting: ShuffleSetting = {
      users: 100,
      epsilon0: Infinity,
      amplification: { variationRatio: null, blanket: [], homogeneous: [] },
    };
    const values = evaluatePublishedBounds(setting, { delta: 1e-6 });
    expect(values.every(({ epsilon, reason }) => epsilon === null && reason !== undefined)).toBe(true);
  });

  test('every bound names an entry of the bibliography', () => {
    for (const { citation } of evaluatePublishedBounds(grr(1, 4, 100), { delta: 1e-3 })) {
      const entry = bibtex(citation);
      expect(entry).toContain(`{${citation},`);
      expect(entry.split('{').length).toBe(entry.split('}').length);
    }
    expect(new Set(publishedBounds.map(({ name }) => name)).size).toBe(publishedBounds.length);
  });
});

describe('how bounds stand to each other', () => {
  const settings = fc.record({
    epsilon0: fc.double({ min: 0.05, max: 4, noNaN: true }),
    domain: fc.integer({ min: 2, max: 40 }),
    users: fc.integer({ min: 2, max: 5000 }),
    logDelta: fc.double({ min: -25, max: -3, noNaN: true }),
  });

  // The corrected cells are compared in their own test: their search takes longest.
  const quick = publishedBounds.filter(({ name }) => name !== 'variation-ratio-corrected');

  test('sound upper bounds lie above the lower bound, and closed forms above what they bound', () => {
    fc.assert(
      fc.property(settings, ({ epsilon0, domain, users, logDelta }) => {
        const setting = grr(epsilon0, domain, users);
        const bounds = quick.map((one) => evaluateBound(one, setting, { delta: Math.exp(logDelta) }));
        const value = (name: string): number => bounds.find((one) => one.name === name)!.epsilon ?? Infinity;
        const sound = bounds.filter((one) => one.direction === 'upper' && one.sound === true);
        const smallest = Math.min(...sound.map(({ epsilon }) => epsilon ?? Infinity));
        const lower = bounds.find(({ direction }) => direction === 'lower')!.epsilon ?? 0;
        expect(smallest).toBeGreaterThanOrEqual(lower);
        expect(smallest).toBeLessThanOrEqual(epsilon0);
        const rounding = 1 - 1e-9;
        expect(value('clone')).toBeGreaterThanOrEqual(value('stronger-clone') * rounding);
        expect(value('clone-closed')).toBeGreaterThanOrEqual(value('clone') * rounding);
        expect(value('stronger-clone-closed')).toBeGreaterThanOrEqual(value('stronger-clone') * rounding);
        expect(value('renyi')).toBeGreaterThanOrEqual(value('stronger-clone') * rounding);
        expect(value('stronger-clone')).toBeGreaterThanOrEqual(value('variation-ratio') * rounding);
        for (const name of ['analytic-repaired', 'asymptotic']) {
          expect(value(`variation-ratio-${name}`)).toBeGreaterThanOrEqual(
            value('variation-ratio') * rounding,
          );
        }
      }),
      { seed: 41, numRuns: 40 },
    );
  });

  test('epsilon and delta are each other’s inverse', () => {
    for (const setting of [grr(0.4, 16, 2e4), grr(1, 2, 1e4), laplace(1, 1e4, 100)]) {
      for (const one of quick) {
        const { epsilon } = evaluateBound(one, setting, { delta: 1e-6 });
        const { delta } = evaluateBound(one, setting, { epsilon: epsilon ?? 0.01 });
        // The lower bound's ends stand apart by the width of the pair's bracket.
        const off = epsilon === null ? 0 : Math.abs(delta! / 1e-6 - 1);
        expect(off).toBeLessThan(one.direction === 'lower' ? 1e-6 : 1e-8);
      }
    }
  });
});

// The printed formulas with 30 digits (mpmath), where their terms in 1/n are some percent of the bound.
test.each([
  { epsilon0: 1, users: 1000, delta: 1e-6, clone: 0.56620148948280122, stronger: 0.48758554694171624 },
  { epsilon0: 0.5, users: 400, delta: 1e-3, clone: 0.31506721776829172, stronger: 0.28606333834263883 },
  { epsilon0: 2, users: 3000, delta: 1e-5, clone: 0.74241576246637129, stronger: 0.60253860630702871 },
])(
  'closed forms of the clones at epsilon0 = $epsilon0, n = $users',
  ({ epsilon0, users, delta, clone, stronger }) => {
    const setting = grr(epsilon0, 16, users);
    expect(bound('clone-closed', setting, { delta }).epsilon! / clone).toBeCloseTo(1, 13);
    expect(bound('stronger-clone-closed', setting, { delta }).epsilon! / stronger).toBeCloseTo(1, 13);
  },
);
