/** Against all data sets of few users, and all numbers of either law among more. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TypedInputs } from '@shuffle-dp/core';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { sharpestDelta, sharpestEpsilon } from '../../src/index.ts';
import { composedDivergence } from '../../src/two-messages/composed-coins.ts';
import {
  sendsTwoMessages,
  twoMessagesDelta,
  twoMessagesEpsilon,
} from '../../src/two-messages/two-messages.ts';

/** The law of the number of heads, user by user. */
function headsOf(heads: readonly number[]): number[] {
  let law = [1];
  for (const p of heads) {
    const next = [...law.map((mass) => mass * (1 - p)), 0];
    law.forEach((mass, x) => (next[x + 1]! += mass * p));
    law = next;
  }
  return law;
}

function divergence(victim: readonly [number, number], others: readonly number[], epsilon: number): number {
  const [p, q] = victim.map((heads) => headsOf([...others, heads]));
  const grown = Math.exp(epsilon);
  return p!.reduce((sum, mass, x) => sum + Math.max(0, mass - grown * q![x]!), 0);
}

/** Users send heads with a probability between these, the victim with one or the other. */
function typedOf(low: number, high: number, symmetric = false): TypedInputs {
  const victim0 = Float64Array.of(high, 1 - high);
  const victim1 = Float64Array.of(low, 1 - low);
  const blanket = Float64Array.of(low, 1 - high);
  const inputs = [victim0, victim1].map((own, i) => ({ label: `${i}`, victim0, victim1, own, blanket }));
  return { pairs: [{ label: 'both', inputs, symmetric }] };
}

const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const extremes = fc
  .tuple(probability, probability)
  .map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)))
  .filter(([low, high]) => high - low > 0.01);

describe('data of two messages', () => {
  it('are bounded whatever law between the extremes a user has', () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 });
    const epsilons = fc.double({ min: 0, max: 2, noNaN: true });
    fc.assert(
      fc.property(extremes, shares, epsilons, ([low, high], all, epsilon) => {
        const [one, other, ...others] = all.map((share) => low + share * (high - low));
        const bound = twoMessagesDelta(typedOf(low, high), others.length + 1, epsilon).upper;
        expect(divergence([one!, other!], others, epsilon)).toBeLessThanOrEqual(bound * (1 + 1e-12) + 1e-15);
      }),
      { numRuns: 1000, seed: 11 },
    );
  });

  it('have ends that are next to the worst of all numbers of either law', () => {
    fc.assert(
      fc.property(
        extremes,
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ([low, high], others, epsilon) => {
          let worst = 0;
          for (let first = 0; first <= others; first++) {
            const data = Array.from({ length: others }, (_, i) => (i < first ? high : low));
            worst = Math.max(
              worst,
              divergence([high, low], data, epsilon),
              divergence([low, high], data, epsilon),
            );
          }
          const ends = twoMessagesDelta(typedOf(low, high), others + 1, epsilon);
          const bound = ends.upper;
          expect(ends.worst?.value ?? 0).toBeLessThanOrEqual(worst * (1 + 1e-12) + 1e-15);
          expect(ends.worst?.value ?? 0).toBeGreaterThanOrEqual(worst * 0.998 - 1e-13);
          expect(bound).toBeGreaterThanOrEqual(worst * (1 - 1e-12) - 1e-15);
          expect(bound).toBeLessThanOrEqual(worst * 1.00201 + 1e-13);
          if (worst < 1e-9) return;
          const found = twoMessagesEpsilon(typedOf(low, high), others + 1, worst, {
            lower: 0,
            upper: 50,
          }).upper;
          expect(found).toBeGreaterThanOrEqual(epsilon * (1 - 1e-9));
          expect(found).toBeLessThanOrEqual(epsilon * 1.0002 + 1e-9);
        },
      ),
      { numRuns: 300, seed: 12 },
    );
  });

  it('may be worst where both laws are held', () => {
    // Randomized response of budget 1/2 among 100 users.
    const high = Math.exp(0.5) / (1 + Math.exp(0.5));
    const typed = typedOf(1 - high, high, true);
    const others = 99;
    const at = (first: number): number =>
      divergence(
        [high, 1 - high],
        Array.from({ length: others }, (_, i) => (i < first ? high : 1 - high)),
        0.2027,
      );
    const all = Array.from({ length: others + 1 }, (_, first) => at(first));
    const worst = Math.max(...all);
    expect(worst).toBeGreaterThan(1.01 * Math.max(all[0]!, all[others]!));
    const { upper, worst: found } = twoMessagesDelta(typed, 100, 0.2027);
    expect(upper).toBeGreaterThan(worst);
    expect(found!.value).toBeGreaterThan(0.998 * worst);
    expect(found!.label).toBe(
      "all others hold the victim's first input, except 1 that holds the victim's second input",
    );
  });

  it('have the worst event of the divergence', () => {
    const coin = (heads: number) => ({ heads, tails: 1 - heads });
    fc.assert(
      fc.property(
        extremes,
        fc.nat(30),
        fc.nat(30),
        fc.double({ min: 0, max: 1.5, noNaN: true }),
        ([low, high], a, b, epsilon) => {
          const first = { users: a, ...coin(high) };
          const second = { users: b, ...coin(low) };
          const victim = [coin(high), coin(low)] as const;
          const delta = composedDivergence({ victim, first, second }, epsilon);
          const data = Array.from({ length: a + b }, (_, i) => (i < a ? high : low));
          const exact = divergence([high, low], data, epsilon);
          expect(delta.lower).toBeLessThanOrEqual(exact * (1 + 1e-12) + 1e-15);
          expect(delta.upper).toBeGreaterThanOrEqual(exact * (1 - 1e-12) - 1e-15);
          expect(delta.upper - delta.lower).toBeLessThanOrEqual(1e-8 * exact + 1e-11);
        },
      ),
      { numRuns: 1000, seed: 13 },
    );
  });
});

