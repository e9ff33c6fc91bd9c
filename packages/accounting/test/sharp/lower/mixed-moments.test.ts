/**
 * Lemma 2 and Lemma 2' of docs/sharp-bound.md: users of two gains, of whom some are told by L and some by
 * Chernoff's bound.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomialPmf } from '@shuffle-dp/core';
import { inputBound } from '../../../src/sharp/input-bound.ts';
import { prepareInput, type PreparedInput } from '../../../src/sharp/prepared-input.ts';
import { preparedInputs } from '../../../src/sharp/pair-inputs.ts';
import { scaled } from '../../../src/sharp/search/starting-parameters.ts';
import { uniform } from '../../../../core/test/uniform.ts';

/** `up` with a chance, else `down`. */
interface Gain {
  readonly up: number;
  readonly down: number;
  readonly chance: number;
}

/** Of so many copies their sums, and how likely they are. */
function sumsOf({ up, down, chance }: Gain, copies: number): (readonly [sum: number, mass: number])[] {
  return Array.from({ length: copies + 1 }, (_, i) => [
    i * up + (copies - i) * down,
    binomialPmf(i, copies, chance),
  ]);
}

/** E e^(2 theta min(s, s')) of two sums of half the copies each. */
function smallerMoment(gain: Gain, copies: number, theta: number): number {
  const sums = sumsOf(gain, copies / 2);
  let moment = 0;
  for (const [first, p] of sums)
    for (const [second, q] of sums) moment += p * q * Math.exp(2 * theta * Math.min(first, second));
  return moment;
}

/** (2/e) E e^(theta sum). */
function chernoff({ up, down, chance }: Gain, copies: number, theta: number): number {
  return (2 / Math.E) * (chance * Math.exp(theta * up) + (1 - chance) * Math.exp(theta * down)) ** copies;
}

const gain = fc.record({ up: uniform(0, 3), down: uniform(-3, 0.5), chance: uniform(0.02, 0.98) });

describe('the positive part of a sum of two gains', () => {
  it('is at most the average of L and Chernoff, whoever is told by which', () => {
    fc.assert(
      fc.property(
        gain,
        gain,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 18 }),
        uniform(0.01, 1.5),
        uniform(-6, 6),
        (one, other, half, share, theta, b) => {
          const users = 2 * half;
          const told = Math.min(users, share);
          let positive = 0;
          for (const [first, p] of sumsOf(one, told))
            for (const [second, q] of sumsOf(other, users - told))
              positive += p * q * Math.max(0, b + first + second);
          const average =
            (told * smallerMoment(one, users, theta) + (users - told) * chernoff(other, users, theta)) /
            users;
          expect(positive).toBeLessThanOrEqual(((Math.exp(theta * b) * average) / (2 * theta)) * (1 + 1e-12));
        },
      ),
      {
        numRuns: 3000,
        seed: 3,
      },
    );
  });
});

describe('the users outside a buffer', () => {
  it('are even in number and at least two, whatever is wanted', () => {
    for (let users = 4; users < 40; users++)
      for (let wanted = 0; wanted < 2 * users; wanted += 0.3) {
        const { buffer } = scaled({ buffer: wanted, kappa: 1, theta: 1 }, users, 1, 1, 1);
        const rest = users - 1 - buffer;
        expect(rest % 2).toBe(0);
        expect(Math.min(rest - 2, buffer)).toBeGreaterThanOrEqual(0);
      }
  });

  it('have no bound where they are odd, or none', () => {
    const [victim0, victim1] = [Float64Array.of(0.7, 0.3), Float64Array.of(0.3, 0.7)];
    const input = { label: '', victim0, victim1, own: victim0, blanket: Float64Array.of(0.3, 0.3) };
    const prepared = prepareInput(input, 1.1, 20);
    const at = (buffer: number) => () => inputBound(prepared, 20, { buffer, kappa: 1, theta: 0.1 }, 1e-3);
    expect(at(3)).not.toThrow();
    expect(at(4)).toThrow('15 users outside the buffer');
    expect(at(19)).toThrow(RangeError);
  });
});

it('corners have the largest bound of all buffers, each by the same moments and without a cut', () => {
  const corner = (own: readonly number[]) => ({
    label: own.join(),
    victim0: Float64Array.of(0.6, 0.2, 0.2),
    victim1: Float64Array.of(0.2, 0.2, 0.6),
    own: Float64Array.from(own),
    blanket: Float64Array.of(0.2, 0.2, 0.2),
  });
  const inputs = [corner([0.6, 0.2, 0.2]), corner([0.2, 0.6, 0.2])];
  const pair = { label: 'corners', inputs, symmetric: true, corners: true };
  const prepared = preparedInputs(pair, 8001, 0.05, 1e-4)!.map((input) => input.prepared);
  expect(prepared).toHaveLength(2);
  for (const { gains, buffers, ...corner } of prepared) {
    expect(buffers.map((one) => one.draws)).toEqual(prepared.map(({ draws }) => draws));
    expect(new Set(buffers.map((one) => one.gains))).toEqual(new Set([gains]));
    expect(buffers.some(({ isCut }) => isCut)).toBe(false);
    for (const effort of ['rough', 'sketchy', 'quick', 'fine'] as const) {
      const at = (input: PreparedInput): number =>
        inputBound(input, 8001, { buffer: 100, kappa: 1, theta: 0.04 }, 1e-4, effort);
      expect(at({ gains, buffers, ...corner })).toBe(Math.max(...buffers.map(at)));
    }
  }
});
