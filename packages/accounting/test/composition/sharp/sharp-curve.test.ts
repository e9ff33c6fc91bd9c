import * as fc from 'fast-check';
import { binomialPmf, gaussianDivergence, interval, type AmplificationProfile } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { Allowance } from '../../../src/allowance.ts';
import { blanketDivergence } from '../../../src/blanket/privacy-blanket.ts';
import { chordsThrough } from '../../../src/composition/sharp/chords.ts';
import { sharpCurve } from '../../../src/composition/sharp/sharp-curve.ts';
import {
  certifiedComposedDelta,
  certifiedComposedEpsilon,
  roughUpperEnd,
} from '../../../src/composition/compose-mechanisms.ts';
import { inputsOf } from '../../sharp/matrix-inputs.ts';
import { uniform } from '../../../../core/test/uniform.ts';

describe('chords', () => {
  it('are above the convex curve that their points are on, from zero to the last point', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 2, noNaN: true }),
        fc.uniqueArray(fc.double({ min: 0.01, max: 6, noNaN: true }), { minLength: 1, maxLength: 12 }),
        uniform(0, 1),
        (mu, places, share) => {
          const knots = places.toSorted((a, b) => a - b).map((place) => place * mu);
          const uppers = knots.map((epsilon) => gaussianDivergence(mu, epsilon));
          const chords = chordsThrough(knots, uppers);
          const epsilon = share * knots.at(-1)!;
          // Near zero the curve is told by its mirror image; both round.
          expect(chords(epsilon)).toBeGreaterThanOrEqual(gaussianDivergence(mu, epsilon) * (1 - 1e-9));
          expect(chords(knots.at(-1)! * 1.001)).toBeNull();
        },
      ),
    );
  });

  it('lead through zero as closely as elsewhere', () => {
    const knots = [0.0625, 0.1875, 0.3125].map((place) => place * 0.01);
    const chords = chordsThrough(
      knots,
      knots.map((epsilon) => gaussianDivergence(0.01, epsilon)),
    );
    for (const place of [0, 0.03, 0.125, 0.25]) {
      const exact = gaussianDivergence(0.01, place * 0.01);
      expect(chords(place * 0.01)! / exact).toBeGreaterThan(1);
      expect(chords(place * 0.01)! / exact).toBeLessThan(1.003);
    }
  });
});

const TRUTH = 0.75;

const TWO_MESSAGES = [
  [TRUTH, 1 - TRUTH],
  [1 - TRUTH, TRUTH],
];

/** Randomized response on two values with its types, and without them. */
function response(
  rows: readonly number[][] = TWO_MESSAGES,
): Record<'typed' | 'untyped', AmplificationProfile> {
  const inputs = inputsOf(rows, 0, 1);
  const [victim0, victim1] = rows.map((row) => Float64Array.from(row));
  const against = (label: string, others: readonly number[], symmetric: boolean) => ({
    label,
    victim0: victim0!,
    victim1: victim1!,
    others: Float64Array.from(others),
    symmetric,
  });
  const untyped = {
    variationRatio: null,
    blanket: [
      against(
        'any',
        rows[0]!.map((mass, y) => Math.min(mass, rows[1]![y]!)),
        true,
      ),
    ],
    homogeneous: [against('all others hold the first value', rows[0]!, false)],
  };
  return {
    untyped,
    typed: { ...untyped, typed: { pairs: [{ label: 'both values', inputs, symmetric: true }] } },
  };
}

/** The exact divergence of two rounds, the others with these numbers of ones in them. */
function twoRounds(users: number, ones: readonly [number, number], epsilon: number): number {
  const countLaws = (held: number): readonly [Float64Array, Float64Array] => {
    const others = new Float64Array(users);
    for (let i = 0; i <= users - 1 - held; i++) {
      const fromZeros = binomialPmf(i, users - 1 - held, 1 - TRUTH);
      for (let j = 0; j <= held; j++) others[i + j]! += fromZeros * binomialPmf(j, held, TRUTH);
    }
    const withVictim = (one: number): Float64Array =>
      Float64Array.from(
        { length: users + 1 },
        (_, k) => (others[k] ?? 0) * (1 - one) + (k > 0 ? others[k - 1]! * one : 0),
      );
    return [withVictim(1 - TRUTH), withVictim(TRUTH)];
  };
  const [first, second] = ones.map(countLaws);
  const growth = Math.exp(epsilon);
  let [forward, backward] = [0, 0];
  for (let j = 0; j <= users; j++) {
    for (let k = 0; k <= users; k++) {
      const p = first![0][j]! * second![0][k]!;
      const q = first![1][j]! * second![1][k]!;
      forward += Math.max(0, p - growth * q);
      backward += Math.max(0, q - growth * p);
    }
  }
  return Math.max(forward, backward);
}

