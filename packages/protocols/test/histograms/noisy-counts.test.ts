/**
 * Augmented shufflers and negative-binomial counts: laws of every protocol, published numbers, and all small
 * data sets listed.
 */
import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import {
  binomialNoise,
  exchangedCountDivergence,
  geometricDummyDivergence,
  geometricDummyRatios,
  geometricNoise,
  negativeBinomialNoise,
  type NoiseLaw,
} from '@shuffle-dp/accounting';
import {
  createFrequencyProtocol,
  createNumberProtocol,
  FREQUENCY_PROTOCOLS,
  type NoisyCountsSpec,
} from '../../src/index.ts';
import { describeProtocolLaws, pathsAgree } from '../laws/protocol-laws.ts';
import { randomCategories } from '../laws/random-data.ts';

const setting = { users: 1500, domain: 6, delta: 1e-5, epsilon: 0.5 };

const SPECS: readonly NoisyCountsSpec[] = [
  { kind: 'binomial-dummies' },
  { kind: 'binomial-dummies', samplingRate: 0.5 },
  { kind: 'two-sided-geometric-dummies' },
  { kind: 'two-sided-geometric-dummies', samplingRate: 0.4 },
  { kind: 'one-sided-geometric-dummies' },
  { kind: 'negative-binomial-counts' },
  { kind: 'negative-binomial-counts', dispersion: 1 },
];

