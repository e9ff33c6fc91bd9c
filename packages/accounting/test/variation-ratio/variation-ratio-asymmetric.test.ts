import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  asymmetricVariationRatioDivergence,
  asymmetricVariationRatioEpsilon,
  variationRatioDivergence,
} from '@shuffle-dp/accounting';

type DivergenceRow = readonly [
  users: number,
  p: number | null,
  beta: number,
  q0: number,
  q1: number,
  epsilon: number,
  forward: string,
  reverse: string,
];
type EpsilonRow = readonly [
  mechanism: string,
  users: number,
  p: number | null,
  beta: number,
  q0: number,
  q1: number,
  delta: number,
  epsilon: string,
];

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

const { rows } = fixture('variation-ratio-asymmetric') as { rows: DivergenceRow[] };
const { lowerBounds } = fixture('variation-ratio-epsilon') as { lowerBounds: EpsilonRow[] };

describe('the divergence with unequal telling cells', () => {
  test('both directions against 30-digit values', () => {
    expect(rows.length).toBe(52);
    const misses: string[] = [];
    for (const [users, p, beta, q0, q1, epsilon, forward, reverse] of rows) {
      const parameters = { p: p ?? Infinity, beta, q0, q1 };
      for (const [direction, text] of [
        ['first against second', forward],
        ['second against first', reverse],
      ] as const) {
        const { lower, upper } = asymmetricVariationRatioDivergence(parameters, users, epsilon, direction);
        const expected = Number(text);
        // The references are of e and e^2, not of the doubles next to them: up to 1e-13 of delta.
        const holds = lower * (1 - 1e-13) <= expected && expected <= upper * (1 + 1e-13);
        // Denormal numbers have no ten digits.
        const narrow = upper - lower < 1e-9 * expected + 1e-310;
        if (!(holds && narrow)) misses.push(`${direction} n=${users} q=${q0},${q1} eps=${epsilon}`);
      }
    }
    expect(misses).toEqual([]);
  });

  test('a rare rest of the others keeps its digits: one user bounds all', () => {
    // Of 1 without the first two cells 1e-3 is left, and what that leaves of 1 has lost three digits.
    const high = 0.9989969909729187;
    const low = 3.828079399324776e-64;
    const parameters = { p: high / low, beta: high, q0: high / low, q1: 1 };
    const { lower, upper } = asymmetricVariationRatioDivergence(
      parameters,
      100,
      43.8,
      'first against second',
    );
    expect(lower).toBeLessThanOrEqual(high);
    expect(upper).toBeGreaterThanOrEqual(high * (1 - 1e-15));
  });

  test('equal cells give the symmetric pair', () => {
    const p = Math.exp(2);
    for (const epsilon of [0, 0.1, 0.7]) {
      const parameters = { p, beta: 0.4, q0: 5, q1: 5 };
      const symmetric = variationRatioDivergence({ p, beta: 0.4, q: 5 }, 200, epsilon);
      for (const direction of ['first against second', 'second against first'] as const) {
        expect(asymmetricVariationRatioDivergence(parameters, 200, epsilon, direction)).toEqual(symmetric);
      }
    }
  });
});

test('lower bounds of epsilon against 20-digit values', () => {
  expect(lowerBounds.length).toBe(81);
  const misses: string[] = [];
  for (const [mechanism, users, p, beta, q0, q1, delta, epsilon] of lowerBounds) {
    const parameters = { p: p ?? Infinity, beta, q0, q1 };
    const { lower, upper } = asymmetricVariationRatioEpsilon(parameters, users, delta);
    const expected = Number(epsilon);
    const holds = lower * (1 - 1e-14) <= expected && upper * (1 + 1e-14) >= expected;
    if (!(holds && upper - lower < 1e-9 * expected)) misses.push(`${mechanism} n=${users} p=${p}`);
  }
  expect(misses).toEqual([]);
});

test('refusals name the ratio', () => {
  const good = { p: 3, beta: 0.3, q0: 2, q1: 2 };
  const at = (change: object): (() => unknown) => {
    const parameters = { ...good, ...change };
    return () => asymmetricVariationRatioDivergence(parameters, 10, 0.1, 'first against second');
  };
  expect(at({ q1: 0.9 })).toThrow('q1 = 0.9: must be at least 1');
  expect(at({ q0: NaN })).toThrow('q0 = NaN');
  expect(at({ p: Infinity, beta: 1, q0: 1.2, q1: 1.2 })).toThrow(
    'q = 1.2: must be at least 2 beta p / (p - 1) = 2',
  );
});
