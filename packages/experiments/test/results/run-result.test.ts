import { interval, type PrivacyStatement } from '@shuffle-dp/core';
import { expect, it } from 'vitest';
import { worstEpsilon } from '../../src/results/run-result.ts';

const statement = (group: string, lower: number, upper: number): PrivacyStatement => ({
  epsilon: interval(lower, upper),
  delta: 1e-6,
  accountant: 'test',
  theorem: 'none',
  status: 'certified',
  sound: true,
  adjacency: 'replace-one',
  unit: 'one user',
  view: 'all messages',
  group,
});

const groups = [statement('a', 0.2, 0.9), statement('b', 0.3, 1.4), statement('c', 0.8, 1.1)];

/** All orders of three groups. */
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

it.each(orders)(
  'the whole is protected as its worst group is, whichever stands first: %i %i %i',
  (...order) => {
    const { lower, upper, statement: worst } = worstEpsilon(order.map((i) => groups[i]!));
    // What is proved against one group is proved against the whole: the ends come from different groups.
    expect([lower, upper, worst.group]).toEqual([0.8, 1.4, 'b']);
  },
);

it('of one group is its own', () => {
  expect(worstEpsilon([groups[0]!])).toEqual({ lower: 0.2, upper: 0.9, statement: groups[0] });
});
