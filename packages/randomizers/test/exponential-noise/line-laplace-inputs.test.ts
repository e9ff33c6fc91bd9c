/**
 * The finite mechanisms that stand for Laplace noise: laws of their own, and never less than the noise
 * itself.
 */
import { describe, expect, test } from 'vitest';
import type { OtherInput } from '@shuffle-dp/core';
import { lineLaplacePair } from '../../src/exponential-noise/line-laplace-inputs.ts';
import { total } from '../laws/enumeration.ts';

/** E (p - growth q - level w)_+ over the line, by midpoints. */
function excessOnLine(centres: readonly number[], weights: readonly number[]): number {
  const [step, from, to] = [1e-3, Math.min(...centres) - 30, Math.max(...centres) + 30];
  let sum = 0;
  for (let y = from; y < to; y += step) {
    let value = 0;
    centres.forEach((centre, i) => (value += (weights[i]! * Math.exp(-Math.abs(y + step / 2 - centre))) / 2));
    sum += Math.max(0, value) * step;
  }
  return sum;
}

function excessOfAtoms({ victim0, victim1, own }: OtherInput, [a, b, c]: readonly number[]): number {
  return own.reduce((sum, mass, y) => sum + Math.max(0, a! * victim0[y]! + b! * victim1[y]! + c! * mass), 0);
}

describe('a pair at one distance', () => {
  const [separation, reach] = [1, 1.5];
  const { inputs, revealed } = lineLaplacePair('a pair', separation, reach);

  test('the grid reaches from one end of the others to the other', () => {
    const widest = Math.sqrt(-8 * Math.log1p(-revealed!));
    expect(widest).toBeLessThanOrEqual(0.1 + 1e-12);
    expect(inputs).toHaveLength(21);
    for (const { victim0, victim1, own, blanket } of inputs) {
      for (const law of [victim0, victim1, own]) expect(total(law)).toBeCloseTo(1, 12);
      expect(total(blanket)).toBeCloseTo(Math.exp(-(reach - separation / 2)), 12);
    }
  });

  test('every test of two values and a third input does better on the atoms than on the noise, and little', () => {
    const weights = [
      [1, -1.2, 0],
      [1, -1.2, -0.3],
      [1, -0.4, -0.5],
      [-0.5, 1, -0.7],
      [-1, -0.2, 1.1],
    ];
    [-0.5, -0.2, 0, 0.5, 1, 1.2, 1.5].forEach((centre) => {
      const input = inputs[Math.round((centre + 0.5) / 0.1)]!;
      for (const weight of weights) {
        const noise = excessOnLine([0, separation, centre], weight);
        const atoms = excessOfAtoms(input, weight);
        expect(atoms).toBeGreaterThan(noise - 1e-5);
        expect(atoms).toBeLessThan(noise * 1.02 + 2e-3);
      }
    });
  });

  test('off the grid a law contains the mixture of its neighbours', () => {
    const share = 1 - revealed!;
    const [left, right] = [0.2, 0.3];
    for (const along of [0.1, 0.5, 0.77]) {
      const x = left + along * (right - left);
      for (let y = -2; y < 3; y += 0.01) {
        const mixture = (1 - along) * Math.exp(-Math.abs(y - left)) + along * Math.exp(-Math.abs(y - right));
        expect(Math.exp(-Math.abs(y - x))).toBeGreaterThanOrEqual(share * mixture * (1 - 1e-12));
      }
    }
  });
});

describe.each([
  [6, 6],
  [12, 16],
  [20, 20],
])('a pair %d apart, the others within %d', (separation, reach) => {
  const { inputs, revealed } = lineLaplacePair('a pair', separation, reach);
  const widest = Math.sqrt(-8 * Math.log1p(-revealed!));

  test('atoms of every law sum to one', () => {
    for (const { victim0, victim1, own } of inputs) {
      for (const law of [victim0, victim1, own]) expect(total(law)).toBeCloseTo(1, 12);
    }
  });

  test('tests of two values and a third input do better on the atoms than on the noise', () => {
    const places = inputs.map(({ label }) => Number(/at ([^ ]+) of/u.exec(label)![1]));
    // Twentieths of the way, which labels tell exactly.
    const between = [0, 0.05, 0.25, 0.5, 0.8, 1].map((place) => ({
      input: inputs[places.indexOf(place)]!,
      place: place * separation,
    }));
    for (const { input, place } of between) {
      for (const weight of [
        [1, -1.2, 0],
        [1, -1.02, -0.1],
        [1, -Math.exp(separation / 2), -0.5],
        [-1, 1.01, -2],
        [-Math.exp(0.8 * separation), 1, -1e-3],
      ]) {
        const noise = excessOnLine([0, separation, place], weight);
        expect(excessOfAtoms(input, weight)).toBeGreaterThan(noise * (1 - 1e-5) - 1e-9);
      }
    }
  });

  test('off the grid a law contains the mixture of its neighbours', () => {
    for (const along of [0.1, 0.5, 0.77]) {
      const x = along * widest;
      for (let y = -3; y < widest + 3; y += 0.01) {
        const mixture = (1 - along) * Math.exp(-Math.abs(y)) + along * Math.exp(-Math.abs(y - widest));
        expect(Math.exp(-Math.abs(y - x))).toBeGreaterThanOrEqual((1 - revealed!) * mixture * (1 - 1e-12));
      }
    }
  });
});
