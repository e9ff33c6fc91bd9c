// @module-tag long
/** The laws at every budget from 1e-9 to 300, every delta from 0 to 1, up to 5 users listed and 1e12 not. */
import { afterAll, describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { MECHANISM_ORACLES } from './oracle/index.ts';
import { coherenceViolations } from './coherence.ts';
import type { Target } from './oracle/shuffled-divergence.ts';
import {
  arithmeticFor,
  claimViolations,
  enumerationViolations,
  shown,
  type Ratios,
  type Violation,
} from './violations.ts';

const BUDGETS = [1e-9, 1e-6, 1e-3, 0.1, 1, 3, 10, 40, 100, 300];
const DELTAS = [0, 1e-300, 1e-100, 1e-6, 0.1, 0.999, 1];
/** Accounts of these take a hundred times as long. */
const CONTINUOUS = new Set(['laplace', 'clip-laplace', 'gaussian', 'metric-laplace', 'planar-laplace']);
const MOST_OUTCOMES = 60_000;

const targetsAt = (budget: number): Target[] => [
  ...[0, 0.2, 0.6, 0.9, 0.999].map((share) => ({ epsilon: share * budget })),
  ...DELTAS.map((delta) => ({ delta })),
];

describe.each(Object.entries(MECHANISM_ORACLES))('%s', (mechanism, oracle) => {
  const continuous = CONTINUOUS.has(mechanism);
  const ratios: Ratios = { cases: 0, upper: Infinity, lower: 0 };

  it.each(BUDGETS)('agrees with what is listed at a budget of %d', (budget) => {
    const violations: Violation[] = [];
    for (const parameters of oracle.settings(budget)) {
      for (const users of continuous ? [1, 2] : [1, 2, 3, 4, 5]) {
        const at = { mechanism, parameters, users };
        if (oracle.outcomes(parameters, users, arithmeticFor(oracle, at)) > MOST_OUTCOMES) continue;
        const targets = targetsAt(budget);
        violations.push(...enumerationViolations(oracle, at, targets, ratios));
        violations.push(...claimViolations(oracle, at, targets));
      }
    }
    expect(shown(violations)).toEqual([]);
  });

  it('agrees with what is listed at random budgets', () => {
    const stream = RandomStream.fromSeed(`laws of ${mechanism}`);
    const violations: Violation[] = [];
    for (let round = 0; round < (continuous ? 6 : 60); round++) {
      const budget = Math.exp(-4 + 6.5 * stream.next());
      const settings = oracle.settings(budget);
      const parameters = settings[stream.integerBelow(settings.length)]!;
      const at = { mechanism, parameters, users: 1 + stream.integerBelow(continuous ? 2 : 4) };
      if (oracle.outcomes(parameters, at.users, arithmeticFor(oracle, at)) > MOST_OUTCOMES) continue;
      const targets = [{ epsilon: budget * stream.next() }, { delta: 10 ** (-8 * stream.next()) }];
      violations.push(...enumerationViolations(oracle, at, targets, ratios));
    }
    expect(shown(violations)).toEqual([]);
  });

  const everywhere = BUDGETS.map((budget) => oracle.settings(budget));
  const most = Math.max(...everywhere.map(({ length }) => length));

  it.each([0, 1, 2])('is coherent over budgets, users and deltas: setting %d', (index) => {
    // Where a budget leaves out a setting the others do not correspond.
    const settings = everywhere
      .filter(({ length }) => length === most)
      .flatMap((list) => list.slice(index, index + 1));
    const grid = continuous
      ? { users: [1, 2, 1e12], deltas: [0, 1e-6, 0.999] }
      : { users: [1, 2, 3, 5, 1e12], deltas: DELTAS };
    expect(shown(coherenceViolations({ mechanism, settings, ...grid }))).toEqual([]);
  });

  afterAll(() => {
    const { cases, upper, lower } = ratios;
    console.log(
      `${mechanism}: ${cases} cases, least upper end / truth ${upper}, largest lower end / truth ${lower}`,
    );
  });
});
