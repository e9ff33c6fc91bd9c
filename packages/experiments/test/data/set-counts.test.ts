// Laws against enumerations of their own, and counts against users drawn one by one. Statistical tests have
// fixed seeds; of each the probability of a false alarm is 1e-5.
import { RandomStream, type HeldSets, type SetValuedData } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import { describe, expect, it } from 'vitest';
import type { Padding } from '../../src/data/data-fields.ts';
import { msnbcLikeSets } from '../../src/data/msnbc/msnbc-like.ts';
import { paddedLaw } from '../../src/data/item-sets/padded-law.ts';
import { paddedSource, syntheticSource } from '../../src/data/item-sets/set-source.ts';
import type { SetLaw } from '../../src/data/item-sets/set-law.ts';
import { successiveLaw } from '../../src/data/item-sets/successive-law.ts';

const FALSE_ALARM = 1e-5;

/** Probability of each set of a law, by its items. */
function byItems({ items, sets, probabilities }: SetLaw): Map<string, number> {
  return new Map(
    Array.from(probabilities, (p, i) => [[...sets.subarray(i * items, (i + 1) * items)].join(), p]),
  );
}

function subsets(rows: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return rows.flatMap((item, i) => subsets(rows.slice(i + 1), size - 1).map((rest) => [item, ...rest]));
}

function pValue(observed: readonly number[], expected: readonly number[]): number {
  return chiSquareTest(observed, expected).pValue;
}

