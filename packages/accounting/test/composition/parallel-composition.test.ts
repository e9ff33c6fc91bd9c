/** Mixtures of queries against listing everything, and the numbers of Figure 5 of Wang et al. 2024. */
import { describe, expect, test } from 'vitest';
import {
  certifiedDelta,
  certifiedEpsilon,
  evaluateParallelBounds,
  mixtureAtoms,
  parallelProfile,
  variationRatioDivergence,
  variationRatioEpsilon,
  type ParallelQuery,
} from '@shuffle-dp/accounting';
import { randomizedResponseAtoms } from '../atoms/generalized-randomized-response.ts';
import { laplaceAtoms } from '../atoms/laplace.ts';
import { exhaustiveDivergence, type RandomizerMatrix } from '../oracle/exhaustive-divergence.ts';
import { randomizedResponseMatrix } from '../oracle/randomizer-matrices.ts';

/** Node counts of the levels of a binary hierarchy, leaves first; a user answers one level, uniformly. */
function binaryLevels(domain: number): number[] {
  return domain === 1 ? [] : [domain, ...binaryLevels(domain / 2)];
}

function levelQueries(domain: number, epsilon0: number): ParallelQuery[] {
  const p = Math.exp(epsilon0);
  const levels = binaryLevels(domain);
  return levels.map((nodes) => ({
    probability: 1 / levels.length,
    amplification: {
      variationRatio: { p, beta: (p - 1) / (p + nodes - 1), q: p },
      blanket: [randomizedResponseAtoms(nodes, epsilon0, 'blanket')],
      homogeneous: [],
    },
  }));
}

function levelProfile(domain: number, epsilon0: number) {
  const levels = binaryLevels(domain);
  return parallelProfile(levelQueries(domain, epsilon0), [
    levels.map((nodes) =>
      randomizedResponseAtoms(nodes, epsilon0, nodes > 2 ? 'third value' : 'first value'),
    ),
    levels.map((nodes) => randomizedResponseAtoms(nodes, epsilon0, 'first value')),
  ]);
}

/** Row x: the law of (level, node) on the leaf x. */
function levelMatrix(domain: number, epsilon0: number): RandomizerMatrix {
  const levels = binaryLevels(domain);
  const matrices = levels.map((nodes) => randomizedResponseMatrix(nodes, epsilon0));
  return Array.from({ length: domain }, (_, leaf) =>
    levels.flatMap((nodes, h) =>
      matrices[h]![Math.floor((leaf * nodes) / domain)]!.map((mass) => mass / levels.length),
    ),
  );
}

/** Rounding of the enumeration and of F1, relative. */
const ROUNDING = 1e-11;

describe('lower end <= truth over all data sets <= upper end', () => {
  const domain = 4;
  test.each([
    [1, 2],
    [1, 4],
    [2.5, 3],
  ])('two levels over 4 leaves, epsilon0 = %d, %d users', (epsilon0, users) => {
    const profile = levelProfile(domain, epsilon0);
    const matrix = levelMatrix(domain, epsilon0);
    const differ = (a: number, b: number): boolean => a >> 1 !== b >> 1;
    for (const epsilon of [0, 0.3, 0.6 * epsilon0, 0.9 * epsilon0]) {
      const { lower, upper } = certifiedDelta(profile, users, epsilon);
      const { delta, victim } = exhaustiveDivergence(matrix, users, epsilon);
      expect(upper).toBeGreaterThanOrEqual(delta * (1 - ROUNDING));
      expect(lower).toBeLessThanOrEqual(delta * (1 + ROUNDING));
      expect(differ(...victim)).toBe(true);
      const homogeneous = exhaustiveDivergence(matrix, users, epsilon, (others) =>
        others.every((leaf) => leaf === others[0]),
      );
      expect(Math.abs(lower / homogeneous.delta - 1)).toBeLessThanOrEqual(ROUNDING);
    }
  });

  test('Theorem 6.1 is exceeded: two levels over 4 leaves, two users', () => {
    const { variationRatio } = levelProfile(domain, 2);
    const claimed = variationRatioDivergence(variationRatio!, 2, 1.8).upper;
    const truth = exhaustiveDivergence(levelMatrix(domain, 2), 2, 1.8).delta;
    expect(truth / claimed).toBeGreaterThan(1);
  });
});

test('inputs that coincide in one query are covered by inputs that differ', () => {
  // The leaves 0 and 1 share their parent: half of the messages tell nothing.
  const [leaves, halves] = levelQueries(4, 1.5);
  const node = randomizedResponseAtoms(2, 1.5, 'blanket');
  const same = { ...node, victim1: node.victim0 };
  const siblings = mixtureAtoms('siblings', [
    { probability: 0.5, atoms: leaves!.amplification.blanket[0]! },
    { probability: 0.5, atoms: same },
  ]);
  const profile = { variationRatio: null, homogeneous: [] };
  for (const users of [1, 10, 1000]) {
    for (const epsilon of [0, 0.1, 0.5]) {
      const apart = certifiedDelta(parallelProfile([leaves!, halves!]), users, epsilon).upper;
      const close = certifiedDelta({ ...profile, blanket: [siblings] }, users, epsilon).upper;
      expect(close).toBeLessThanOrEqual(apart);
    }
  }
});

