/**
 * Smallest epsilons at delta = 0.01/n (personal budgets: 1e-6), in milliseconds: of the published pair, of a
 * blanket's upper end and of a data set's lower end, each rounded to its own side. Beside plain programs that
 * bound neither what they leave out nor their rounding: a loop with 45 bisections, transforms with 20.
 */
import {
  certifiedEpsilon,
  parallelProfile,
  personalizedPrivacy,
  variationRatioEpsilon,
} from '@shuffle-dp/accounting';
import type { AmplificationProfile } from '@shuffle-dp/core';
import { budgetGroups } from '@shuffle-dp/protocols';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { plainBlanketDivergence, plainEpsilon, plainGeneralDivergence } from './plain/accounting.ts';
import { fastest, once, timeRow, type BenchmarkRow } from './row.ts';

/**
 * Milliseconds of the program by the bound's authors (Python, 20 bisections, one-sided), by epsilon0 and
 * users.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '1,10000': '1100',
  '1,1000000': '6500',
  '1,100000000': '54 000-79 000',
  '7,100000000': '15 000',
};

export function rows(): BenchmarkRow[] {
  return [...pairRows(), ...blanketRows(), ...parallelRows(), ...personalRows()];
}

/** Seconds of a program that may take long. */
const secondsOf = (run: () => void, long: boolean): number => (long ? once(run) : fastest(run, 1));

function pairRows(): BenchmarkRow[] {
  const settings: (readonly [epsilon0: number, users: number])[] = [];
  for (let users = 1e4; users <= 1e12; users *= 10) settings.push([1, users]);
  settings.push([7, 1e8], [7, 1e12]);
  return settings.map(([epsilon0, users]) => {
    const p = Math.exp(epsilon0);
    const pair = { p, beta: Math.tanh(epsilon0 / 2), q: p };
    const delta = 0.01 / users;
    const ours = fastest(() => void variationRatioEpsilon(pair, users, delta), 3);
    const plain = secondsOf(
      () => void plainEpsilon((epsilon) => plainGeneralDivergence(p, users, epsilon), delta, epsilon0, 45),
      users > 1e9,
    );
    return timeRow(
      'accountant',
      `variation ratio, epsilon0 = ${epsilon0}, n = ${users.toExponential()}`,
      'ms',
      ours,
      { name: 'plain loop', seconds: plain },
      ELSEWHERE[`${epsilon0},${users}`],
    );
  });
}

/** Beyond, the plain program's grid would need more points than memory holds. */
const LARGEST_TRANSFORMED = 1e6;

function certifiedRow(name: string, profile: AmplificationProfile, users: number): BenchmarkRow {
  const delta = 0.01 / users;
  const ours = fastest(() => void certifiedEpsilon(profile, users, delta, { epsilon0: 1 }), 3);
  const atoms = profile.blanket[0] ?? profile.homogeneous[0]!;
  const plain =
    users <= LARGEST_TRANSFORMED
      ? {
          name: 'transforms',
          seconds: once(
            () => void plainEpsilon((epsilon) => plainBlanketDivergence(atoms, users, epsilon), delta, 1, 20),
          ),
        }
      : undefined;
  return timeRow('accountant', `${name}, n = ${users.toExponential()}`, 'ms', ours, plain);
}

function blanketRows(): BenchmarkRow[] {
  const profile = generalizedRandomizedResponse({ domain: 16, epsilon0: 1 }).amplification();
  const upper = { ...profile, homogeneous: [] };
  // Without a blanket the upper end is the local budget, which costs nothing.
  const lower = { ...profile, blanket: [], homogeneous: [profile.homogeneous[0]!] };
  return [1e4, 1e6, 1e8, 1e10, 1e12].flatMap((users) => [
    certifiedRow('grr, d = 16, upper end', upper, users),
    certifiedRow('grr, d = 16, lower end', lower, users),
  ]);
}

function parallelRows(): BenchmarkRow[] {
  const queries = [4, 16, 64, 256].map((domain) => ({
    probability: 1 / 4,
    amplification: generalizedRandomizedResponse({ domain, epsilon0: 1 }).amplification(),
  }));
  const profile = parallelProfile(queries);
  return [1e4, 1e8].map((users) => certifiedRow('four grr queries in parallel', profile, users));
}

/**
 * No plain program: the bound rests on a density that all budgets share, which is itself the outcome of a
 * search.
 */
function personalRows(): BenchmarkRow[] {
  const delta = 1e-6;
  const levels = [0.2, 0.5, 1].map((budget) => ({ budget, users: 10_000 }));
  return [{ kind: 'grr', domain: 16 } as const, { kind: 'laplace' } as const].map((randomizer) => {
    const groups = budgetGroups(levels, randomizer, delta);
    const ours = fastest(() => void personalizedPrivacy(groups, delta), 1);
    return timeRow('accountant', `personal budgets, ${randomizer.kind}, three of 10 000 users`, 'ms', ours);
  });
}