describe('rounds of randomized response by the sharp bound', () => {
  const { typed, untyped } = response();
  const epsilon0 = Math.log(3);

  it.each([0.1, 0.5])('are below no mixture of the others, nor far above: epsilon %d', (epsilon) => {
    const users = 120;
    const round = { amplification: typed, users, count: 2, epsilon0 };
    const { upper } = certifiedComposedDelta([round], epsilon, { relativeWidth: 0.1 });
    const worst = Math.max(
      ...[0, 20, 60, 119].flatMap((ones) => [0, 119].map((then) => twoRounds(users, [ones, then], epsilon))),
    );
    expect(upper).toBeGreaterThan(worst);
    expect(upper).toBeLessThan(2.2 * worst);
  });

  it('leave two percent of epsilon open where blankets leave a quarter', () => {
    const round = { users: 10_000, count: 16, epsilon0 };
    const sharp = certifiedComposedEpsilon([{ ...round, amplification: typed }], 1e-6);
    const blanket = certifiedComposedEpsilon([{ ...round, amplification: untyped }], 1e-6);
    const option = { blanketsOnly: true };
    const fast = certifiedComposedEpsilon([{ ...round, amplification: typed }], 1e-6, option);
    expect(fast).toEqual(blanket);
    expect(blanket.upper).toBeGreaterThan(1.2 * blanket.lower);
    expect(sharp.upper).toBeLessThan(1.025 * sharp.lower);
    expect(Math.abs(sharp.lower / blanket.lower - 1)).toBeLessThan(1e-3);
  });

  it('are not looked for millions of deviations out, where even the knots on the way fill the memory', () => {
    const round = { amplification: typed, users: 10_000, count: 16, epsilon0 };
    const told: string[] = [];
    const region = { deviation: 1e-10, mean: 0.1 };
    const onCoarse = (points: string) => void told.push(points);
    expect(sharpCurve(round, () => interval(0, 1), region, { onCoarse })).toBeNull();
    expect(told).toEqual(['none']);
  });

  it('are looked at in fewer points where little may be taken, and in none where next to nothing', () => {
    // Of two messages no parameters are looked for.
    const three = response([
      [0.7, 0.2, 0.1],
      [0.2, 0.7, 0.1],
    ]);
    const round = { amplification: three.typed, users: 10_000, count: 16, epsilon0: Math.log(3.5) };
    const [atom] = three.untyped.blanket;
    const blanket = (epsilon: number) => blanketDivergence(atom!, round.users, epsilon);
    const region = { deviation: 0.012, mean: 0.012 };
    const curveOf = (most: number) => {
      const allowance = new Allowance(most);
      const told: string[] = [];
      const chords = sharpCurve(round, blanket, region, {
        allowance,
        onCoarse: (points) => told.push(points),
      });
      return { chords, told, taken: allowance.sines };
    };
    const ample = curveOf(Infinity);
    expect(ample.told).toEqual([]);
    const scant = curveOf(ample.taken / 3);
    expect(scant.told).toEqual(['few']);
    expect(scant.taken).toBeLessThan(ample.taken / 1.5);
    // Coarser, and still above the curve: never below by more than what points of their own parameters gain.
    for (const place of [0.1, 0.5, 1, 1.5, 2, 2.5]) {
      const epsilon = place * region.deviation;
      expect(scant.chords!(epsilon)!).toBeGreaterThan(ample.chords!(epsilon)! * 0.995);
      expect(scant.chords!(epsilon)!).toBeLessThan(ample.chords!(epsilon)! * 1.35);
    }
    const none = curveOf(ample.taken / 100);
    expect(none.chords).toBeNull();
    expect(none.told).toEqual(['none']);
  });

  it('have upper ends that take less by their blankets', () => {
    const round = { amplification: typed, count: 16, epsilon0, users: 10_000 };
    const { upper } = certifiedComposedEpsilon([round], 1e-6, { blanketsOnly: true });
    expect(Math.abs(roughUpperEnd([round], { delta: 1e-6 }) / upper - 1)).toBeLessThan(1e-2);
  });
});