it('refuses a delta below all that laws of noise are known to, whose search would not end', () => {
  const users = { users: 2, epsilon: 30, delta: 1e-300 };
  const refusal = 'delta = 1e-300: must be at least 1e-289';
  expect(() =>
    createFrequencyProtocol({ kind: 'negative-binomial-counts' }, { ...users, domain: 2 }),
  ).toThrow(refusal);
  expect(() => createNumberProtocol({ kind: 'anonymous-count' }, users)).toThrow(refusal);
  const least = { ...users, domain: 2, delta: 1e-289 };
  const protocol = createFrequencyProtocol({ kind: 'negative-binomial-counts', dispersion: 1 }, least);
  expect(protocol.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThanOrEqual(30);
});

describe.each(SPECS)('%j', (spec) => {
  const protocol = createFrequencyProtocol(spec, setting);
  const data = randomCategories('noisy counts', setting.users, setting.domain);
  describeProtocolLaws({ protocol, data, trials: 200, stages: ['messages'] });

  it('meets the central target exactly, and says whom to trust', () => {
    const card = FREQUENCY_PROTOCOLS.find(({ kind }) => kind === spec.kind)!;
    const [{ epsilon, trust, view }] = protocol.certifiedPrivacy() as [
      ReturnType<typeof protocol.certifiedPrivacy>[number],
    ];
    expect(protocol.name).toBe(card.title);
    expect(trust).toBe(card.trust);
    expect(protocol.parameters['trust']).toBe(card.trust ?? 'shuffler');
    expect(view.includes('must keep from the analyzer')).toBe(card.trust === 'augmented');
    expect(protocol.name.includes('augmented shuffler')).toBe(card.trust === 'augmented');
    expect(epsilon.upper).toBeLessThanOrEqual(0.5);
    // The number of dummies is whole, so that a little is left over.
    expect(epsilon.upper).toBeGreaterThan(0.49);
    expect(epsilon.upper - epsilon.lower).toBeLessThan(1e-8);
  });

  it('has one distribution on both paths', () => {
    const few = { users: 5, domain: 3, delta: 0.2, epsilon: 1 };
    const small = createFrequencyProtocol(spec, few);
    const statistic = (estimate: Float64Array): string =>
      [...estimate].map((value) => Math.round(value * 1000)).join();
    // Fixed seed; false alarm 1e-6.
    expect(pathsAgree(small, randomCategories('five', 5, 3), 4000, statistic)).toBeGreaterThan(1e-6);
  });

  it('needs values for the message path, and a target', () => {
    const { kind, users, domain, histogram } = data;
    const counted = { kind, users, domain, histogram };
    expect(() => protocol.run(counted, RandomStream.fromSeed('x'), 'messages')).toThrow(
      'path = "messages": must be \'aggregated\' for data that are only a histogram',
    );
    const { epsilon: _, ...untargeted } = setting;
    expect(() => createFrequencyProtocol(spec, untargeted)).toThrow('epsilon = "nothing": must be given');
  });
});

it.each([41, 42, 100])('two-sided geometric dummies keep to rates up to 1 at a budget of %d', (epsilon) => {
  const protocol = createFrequencyProtocol({ kind: 'two-sided-geometric-dummies' }, { ...setting, epsilon });
  expect(protocol.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThanOrEqual(epsilon);
  const data = randomCategories('large budgets', setting.users, setting.domain);
  expect(protocol.expectedError(data)).toBeLessThan(1e-6);
});

describe('published numbers of the augmented shuffler', () => {
  /**
   * Dummies and errors of its authors' analysis and of the exact one, n = 10,000 (d = 17, delta = 1e-6; d =
   * 100, delta = 1e-12).
   */
  it.each([
    [1, 17, 1e-6, 513, 148, 27, 25],
    [0.5, 17, 1e-6, 1981, 524, 50, 47],
    [1, 100, 1e-12, 974, 355, 54, 53],
  ])('epsilon %d, %d categories, delta %d', (epsilon, domain, delta, trials, fewer, mode, lower) => {
    const wide = { users: 10_000, domain, delta, epsilon };
    const parameter = (spec: NoisyCountsSpec, name: string): unknown =>
      createFrequencyProtocol({ samplingRate: 1, ...spec } as NoisyCountsSpec, wide).parameters[name];
    expect(parameter({ kind: 'binomial-dummies', accounting: 'original' }, 'trials')).toBe(trials);
    expect(parameter({ kind: 'binomial-dummies' }, 'trials')).toBe(fewer);
    const twoSided = 'two-sided-geometric-dummies';
    expect(parameter({ kind: twoSided, accounting: 'original' }, 'mode')).toBe(mode);
    expect(parameter({ kind: twoSided }, 'mode')).toBe(lower);
  });

  it('errors, where the rate is chosen', () => {
    const wide = { users: 10_000, domain: 17, delta: 1e-6, epsilon: 1 };
    const data = randomCategories('errors', 10_000, 17);
    const error = (spec: NoisyCountsSpec): number => createFrequencyProtocol(spec, wide).expectedError(data)!;
    // 17 M / 4 / 1e8 at M = 148, 17 * 7.8343 / 1e8, and 1.55e-4: the last is nearly all sampling.
    expect(error({ kind: 'binomial-dummies' })).toBeCloseTo(6.29e-6, 8);
    expect(error({ kind: 'two-sided-geometric-dummies' })).toBeCloseTo(1.3318e-6, 9);
    expect(error({ kind: 'one-sided-geometric-dummies' })).toBeCloseTo(1.55e-4, 6);
  });

  it('the original statement is above the certified one, and implied by it', () => {
    for (const kind of ['binomial-dummies', 'two-sided-geometric-dummies'] as const) {
      const protocol = createFrequencyProtocol({ kind, accounting: 'original' }, setting);
      const [stated] = protocol.privacy();
      const [certified] = protocol.certifiedPrivacy();
      expect(stated!.accountant).toBe('original');
      expect(stated!.epsilon.upper).toBeLessThanOrEqual(0.5);
      expect(stated!.epsilon.upper).toBeGreaterThan(0.499);
      expect(certified!.epsilon.upper).toBeLessThan(stated!.epsilon.upper);
    }
  });
});

describe('the divergence of noisy counts', () => {
  const laws: readonly (readonly [string, NoiseLaw])[] = [
    ['Bin(4, 1/2)', binomialNoise(4)],
    ['two-sided geometric', twoSided(1, 0.7, 2)],
    ['one-sided geometric', geometricNoise(0, 0, 1 / (1 + Math.exp(0.5)))],
    ['negative binomial', negativeBinomialNoise(1.5, 0.4)],
  ];

  it.each(laws)('%s: the worst of all data sets of three users and three categories', (_name, law) => {
    for (const [rate, epsilon] of [
      [1, 0.8],
      [0.6, 0.3],
      [0.3935, 1],
    ] as const) {
      const { lower, upper } = exchangedCountDivergence(law, rate, epsilon);
      const listed = worstOfAllData(law, rate, epsilon, 3, 3);
      expect(lower).toBeLessThanOrEqual(listed + 1e-12);
      expect(upper).toBeGreaterThanOrEqual(listed - 1e-12);
      expect(upper - lower).toBeLessThan(1e-10);
    }
  });

  it.each([
    [1, 1, 25, 1],
    [1, 0.6, 20, 1],
    [0.5, 0.3, 10, 0.4],
    [2, 0.8, 1, 2],
    [2, 0.7, 0, 0.7],
  ])(
    'of two-sided geometric dummies in nine terms: %d, rate %d, mode %d, at %d',
    (design, rate, mode, epsilon) => {
      const summed = exchangedCountDivergence(twoSided(design, rate, mode), rate, epsilon);
      const { lower, upper } = geometricDummyDivergence({ design, rate, mode }, epsilon);
      expect(upper).toBeGreaterThanOrEqual(summed.lower);
      expect(lower).toBeLessThanOrEqual(summed.upper);
      expect(upper / lower - 1).toBeLessThan(1e-9);
      // Losses that are epsilon to the last digit leave the sum over all counts open by its rounding.
      expect(summed.upper - lower).toBeLessThan(1e-11);
    },
  );

  it('of two-sided geometric dummies, as worked out by hand', () => {
    // d = 17, epsilon 1 and 0.5, at the authors' modes 27 and 50.
    expect(geometricDummyDivergence({ design: 1, rate: 1, mode: 27 }, 1).upper).toBeCloseTo(3.3577e-7, 11);
    expect(geometricDummyDivergence({ design: 0.5, rate: 1, mode: 50 }, 0.5).upper).toBeCloseTo(
      4.6342e-7,
      11,
    );
  });

  it('S1Geo needs no delta', () => {
    const protocol = createFrequencyProtocol(
      { kind: 'one-sided-geometric-dummies' },
      { ...setting, epsilon: 1, delta: 1e-300 },
    );
    expect(protocol.certifiedPrivacy()[0]!.epsilon.upper).toBe(1);
  });

  it('draws two-sided geometric dummies from their law', () => {
    const protocol = createFrequencyProtocol(
      { kind: 'two-sided-geometric-dummies', samplingRate: 1 },
      { users: 1, domain: 2, delta: 0.05, epsilon: 1 },
    );
    const mode = protocol.parameters['mode'] as number;
    const law = twoSided(1, 1, mode);
    const mean = protocol.parameters['noiseMean'] as number;
    const stream = RandomStream.fromSeed('two-sided');
    const draws = 40_000;
    const seen = new Float64Array(60);
    const nobody = { kind: 'categories', users: 1, domain: 2, histogram: Float64Array.of(0, 1) } as const;
    for (let i = 0; i < draws; i++)
      seen[Math.min(59, Math.round(protocol.run(nobody, stream, 'aggregated')[0]! + mean))]!++;
    const expected = new Float64Array(60);
    law.logMass.forEach((log, i) => (expected[Math.min(59, law.first + i)]! += draws * Math.exp(log)));
    // Fixed seed; false alarm 1e-6.
    expect(chiSquareTest(seen, expected).pValue).toBeGreaterThan(1e-6);
  });
});

function twoSided(epsilon: number, rate: number, mode: number): NoiseLaw {
  const { left, right } = geometricDummyRatios(epsilon, rate);
  return geometricNoise(mode, left, right);
}

/** By the law of all counts of all data sets, cut off where next to nothing is left. */
function worstOfAllData(law: NoiseLaw, rate: number, epsilon: number, users: number, domain: number): number {
  const noise = Array.from(law.logMass, Math.exp).slice(0, 120 - law.first);
  const countLaw = (holders: number): number[] => {
    let masses = [...Array<number>(law.first).fill(0), ...noise];
    for (let i = 0; i < holders; i++)
      masses = [...masses, 0].map((mass, k) => (1 - rate) * mass + rate * (masses[k - 1] ?? 0));
    return masses;
  };
  const laws = Array.from({ length: users + 1 }, (_, holders) => countLaw(holders));
  let worst = 0;
  const others = Array<number>(domain).fill(0);
  const visit = (item: number, left: number): void => {
    if (item < domain - 1) {
      for (let held = 0; held <= left; held++) {
        others[item] = held;
        visit(item + 1, left - held);
      }
      return;
    }
    others[item] = left;
    for (let a = 0; a < domain; a++)
      for (let b = 0; b < domain; b++) if (a !== b) worst = Math.max(worst, excess(others, a, b));
  };
  // Counts of items that the victim does not hold are alike under both hypotheses.
  const excess = (held: readonly number[], a: number, b: number): number => {
    const [a0, a1, b0, b1] = [laws[held[a]!]!, laws[held[a]! + 1]!, laws[held[b]!]!, laws[held[b]! + 1]!];
    let sum = 0;
    for (let u = 0; u < a1.length; u++)
      for (let v = 0; v < b1.length; v++)
        sum += Math.max(0, a1[u]! * (b0[v] ?? 0) - Math.exp(epsilon) * (a0[u] ?? 0) * b1[v]!);
    return sum;
  };
  visit(0, users - 1);
  return worst;
}