describe('the profile of the whole', () => {
  test('is that of the query where there is one', () => {
    const [query] = levelQueries(2, 1);
    const whole = parallelProfile([query!], [[randomizedResponseAtoms(2, 1, 'first value')]]);
    expect(certifiedEpsilon(whole, 1000, 1e-6)).toEqual(
      certifiedEpsilon(
        { ...query!.amplification, homogeneous: [randomizedResponseAtoms(2, 1, 'first value')] },
        1000,
        1e-6,
      ),
    );
    expect(whole.variationRatio).toEqual(query!.amplification.variationRatio);
  });

  test('takes all combinations of the entries of its queries', () => {
    const entry = (domain: number) => randomizedResponseAtoms(domain, 1, 'blanket');
    const query = (probability: number, ...domains: number[]): ParallelQuery => ({
      probability,
      amplification: { variationRatio: null, blanket: domains.map(entry), homogeneous: [] },
    });
    const { blanket, variationRatio } = parallelProfile([query(0.25, 2, 3), query(0.75, 4, 5)]);
    expect(variationRatio).toBeNull();
    expect(blanket.map(({ others }) => others.length)).toEqual([5, 5, 6, 6]);
    const epsilon = certifiedEpsilon({ variationRatio, blanket, homogeneous: [] }, 500, 1e-5).upper;
    const worst = parallelProfile([query(0.25, 2), query(0.75, 4)]);
    expect(epsilon).toBe(certifiedEpsilon(worst, 500, 1e-5).upper);
  });

  test('keeps the cells of continuous outputs beside points', () => {
    const laplace = laplaceAtoms(1, 'blanket');
    const points = randomizedResponseAtoms(4, 1, 'blanket');
    const mixed = mixtureAtoms('both', [
      { probability: 0.5, atoms: laplace },
      { probability: 0.5, atoms: points },
    ]);
    const upper = (blanket: typeof mixed): number =>
      certifiedEpsilon({ variationRatio: null, blanket: [blanket], homogeneous: [] }, 1000, 1e-5).upper;
    expect(mixed.cellEnds!.ratio0Start.at(-1)).toBe(1);
    expect(upper(mixed)).toBeGreaterThan(upper(points));
    expect(upper(mixed)).toBeLessThan(upper(laplace));
  });

  test('refuses what it cannot mix', () => {
    const queries = levelQueries(4, 1);
    expect(() => parallelProfile([])).toThrow('queries = "[]": must be a list of at least one query');
    expect(() => parallelProfile(queries.slice(1))).toThrow('the sum of probabilities = 0.5: must be 1');
    expect(() => parallelProfile(queries, [[]])).toThrow('must be 2 entries, one per query');
    const oneSided = randomizedResponseAtoms(4, 1, 'first value');
    expect(() =>
      parallelProfile([
        { probability: 1, amplification: { variationRatio: null, blanket: [oneSided], homogeneous: [] } },
      ]),
    ).toThrow('must be symmetric in the inputs of the victim');
  });
});

// n = 10,000, delta = 0.01/n. The savings are to the percent; the program of the paper's authors overwrites
// beta.
describe('Figure 5', () => {
  const users = 1e4;
  const delta = 0.01 / users;
  test.each([
    [64, 1, 39, 92],
    [64, 2, 30, 88],
    [64, 3, 20, 82],
    [2048, 1, 55, 99],
    [2048, 2, 48, 98],
    [2048, 3, 40, 97],
  ])(
    '%d leaves, epsilon0 = %d: %d %% saved over basic composition',
    (domain, epsilon0, saved, misprinted) => {
      const queries = levelQueries(domain, epsilon0);
      const [best, worst, basic, advanced] = evaluateParallelBounds({ users, epsilon0, queries }, { delta });
      const percent = (epsilon: number): number => Math.round(100 * (1 - epsilon / basic!.epsilon!));
      expect(percent(advanced!.epsilon!)).toBe(saved);
      const certified = certifiedEpsilon(levelProfile(domain, epsilon0), users, delta, { epsilon0 });
      expect(percent(certified.upper)).toBe(saved);
      // The gap is the level of two nodes, whose blanket is not first-order tight.
      expect(certified.lower / certified.upper).toBeGreaterThan(0.92);
      expect(worst!.epsilon!).toBeGreaterThan(2 * basic!.epsilon!);
      expect(best!.epsilon!).toBeLessThan(worst!.epsilon! / 2);

      const p = Math.exp(epsilon0);
      const overwritten = (p - 1) / ((p + domain - 1) * queries.length);
      expect(percent(variationRatioEpsilon({ p, beta: overwritten, q: p }, users, delta).upper)).toBe(
        misprinted,
      );
    },
  );

  test('each value carries its verdict', () => {
    const bounds = evaluateParallelBounds({ users, epsilon0: 1, queries: levelQueries(64, 1) }, { delta });
    expect(bounds.map(({ name, sound, direction }) => [name, sound, direction])).toEqual([
      ['parallel-separate-best', false, 'upper'],
      ['parallel-separate-worst', true, 'upper'],
      ['parallel-basic', true, 'upper'],
      ['parallel-advanced', false, 'upper'],
    ]);
    for (const { citation, delta: at } of bounds) expect([citation, at]).toEqual(['wang2024', delta]);
  });

  test('a query without published parameters leaves only basic composition', () => {
    const queries = levelQueries(4, 1).map(({ probability, amplification }, k) => ({
      probability,
      amplification: k === 0 ? { ...amplification, variationRatio: null } : amplification,
    }));
    const values = evaluateParallelBounds({ users, epsilon0: 1, queries }, { epsilon: 0.05 });
    expect(values.map(({ delta: value }) => value === null)).toEqual([false, true, false, true]);
  });
});

test('a cohort has the whole users of its share', () => {
  const queries = levelQueries(4, 1);
  const [best, worst] = evaluateParallelBounds(
    { users: 100 * queries.length + 1, epsilon0: 1, queries },
    { delta: 1e-4 },
  );
  const alone = queries.map(
    ({ amplification }) => variationRatioEpsilon(amplification.variationRatio!, 100, 1e-4).upper,
  );
  expect(best!.epsilon).toBe(Math.min(...alone));
  expect(worst!.epsilon).toBe(Math.max(...alone));
});
