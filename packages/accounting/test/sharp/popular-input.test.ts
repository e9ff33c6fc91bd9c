/** Theorem 5 of docs/sharp-bound.md: so many users hold one input at least, whatever the others hold. */
import { expect, it } from 'vitest';
import type { TypedInputs } from '@shuffle-dp/core';
import { blanketDivergence } from '../../src/index.ts';
import { popularInputDelta, popularInputUsers } from '../../src/sharp/popular-input.ts';

/** Two coins for the victim, and others of whom a share of 1/4 sends what the victim cannot. */
const coins = { victim0: Float64Array.of(0.7, 0.3), victim1: Float64Array.of(0.3, 0.7) };
const own = Float64Array.of(0.45, 0.3);
const typed: TypedInputs = {
  pairs: [
    {
      label: 'two coins',
      inputs: [{ label: 'a third', ...coins, own, hidden: 0.25, blanket: own }],
      symmetric: false,
    },
  ],
  domain: 4,
};

it.each([
  [1, 1],
  [2, 2],
  [5, 2],
  [6, 3],
  [9, 3],
  [10, 4],
])('of %d users over four inputs, %d hide the victim', (users, hiding) => {
  expect(popularInputUsers(typed, users)).toBe(hiding);
});

it('says nothing where inputs cannot be counted', () => {
  const endless = { pairs: typed.pairs };
  expect(popularInputUsers(endless, 100)).toBeNull();
  expect(popularInputDelta(endless, 100, 0.1, { epsilon0: 1 })).toBe(1);
});

it('counts the messages that the victim cannot send as an output of its own', () => {
  const listed = {
    label: 'three outputs',
    victim0: Float64Array.of(0.7, 0.3, 0),
    victim1: Float64Array.of(0.3, 0.7, 0),
    others: Float64Array.of(0.45, 0.3, 0.25),
    symmetric: false,
  };
  for (const epsilon of [0.1, 0.3]) {
    const listedDelta = blanketDivergence(listed, 101, epsilon).upper;
    expect(popularInputDelta(typed, 401, epsilon, { epsilon0: 1 }) / listedDelta).toBeCloseTo(1, 3);
  }
});
