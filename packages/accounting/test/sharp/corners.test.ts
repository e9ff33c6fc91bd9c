/** Corners, of which every case of a pair is an average: one look for all, below no mixed data. */
import { describe, expect, it } from 'vitest';
import type { OtherInput, TypedPair } from '@shuffle-dp/core';
import { inputBound } from '../../src/sharp/input-bound.ts';
import { preparedInputs } from '../../src/sharp/pair-inputs.ts';
import { exhaustiveDivergence } from '../oracle/exhaustive-divergence.ts';

describe('corners', () => {
  // Windows of two of seven outputs, likelier by this factor: five corners, of which every case is an
  // average.
  const [outputs, window, ratio] = [7, 2, 3];
  const low = 1 / (outputs + window * (ratio - 1));
  const matrix = Array.from({ length: outputs - window + 1 }, (_, start) =>
    Array.from({ length: outputs }, (__, y) => (y >= start && y < start + window ? ratio * low : low)),
  );
  const corner = (label: string, starts: readonly number[]): OtherInput => {
    const law = (i: number): Float64Array => Float64Array.from(matrix[starts[i]!]!);
    return { label, victim0: law(0), victim1: law(1), own: law(2), blanket: law(0).map(() => low) };
  };
  const inputs = [
    corner('apart', [0, 2, 4]),
    corner('the first', [0, 2, 0]),
    corner('the second', [0, 2, 2]),
    corner('one value of the victim', [0, 0, 4]),
    corner('one value of all', [0, 0, 0]),
  ];

  it.each([
    { users: 4, epsilon: 0.3, buffer: 1, kappa: 1, theta: 0.4 },
    { users: 4, epsilon: 0.7, buffer: 1, kappa: 0.3, theta: 0.8 },
    { users: 5, epsilon: 0.1, buffer: 0, kappa: 2, theta: 0.3 },
    { users: 5, epsilon: 0.5, buffer: 2, kappa: 0.7, theta: 0.5 },
  ])('$users users: no parameters give less than the worst mixed data, overlaps included', (setting) => {
    const { users, epsilon, ...parameters } = setting;
    const worst = exhaustiveDivergence(matrix, users, epsilon).delta;
    const pair: TypedPair = { label: 'all pairs', inputs, symmetric: true, corners: true };
    const prepared = preparedInputs(pair, users, epsilon, worst)!;
    expect(prepared.flatMap((corner) => corner.prepared.buffers)).toHaveLength(25);
    const bounds = prepared.map((input) => inputBound(input.prepared, users, parameters, worst));
    expect(Math.max(...bounds)).toBeGreaterThanOrEqual(worst * (1 - 1e-12));
  });
});
