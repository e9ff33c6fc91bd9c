import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { binomialPmf } from '@shuffle-dp/core';
import { hiddenNumberDivergence } from '../../src/sets/hidden-number.ts';
import { hiddenRates } from '../../src/sets/hidden-rates.ts';
import { revealedNumberDivergence } from '../../src/sets/revealed-number.ts';
import { slotSetDivergenceLower, slotSetDivergenceUpper } from '../../src/sets/slot-set-divergence.ts';
import type { SlotSetPair } from '../../src/sets/slot-set-pair.ts';
import {
  add,
  blanketLaw,
  bothOrders,
  hockeyStick,
  pairOf,
  range,
  withSet,
  type Law,
} from './slot-set-laws.ts';

/** All sets of so many of the items. */
function setsOf(domain: number, size: number): number[][] {
  if (size === 0) return [[]];
  return range(0, domain).flatMap((first) =>
    setsOf(domain - first - 1, size - 1).map((rest) => [first, ...rest.map((item) => item + first + 1)]),
  );
}

/** All data of so many users, whose order does not matter. */
function dataOf(sets: readonly number[][], users: number, from = 0): number[][][] {
  if (users === 0) return [[]];
  return range(from, sets.length - from).flatMap((i) =>
    dataOf(sets, users - 1, i).map((rest) => [sets[i]!, ...rest]),
  );
}

interface Told {
  readonly rate: number;
  readonly weight: number;
}

/** The rate that is told of one item, by its definition: of open blocks and of those with nothing left. */
function toldRates(rate: number, blocks: number, open: number, empty: number): Told[] {
  return range(0, blocks + 1).flatMap((number) =>
    range(0, number + 2).flatMap((shown) => {
      const weight = binomialPmf(number, blocks, open);
      const sent = weight * rate * (shown <= number ? binomialPmf(shown, number, empty) : 0);
      const unsent = weight * (1 - rate) * (shown > 0 ? binomialPmf(shown - 1, number, empty) : 0);
      return sent + unsent > 0 ? [{ rate: sent / (sent + unsent), weight: sent + unsent }] : [];
    }),
  );
}

/** Of a message that is the item with the given probability and else uniform. */
function orUniform(law: Law, item: number, rate: number, domain: number): Law {
  return add(law, [[item, rate], ...range(0, domain).map((j) => [j, (1 - rate) / domain] as const)]);
}

/** The right side of the theorem, every slot that may be marked left out. */
function byTheorem(
  { slots, domain, rate, itemsChanged: t, others }: SlotSetPair,
  marked: number,
  epsilon: number,
) {
  const blocks = Math.floor(others!.users / t);
  const empty = ((1 - others!.rate) * marked * others!.items) / domain;
  const open = empty + others!.rate * (1 - marked);
  const told = toldRates(rate, blocks, open, empty / open);
  // Each item is a message of its own, sent or not.
  const blankets = blanketLaw(slots - blocks * t - t, domain, 1);
  const average = (i: number, p: Law, q: Law): number =>
    i === t
      ? hockeyStick(p, q, epsilon)
      : told.reduce(
          (sum, { rate: sent, weight }) =>
            sum + weight * average(i + 1, orUniform(p, i, sent, domain), orUniform(q, t + i, sent, domain)),
          0,
        );
  return average(0, blankets, blankets);
}

const withOthers = (pair: SlotSetPair, users: number, items: number, rate: number): SlotSetPair => ({
  ...pair,
  others: { users, items, rate },
});

