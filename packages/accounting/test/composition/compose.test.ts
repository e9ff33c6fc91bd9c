import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relativeWidth } from '@shuffle-dp/core';
import {
  basicCompositionEpsilon,
  composedDelta,
  composedEpsilon,
  variationRatioDivergence,
  variationRatioEpsilon,
  type PairRounds,
} from '../../src/index.ts';
import reference from '../fixtures/composition.json' with { type: 'json' };

const pairs = reference.pairs.map(({ pair }) => ({
  ...pair,
  p: pair.p === 'inf' ? Infinity : Number(pair.p),
}));

type Case = (typeof reference.cases)[number];

function roundsOf({ rounds }: Case): PairRounds[] {
  return rounds.map(([index, users, count]) => ({ pair: pairs[index!]!, users: users!, count: count! }));
}

function title({ setting, rounds }: Case): string {
  return `${setting}, n and counts ${rounds.map(([, users, count]) => `${users} x ${count}`).join(', ')}`;
}

describe('brackets of an independent program', () => {
  it.each(reference.cases.map((entry) => [title(entry), entry] as const))('%s', (_, entry) => {
    const rounds = roundsOf(entry);
    for (const [epsilon, lower, upper] of entry.delta) {
      const ours = composedDelta(rounds, epsilon!, { relativeWidth: 3e-3 });
      expect(ours.lower).toBeLessThanOrEqual(upper!);
      expect(ours.upper).toBeGreaterThanOrEqual(lower!);
      expect(relativeWidth(ours)).toBeLessThan(1e-2);
    }
    for (const [delta, lower, upper] of entry.epsilon) {
      const ours = composedEpsilon(rounds, delta!, { relativeWidth: 1e-3 });
      expect(ours.lower).toBeLessThanOrEqual(upper!);
      expect(ours.upper).toBeGreaterThanOrEqual(lower!);
      expect(relativeWidth(ours)).toBeLessThan(1e-3);
    }
  });
});

const vectorPair = { p: Math.exp(2), beta: Math.tanh(0.5), q: Math.exp(2) };
const strongerClone = { p: Math.exp(2), beta: Math.tanh(1), q: Math.exp(2) };

describe('many rounds', () => {
  it.each([
    { name: 'vector pair', pair: vectorPair, users: 1e5, count: 16, delta: 1e-7, epsilon: 0.128739 },
    { name: 'vector pair', pair: vectorPair, users: 1e5, count: 256, delta: 1e-7, epsilon: 0.556234 },
    { name: 'stronger clone', pair: strongerClone, users: 1e5, count: 16, delta: 1e-7, epsilon: 0.167567 },
    { name: 'stronger clone', pair: strongerClone, users: 1e5, count: 256, delta: 1e-7, epsilon: 0.724703 },
  ])('$name, $count rounds', ({ pair, users, count, delta, epsilon }) => {
    const ours = composedEpsilon([{ pair, users, count }], delta);
    expect(relativeWidth(ours)).toBeLessThan(1e-4);
    expect(ours.lower).toBeLessThan(epsilon + 1e-6);
    expect(ours.upper).toBeGreaterThan(epsilon - 1e-6);
  });

  it('bounds ten thousand rounds', () => {
    const ours = composedEpsilon([{ pair: vectorPair, users: 1e5, count: 1e4 }], 1e-7);
    expect(relativeWidth(ours)).toBeLessThan(1e-4);
    expect(ours.upper).toBeCloseTo(3.988, 3);
  });

  it('keeps its digits at a delta of 1e-100', () => {
    const rounds = [{ pair: strongerClone, users: 1e4, count: 64 }];
    const { lower, upper } = composedEpsilon(rounds, 1e-100);
    expect(upper / lower).toBeLessThan(1.0002);
    const delta = composedDelta(rounds, upper, { relativeWidth: 1e-2 });
    expect(delta.lower).toBeLessThan(1e-100);
    expect(delta.upper).toBeGreaterThan(0.9e-100);
  });

  it('adds up the largest losses at delta = 0', () => {
    const { lower, upper } = composedEpsilon([{ pair: vectorPair, users: 100, count: 5 }], 0);
    expect(lower).toBeCloseTo(10, 12);
    expect(upper).toBeCloseTo(10, 12);
    expect(composedEpsilon([{ pair: { p: Infinity, beta: 1, q: 2 }, users: 9, count: 2 }], 0).upper).toBe(
      Infinity,
    );
  });

  it('finds no epsilon where infinite losses alone exceed delta', () => {
    // Nine users: the outcome that gives the victim away has probability (1 - 1/q)^8 = 2^-8.
    const rounds = [{ pair: { p: Infinity, beta: 1, q: 2 }, users: 9, count: 4 }];
    const floor = 1 - (1 - 2 ** -8) ** 4;
    expect(composedEpsilon(rounds, 0.99 * floor).upper).toBe(Infinity);
    expect(composedEpsilon(rounds, 1.01 * floor).upper).toBeLessThan(100);
    const { lower, upper } = composedDelta(rounds, 100);
    expect(lower).toBeCloseTo(floor, 10);
    expect(upper).toBeCloseTo(floor, 10);
  });

  it('is 0 where there is nothing to see', () => {
    const blind = { pair: { p: 3, beta: 0, q: 3 }, users: 10, count: 7 };
    expect(composedEpsilon([blind], 1e-6)).toEqual({ lower: 0, upper: 0 });
    expect(composedDelta([blind], 0)).toEqual({ lower: 0, upper: 0 });
    expect(composedDelta([{ ...blind, pair: vectorPair }], 14.01)).toEqual({ lower: 0, upper: 0 });
  });
});

