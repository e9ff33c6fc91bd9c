/** One set of laws over every mechanism of the registry, against everything listed. */
import { describe, expect, it } from 'vitest';
import { MECHANISMS } from '../../src/account/mechanisms.ts';
import { MECHANISM_ORACLES } from './oracle/index.ts';
import { coherenceViolations } from './coherence.ts';
import type { MechanismOracle, Parameters } from './oracle/mechanism-oracle.ts';
import type { Target } from './oracle/shuffled-divergence.ts';
import {
  arithmeticFor,
  claimViolations,
  enumerationViolations,
  shown,
  type Case,
  type Violation,
} from './violations.ts';

const NAMES = MECHANISMS.map(({ name }) => name);

it('every mechanism has an oracle, and every oracle a mechanism', () => {
  // A new mechanism is added to test/laws/oracle by its published definition, not by its own code.
  expect(Object.keys(MECHANISM_ORACLES).sort()).toEqual([...NAMES].sort());
});

/** Accounts of these take a hundred times as long. */
const CONTINUOUS = new Set(['laplace', 'clip-laplace', 'gaussian', 'metric-laplace', 'planar-laplace']);
/** Likelihoods that are compared for one case. */
const MOST_OUTCOMES = 2400;

// The long test has more of each, and more users.
const ordinary: Target[] = [{ epsilon: 0.3 }, { delta: 0 }, { delta: 1e-6 }];
const extreme = (budget: number): Target[] => [
  { epsilon: 0.7 * budget },
  { delta: 0 },
  { delta: 1e-300 },
  { delta: 0.999 },
];

function listable(oracle: MechanismOracle, at: Case): boolean {
  return oracle.outcomes(at.parameters, at.users, arithmeticFor(oracle, at)) <= MOST_OUTCOMES;
}

function everyLaw(oracle: MechanismOracle, at: Case, targets: readonly Target[]): Violation[] {
  return [...enumerationViolations(oracle, at, targets), ...claimViolations(oracle, at, targets)];
}

describe.each(NAMES.map((name) => [name, MECHANISM_ORACLES[name]!] as const))('%s', (mechanism, oracle) => {
  const continuous = CONTINUOUS.has(mechanism);

  it('agrees with what is listed at an ordinary budget', () => {
    const violations: Violation[] = [];
    let cases = 0;
    for (const parameters of continuous ? oracle.settings(1).slice(0, 2) : oracle.settings(1)) {
      const all = [1, 2, 3]
        .map((users) => ({ mechanism, parameters, users }))
        .filter((at) => listable(oracle, at) && (at.users < 3 || !continuous));
      // One user, and the most that are listed.
      for (const at of [...all.slice(0, 1), ...all.slice(1).slice(-1)]) {
        const { users } = at;
        cases++;
        violations.push(...everyLaw(oracle, at, continuous && users > 1 ? ordinary.slice(0, 1) : ordinary));
      }
    }
    expect(cases).toBeGreaterThan(1);
    expect(shown(violations)).toEqual([]);
  });

  it('agrees with what is listed at tiny and at huge budgets', () => {
    const violations = (continuous ? [1e-6] : [1e-9, 300]).flatMap((budget) =>
      oracle
        .settings(budget)
        .slice(0, 1)
        .map((parameters) => ({ mechanism, parameters, users: continuous ? 1 : 2 }))
        .filter((at) => listable(oracle, at))
        .flatMap((at) => everyLaw(oracle, at, extreme(budget))),
    );
    expect(shown(violations)).toEqual([]);
  });

  it('is coherent over users, budgets and deltas', () => {
    // Two budgets where accounts are quick, among one user: what a thousand have is known of one budget.
    const [less, one] = [0.5, 1].map((budget) => oracle.settings(budget)[0]!) as [Parameters, Parameters];
    const grids = continuous
      ? [{ settings: [one], users: [1] }]
      : [
          { settings: [less, one], users: [1] },
          { settings: [one], users: [1, 1000] },
        ];
    const deltas = [1e-6, 0.1];
    expect(grids.flatMap((grid) => shown(coherenceViolations({ mechanism, ...grid, deltas })))).toEqual([]);
  });
});