describe('the number of sent items, hidden by coins of the others', () => {
  const CASES = [
    { pair: withOthers(pairOf(4, 3, 1, 0.5, 1), 2, 1, 0.4), items: 1 },
    { pair: withOthers(pairOf(4, 2, 1, 0.3, 1), 3, 1, 0.7), items: 1 },
    { pair: withOthers(pairOf(5, 4, 1, 0.6, 1), 2, 3, 0.5), items: 3 },
    { pair: withOthers(pairOf(6, 4, 1, 0.4, 2), 2, 2, 0.5), items: 2 },
    { pair: withOthers(pairOf(5, 5, 1, 0.7, 2), 2, 2, 0.3), items: 2 },
  ];

  it.each(CASES)('no data exceed the theorem: $pair', ({ pair, items }) => {
    const { slots, domain, rate, itemsChanged: t, others } = pair;
    const sets = setsOf(domain, items);
    const blankets = blanketLaw(slots, domain, 1);
    let closest = 0;
    for (const data of dataOf(sets, others!.users)) {
      const held = data.reduce((law, set) => withSet(law, set, others!.rate), blankets);
      const old = withSet(held, range(0, items), rate);
      for (const changed of range(1, t).map((count) => [...range(count, items)])) {
        const fresh = withSet(held, changed, rate);
        for (const epsilon of [0, 0.3, 0.8]) {
          const exact = bothOrders(old, fresh, epsilon);
          for (const marked of [0.2, 0.6]) {
            const bound = byTheorem(pair, marked, epsilon);
            expect(exact).toBeLessThanOrEqual(bound * (1 + 1e-12));
            closest = Math.max(closest, exact / bound);
          }
        }
      }
    }
    expect(closest).toBeGreaterThan(0.35);
  });

  it.each(CASES)('nor the bound: $pair', ({ pair }) => {
    const bound = hiddenNumberDivergence(pair)!;
    for (const epsilon of [0.9, 1.5, 2.5]) {
      const told = byTheorem(pair, 0.7, epsilon);
      expect(bound(epsilon)).toBeGreaterThanOrEqual(told * (1 - 1e-12));
    }
  });

  it.each([
    [0.4, { blocks: 6, open: 0.5, empty: 0.3 }],
    [0.8, { blocks: 40, open: 0.3, empty: 0.2 }],
    [0.1, { blocks: 200, open: 0.25, empty: 0.15 }],
  ])('rates on a grid tell no less: %j %j', (rate, group) => {
    const told = toldRates(rate, group.blocks, group.open, group.empty);
    const grid = hiddenRates(rate, group, 1e-12);
    const mean = (law: readonly Told[], value: (rate: number) => number): number =>
      law.reduce((sum, one) => sum + one.weight * value(one.rate), 0);
    expect(mean(grid, () => 1)).toBeCloseTo(1, 11);
    expect(mean(grid, (sent) => sent)).toBeCloseTo(rate, 11);
    const variance = (law: readonly Told[]): number => mean(law, (sent) => (sent - rate) ** 2);
    expect(variance(grid)).toBeGreaterThanOrEqual(variance(told) - 1e-12);
    expect(variance(grid)).toBeLessThan(1.6 * variance(told));
    for (const from of [0.05, 0.2, 0.45, 0.7, 0.9]) {
      const above = (sent: number): number => Math.max(0, sent - from);
      expect(mean(grid, above)).toBeGreaterThanOrEqual(mean(told, above) - 1e-12);
    }
  });

  it('is at most what no coin hides among thousands, and far less where they do', () => {
    // Level 0.5 of the published setting with one blanket: 1,249 others of the level.
    const pair = withOthers(pairOf(5000, 17, 1, 0.384, 4), 1249, 4, 0.384);
    const delta = 2e-6;
    expect(revealedNumberDivergence(pair, { delta })(0.4)).toBeGreaterThan(delta);
    expect(slotSetDivergenceUpper(pair, { delta })(0.274)).toBeLessThan(delta);
    // Another set's users would have to keep something back.
    const sure = { ...pair, others: { users: 3750, items: 4, rate: 1 } };
    expect(hiddenNumberDivergence(sure, { delta })).toBeNull();
    expect(slotSetDivergenceUpper(sure, { delta })(0.4)).toBeGreaterThan(delta);
    // A few empty slots are told, and the others' coins hide as before.
    const nearlyFull = { ...pair, slotProbability: 0.9995 };
    const among = (one: SlotSetPair): number => slotSetDivergenceUpper(one, { delta })(0.276);
    expect(among(nearlyFull)).toBeLessThan(delta);
    expect(among(nearlyFull)).toBeGreaterThan(among(pair) * 1.01);
  });

  it('never falls below what a data set shows', () => {
    fc.assert(
      fc.property(
        fc.record({
          domain: fc.integer({ min: 2, max: 40 }),
          users: fc.integer({ min: 40, max: 4000 }),
          slotsPerUser: fc.integer({ min: 1, max: 4 }),
          rate: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
          otherRate: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
          epsilon: fc.double({ min: 0.05, max: 1, noNaN: true }),
          size: fc.integer({ min: 1, max: 5 }),
        }),
        ({ domain, users, slotsPerUser, rate, otherRate, epsilon, size }) => {
          const items = Math.min(size, Math.floor(domain / 2));
          const pair = withOthers(
            pairOf(users * slotsPerUser, domain, 1, rate, items),
            users - 1,
            items,
            otherRate,
          );
          const upper = hiddenNumberDivergence(pair, { delta: 1e-6 })?.(epsilon) ?? 1;
          const lower = slotSetDivergenceLower(pair, { delta: 1e-6 })(epsilon);
          expect(lower).toBeLessThanOrEqual(upper);
        },
      ),
      { numRuns: 8, seed: 20261129 },
    );
  });

  it('refuses others that cannot be', () => {
    const among = (users: number, items: number, rate: number) => () =>
      slotSetDivergenceUpper(withOthers(pairOf(50, 6, 1, 0.5, 2), users, items, rate));
    expect(among(-1, 2, 0.5)).toThrow('others.users = -1');
    expect(among(10, 7, 0.5)).toThrow('others.items = 7');
    expect(among(10, 2, 1.5)).toThrow('others.rate = 1.5');
  });
});
