/** One set of laws over every mechanism of the registry, against everything listed. */
import { describe, expect, it } from 'vitest';
import { MECHANISMS } from '../../src/account/mechanisms.ts';
import { MECHANISM_ORACLES } from './oracle/index.ts';
import { coherenceViolations } from './coherence.ts';
import type { MechanismOracle } from './oracle/mechanism-oracle.ts';
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

const ordinary: Target[] = [
  { epsilon: 0.3 },
  { epsilon: 0.95 },
  { delta: 0 },
  { delta: 1e-6 },
  { delta: 0.05 },
];
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
      for (const users of continuous ? [1, 2] : [1, 2, 3]) {
        const at = { mechanism, parameters, users };
        if (!listable(oracle, at)) continue;
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
        .slice(0, continuous ? 1 : 2)
        .map((parameters) => ({ mechanism, parameters, users: continuous ? 1 : 2 }))
        .filter((at) => listable(oracle, at))
        .flatMap((at) => everyLaw(oracle, at, extreme(budget))),
    );
    expect(shown(violations)).toEqual([]);
  });

  it('is coherent over users, budgets and deltas', () => {
    const settings = [0.5, 1].map((budget) => oracle.settings(budget)[0]!);
    const grid = continuous ? { users: [1], deltas: [1e-6, 0.1] } : { users: [1, 1000], deltas: [1e-6, 0.1] };
    expect(
      shown(coherenceViolations({ mechanism, settings: settings.slice(continuous ? 1 : 0), ...grid })),
    ).toEqual([]);
  });
});