describe('laws far apart', () => {
  // The first step from the largest term is below what is left out: by whole numbers, as given by a reviewer.
  it('have a divergence at epsilon 0, which is nearly 1', () => {
    const tails = 1 / (1 + Math.exp(24));
    const coin = { heads: 1 - tails, tails };
    const other = { heads: tails, tails: 1 - tails };
    const { lower, upper } = composedDivergence(
      { victim: [coin, other], first: { users: 2, ...coin }, second: { users: 2, ...other } },
      0,
    );
    expect(lower).toBeLessThanOrEqual(0.99999999977349);
    expect(lower).toBeGreaterThan(0.999999999772);
    expect(upper).toBeGreaterThanOrEqual(0.99999999977349);
    expect(upper).toBeLessThan(0.999999999775);
  });

  it('are no overflow, and no error', () => {
    const profile = generalizedRandomizedResponse({
      domain: 2,
      epsilon0: 25.407912893516155,
    }).amplification();
    const { lower, upper } = sharpestEpsilon(profile, 47, 0.9999999969968766, {
      epsilon0: 25.407912893516155,
    });
    expect(lower).toBeGreaterThan(5.6);
    expect(upper).toBeLessThan(5.8);
    const victim = [
      { heads: 0.5, tails: 0.5 },
      { heads: 1e-320, tails: 1 },
    ] as const;
    const nobody = { users: 0, heads: 0.5, tails: 0.5 };
    expect(composedDivergence({ victim, first: nobody, second: nobody }, 710).upper).toBeGreaterThanOrEqual(
      0.5 - 1e-11,
    );
  });

  it('are not said to be private where nothing was asked', () => {
    const { typed } = generalizedRandomizedResponse({ domain: 3, epsilon0: 1 }).amplification();
    expect(twoMessagesDelta(typed!, 1000, 0.1).upper).toBe(Infinity);
    const [pair] = generalizedRandomizedResponse({ domain: 2, epsilon0: 1 }).amplification().typed!.pairs;
    const [one, other] = pair!.inputs;
    const turned = {
      ...other!,
      victim0: one!.victim0.toReversed(),
      victim1: one!.victim1.toReversed(),
      own: other!.own.toReversed(),
    };
    expect(sendsTwoMessages({ pairs: [{ ...pair!, inputs: [one!, turned] }] }, 1000)).toBe(false);
  });
});

describe('the bound of two messages', () => {
  const of = (domain: number) => generalizedRandomizedResponse({ domain, epsilon0: 1 }).amplification();

  it('is asked where messages are one of two', () => {
    expect(sendsTwoMessages(of(2).typed!, 1000)).toBe(true);
    expect(sendsTwoMessages(of(3).typed!, 1000)).toBe(false);
    expect(sendsTwoMessages(of(2).typed!, 10_000_000)).toBe(false);
    const [pair] = of(2).typed!.pairs;
    expect(sendsTwoMessages({ pairs: [{ ...pair!, revealed: 0.1 }] }, 1000)).toBe(false);
    expect(sendsTwoMessages({ pairs: [{ ...pair!, uncovered: 0.1 }] }, 1000)).toBe(false);
  });

  it('leaves a ten-thousandth open, both ways, at every budget', () => {
    for (const epsilon0 of [0.5, 2, 4]) {
      const profile = generalizedRandomizedResponse({ domain: 2, epsilon0 }).amplification();
      for (const users of [2000, 20_000, 1_000_000]) {
        const { lower, upper } = sharpestEpsilon(profile, users, 1e-6, { epsilon0 });
        expect(upper / lower - 1, `${epsilon0} among ${users}`).toBeLessThan(users > 200_000 ? 5e-4 : 3e-4);
        const back = sharpestDelta(profile, users, upper, { epsilon0 });
        expect(back.lower).toBeLessThan(1e-6);
        expect(back.upper).toBeGreaterThan(0.98e-6);
      }
    }
  });
});
