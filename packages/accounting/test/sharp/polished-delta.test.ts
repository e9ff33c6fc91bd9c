/** Parameters polished for the worst inputs of a pair together. */
import type { TypedPair } from '@shuffle-dp/core';
import { expect, test } from 'vitest';
import { pairDeltaAt } from '../../src/search/looks/sharp-look.ts';
import { pairDelta } from '../../src/sharp/pair-bound.ts';
import { polishedDelta } from '../../src/sharp/search/polished-delta.ts';
import { inputsOf } from './matrix-inputs.ts';

/** Five values whose messages are about as far off as the values, with others of which several are bad. */
const ROWS = [0, 1, 2, 3, 4].map((value) => {
  const weights = Array.from({ length: 9 }, (_, y) => Math.exp(-0.45 * Math.abs(y - 2 * value)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
});

test.each([
  [1000, 0.3],
  [10_000, 0.1],
])('gain on poor ones, among %d users, and are a bound with them', (users, epsilon) => {
  const pair: TypedPair = { label: 'the ends', inputs: inputsOf(ROWS, 0, 4), symmetric: false };
  const found = pairDelta(pair, users, epsilon, 1e-5).parameters!;
  const poor = { ...found, buffer: found.buffer + 2 * Math.round(0.25 * found.buffer) };
  const start = pairDeltaAt(pair, users, epsilon, 1e-5, poor);
  const polished = polishedDelta(pair, users, epsilon, 1e-5, start);
  expect(polished.value).toBeLessThan(0.98 * start.value);
  expect(pairDeltaAt(pair, users, epsilon, 1e-5, polished.parameters!).value).toBe(polished.value);
  // Where there is nothing to gain it stays.
  const again = polishedDelta(pair, users, epsilon, 1e-5, polished);
  expect(again.value).toBeLessThanOrEqual(polished.value);
});