describe('the law of padded sets', () => {
  it.each<Padding>(['fill', 'dummy', 'truncate'])('is that of every raw set, padded by %s', (padding) => {
    const [domain, s] = [5, 3];
    const rows = [0, 1, 2, 3, 4];
    const stream = RandomStream.fromSeed('raw law');
    const raw = Float64Array.from({ length: 32 }, (_, mask) => (mask === 0 ? 0 : stream.next()));
    const expected = new Map<string, number>();
    const add = (set: readonly number[], p: number): void => {
      const key = set.toSorted((a, b) => a - b).join();
      expected.set(key, (expected.get(key) ?? 0) + p);
    };
    for (let mask = 1; mask < 32; mask++) {
      const set = rows.filter((item) => (mask >> item) & 1);
      const missing = s - set.length;
      if (missing > 0 && padding === 'truncate') continue;
      if (missing > 0 && padding === 'dummy') {
        add([...set, ...Array.from({ length: missing }, (_, i) => domain + i)], raw[mask]!);
        continue;
      }
      const ways =
        missing > 0
          ? subsets(
              rows.filter((item) => !set.includes(item)),
              missing,
            ).map((more) => [...set, ...more])
          : subsets(set, s);
      for (const way of ways) add(way, raw[mask]! / ways.length);
    }
    const total = [...expected.values()].reduce((sum, p) => sum + p, 0);
    const law = byItems(paddedLaw(raw, domain, s, padding));
    expect(law.size).toBe(expected.size);
    for (const [set, p] of expected) expect(law.get(set)).toBeCloseTo(p / total, 14);
  });

  it('of the MSNBC-style mixture has the sizes and holders of its classes', () => {
    const { law, profile, domain } = msnbcLikeSets();
    const raw = law!();
    const sizes = new Float64Array(domain + 1);
    const holders = profile!.holders.map((bySize) => new Float64Array(bySize.length));
    raw.forEach((p, mask) => {
      const rows = holders.map((_, item) => item).filter((item) => (mask >>> item) & 1);
      sizes[rows.length]! += p;
      for (const item of rows) holders[item]![rows.length]! += p;
    });
    expect(raw.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    sizes.forEach((p, size) => expect(p).toBeCloseTo(profile!.sizes[size]!, 13));
    holders.forEach((bySize, item) =>
      bySize.forEach((p, size) => expect(p).toBeCloseTo(profile!.holders[item]![size]!, 13)),
    );
  });
});

describe('the law of sets drawn one after another', () => {
  it('is the sum over all orders of their items', () => {
    const weights = Float64Array.of(0.4, 0.3, 0.15, 0.1, 0.05);
    const law = byItems(successiveLaw(weights, 3));
    const orders = (rows: readonly number[]): number[][] =>
      rows.length === 0
        ? [[]]
        : rows.flatMap((item) =>
            orders(rows.filter((other) => other !== item)).map((rest) => [item, ...rest]),
          );
    expect(law.size).toBe(10);
    for (const set of subsets([0, 1, 2, 3, 4], 3)) {
      let p = 0;
      for (const order of orders(set)) {
        let [left, product] = [1, 1];
        for (const item of order) {
          product *= weights[item]! / left;
          left -= weights[item]!;
        }
        p += product;
      }
      expect(law.get(set.join())).toBeCloseTo(p, 14);
    }
  });

  it('keeps the digits of a steep law', () => {
    // Of weights 1, 1e-9, 1e-9 two items: the heavy one and either of the others.
    const law = byItems(successiveLaw(Float64Array.of(1 - 2e-9, 1e-9, 1e-9), 2));
    expect(law.get('0,1')).toBeCloseTo(0.5, 8);
    expect(law.get('1,2')! / 2e-18).toBeCloseTo(1, 6);
  });
});

describe('users that are only counted', () => {
  const SHARES = [0.25, 0.5, 0.25];

  /** How many users hold each set. */
  function tally({ users, items, rows }: HeldSets): Map<string, number> {
    const counts = new Map<string, number>();
    for (let u = 0; u < users; u++) {
      const key = [...rows.subarray(u * items, (u + 1) * items)].join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  it.each<Padding>(['fill', 'dummy', 'truncate'])(
    'have the law of users drawn one by one and padded by %s',
    (padding) => {
      const { law: _, ...oneByOne } = msnbcLikeSets();
      const users = 100_000;
      const drawn = tally(
        paddedSource(oneByOne, 2, padding).draw(users, SHARES, RandomStream.fromSeed(`users ${padding}`)),
      );
      const source = paddedSource(msnbcLikeSets(), 2, padding);
      const law = paddedLaw(msnbcLikeSets().law!(), 17, 2, padding);
      const expected = byItems(law);
      const sets = [...expected.keys()];
      const means = sets.map((set) => expected.get(set)! * users);
      expect(
        pValue(
          sets.map((set) => drawn.get(set) ?? 0),
          means,
        ),
      ).toBeGreaterThan(FALSE_ALARM);
      const byLaw = tally(source.draw(users, SHARES, RandomStream.fromSeed(`law ${padding}`)));
      expect(
        pValue(
          sets.map((set) => byLaw.get(set) ?? 0),
          means,
        ),
      ).toBeGreaterThan(FALSE_ALARM);
      const { counts } = source.drawCounts!(users, SHARES, RandomStream.fromSeed(`counts ${padding}`));
      const { rows, holders } = counts!.sets!;
      const counted = new Map(
        Array.from(holders, (count, i) => [[...rows.subarray(2 * i, 2 * i + 2)].join(), count]),
      );
      expect(
        pValue(
          sets.map((set) => counted.get(set)!),
          means,
        ),
      ).toBeGreaterThan(FALSE_ALARM);
    },
  );

  it('have the joint law of levels and sets, by enumeration', () => {
    // Sets {0,1}, {0,2}, {1,2} of three users, one at the first level and two at the second.
    const source = syntheticSource({ kind: 'zipf', exponent: 1 }, { domain: 3, items: 2 });
    const pair = (a: number, b: number): number => {
      const w = [6 / 11, 3 / 11, 2 / 11];
      return (w[a]! * w[b]!) / (1 - w[a]!) + (w[b]! * w[a]!) / (1 - w[b]!);
    };
    const p = [pair(0, 1), pair(0, 2), pair(1, 2)];
    const absent = [2, 1, 0];
    const outcomes = new Map<string, number>();
    p.forEach((first, a) =>
      p.forEach((second, b) =>
        p.forEach((third, c) => {
          const holders = (sets: readonly number[]): number[] =>
            [0, 1, 2].map((item) => sets.filter((set) => absent[set] !== item).length);
          const key = [holders([a]), holders([b, c])].join('|');
          outcomes.set(key, (outcomes.get(key) ?? 0) + first * second * third);
        }),
      ),
    );
    const draws = 6000;
    const seen = new Map<string, number>();
    const stream = RandomStream.fromSeed('three users');
    const shares = [1 / 3, 2 / 3];
    for (let i = 0; i < draws; i++) {
      const data = source.drawCounts!(3, shares, stream.fork(i));
      const { holdersOfLevel, usersOfLevel, sets } = data.counts!;
      expect([...usersOfLevel]).toEqual([1, 2]);
      expect(sets!.holders.reduce((sum, users) => sum + users, 0)).toBe(3);
      const key = holdersOfLevel.map((holders) => [...holders]).join('|');
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const keys = [...outcomes.keys()];
    expect([...seen.keys()].every((key) => outcomes.has(key))).toBe(true);
    expect(
      pValue(
        keys.map((key) => seen.get(key) ?? 0),
        keys.map((key) => outcomes.get(key)! * draws),
      ),
    ).toBeGreaterThan(FALSE_ALARM);
  });

  it('have the law too where they are few for each set', () => {
    const users = 16_000;
    const { probabilities } = paddedLaw(msnbcLikeSets().law!(), 17, 4, 'fill');
    const source = paddedSource(msnbcLikeSets(), 4, 'fill');
    const { counts } = source.drawCounts!(users, SHARES, RandomStream.fromSeed('few for each set'));
    const { holders } = counts!.sets!;
    expect([...counts!.usersOfLevel]).toEqual([4000, 8000, 4000]);
    expect(holders.reduce((sum, count) => sum + count, 0)).toBe(users);
    // The likeliest come first; what is expected less than ten times counts as one.
    const likely = probabilities.findIndex((p) => p * users < 10);
    const together = (values: Float64Array): number[] => [
      ...values.subarray(0, likely),
      values.subarray(likely).reduce((sum, value) => sum + value, 0),
    ];
    const means = probabilities.map((p) => p * users);
    expect(pValue(together(holders), together(means))).toBeGreaterThan(FALSE_ALARM);
  });

  it('are a billion as soon as a thousand, and agree with themselves', () => {
    const data: SetValuedData = paddedSource(msnbcLikeSets(), 4, 'fill').drawCounts!(
      1e9,
      SHARES,
      RandomStream.fromSeed('billion'),
    );
    const { holdersOfLevel, usersOfLevel, sets } = data.counts!;
    expect([...usersOfLevel]).toEqual([2.5e8, 5e8, 2.5e8]);
    expect(data.rows).toBeUndefined();
    data.histogram.forEach((holders, item) => {
      expect(holdersOfLevel.reduce((sum, level) => sum + level[item]!, 0)).toBe(holders);
      const p = data.population![item]!;
      expect(Math.abs(holders - 1e9 * p) / Math.sqrt(1e9 * p * (1 - p))).toBeLessThan(5.5);
    });
    expect(sets!.holders.reduce((sum, users) => sum + users, 0)).toBe(1e9);
  });

  it('are drawn one by one where there are too many sets to list', () => {
    expect(syntheticSource({ kind: 'uniform' }, { domain: 128, items: 4 }).countsFrom).toBeGreaterThan(6e7);
    expect(syntheticSource({ kind: 'uniform' }, { domain: 17, items: 4 }).drawCounts).toBeDefined();
  });
});