describe('one round', () => {
  it("is the one-round accountant's own bracket", () => {
    const round = { pair: vectorPair, users: 1000, count: 1 };
    expect(composedDelta([round], 0.3)).toEqual(variationRatioDivergence(vectorPair, 1000, 0.3));
    expect(composedEpsilon([round], 1e-6)).toEqual(variationRatioEpsilon(vectorPair, 1000, 1e-6));
  });

  it('beside rounds that show nothing, through the lattice, meets it', () => {
    const blind = { pair: { p: 3, beta: 0, q: 3 }, users: 10, count: 3 };
    const bracket = composedEpsilon([{ pair: vectorPair, users: 1000, count: 1 }, blind], 1e-6);
    const exact = variationRatioEpsilon(vectorPair, 1000, 1e-6);
    expect(relativeWidth(bracket)).toBeLessThan(1e-4);
    expect(bracket.lower).toBeLessThanOrEqual(exact.upper);
    expect(bracket.upper).toBeGreaterThanOrEqual(exact.lower);
  });
});

describe('laws', () => {
  const round = fc.record({
    pair: fc
      .record({
        logP: fc.double({ min: 0.3, max: 3, noNaN: true }),
        part: fc.double({ min: 0.2, max: 1, noNaN: true }),
      })
      .map(({ logP, part }) => ({
        p: Math.exp(logP),
        beta: part * Math.tanh(logP / 2),
        q: Math.exp(logP),
      })),
    users: fc.integer({ min: 200, max: 5000 }),
    count: fc.integer({ min: 1, max: 40 }),
  });
  const delta = fc.integer({ min: 3, max: 9 }).map((digits) => 10 ** -digits);
  const settings = { seed: 20261, numRuns: 8 };

  it('rounds may be told in parts and in any order', () => {
    fc.assert(
      fc.property(round, round, fc.integer({ min: 1, max: 30 }), delta, (first, second, more, target) => {
        const options = { relativeWidth: 1e-3 };
        const whole = composedEpsilon([{ ...first, count: first.count + more }, second], target, options);
        const parts = composedEpsilon([second, { ...first, count: more }, first], target, options);
        // The same lattice but for the rounding of its step.
        expect(parts.upper / whole.upper).toBeCloseTo(1, 7);
        expect(parts.lower / whole.lower).toBeCloseTo(1, 7);
      }),
      settings,
    );
  });

  it('more rounds show more, and never more than basic composition says', () => {
    fc.assert(
      fc.property(round, delta, (some, target) => {
        const more = composedEpsilon([{ ...some, count: some.count + 3 }], target);
        const fewer = composedEpsilon([some], target);
        expect(fewer.lower).toBeLessThanOrEqual(more.upper);
        expect(more.upper).toBeGreaterThan(fewer.lower);
        expect(fewer.upper).toBeLessThanOrEqual(basicCompositionEpsilon([some], target));
      }),
      settings,
    );
  });

  it('the curve of the accountant gives what the outcomes give', () => {
    fc.assert(
      fc.property(round, delta, ({ pair, users, count }, target) => {
        const profile = (epsilon: number) => variationRatioDivergence(pair, users, epsilon);
        const options = { relativeWidth: 1e-2 };
        const curve = composedEpsilon([{ profile, count }], target, options);
        const outcomes = composedEpsilon([{ pair, users, count }], target, options);
        expect(curve.lower).toBeLessThanOrEqual(outcomes.upper);
        expect(outcomes.lower).toBeLessThanOrEqual(curve.upper);
        expect(relativeWidth(curve)).toBeLessThan(1e-2);
      }),
      settings,
    );
  });
});

it('refuses what makes no sense', () => {
  const round = { pair: vectorPair, users: 100, count: 2 };
  expect(() => composedEpsilon([], 1e-6)).toThrow('rounds');
  expect(() => composedEpsilon([{ ...round, count: 0 }], 1e-6)).toThrow('count = 0');
  expect(() => composedEpsilon([round], 2)).toThrow('delta = 2');
  expect(() => composedDelta([round], -1)).toThrow('epsilon = -1');
  expect(() => composedDelta([round], 1, { relativeWidth: 0 })).toThrow('relativeWidth = 0');
  expect(() => composedDelta([{ ...round, users: 0.5 }], 1)).toThrow('users = 0.5');
});
