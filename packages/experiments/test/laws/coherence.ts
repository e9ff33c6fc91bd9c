/** Accounts over a grid against each other: no truth is needed to see that they disagree. */
import type { Account } from '../../src/account/account.ts';
import { mechanismModel } from '../../src/account/mechanisms.ts';
import type { Parameters } from './oracle/mechanism-oracle.ts';
import {
  ABSOLUTE,
  accountOf,
  atMost,
  checkRange,
  reporter,
  ROUNDING,
  WIDTH,
  type Case,
  type Law,
  type Report,
  type Violation,
} from './violations.ts';

/** Accounts of one mechanism over budgets, users and targets, where all laws but those of an oracle hold. */
export interface Grid {
  readonly mechanism: string;
  /** One setting by growing budgets. */
  readonly settings: readonly Parameters[];
  /** Growing. */
  readonly users: readonly number[];
  /** Growing deltas. */
  readonly deltas: readonly number[];
}

/** Accounts over a grid against each other. */
export function coherenceViolations({ mechanism, settings, users, deltas }: Grid): Violation[] {
  const violations: Violation[] = [];
  const accounts = new Map<string, Account>();
  const key = (i: number, j: number, k: number): string => `${i} ${j} ${k}`;
  for (const [i, parameters] of settings.entries()) {
    for (const [j, count] of users.entries()) {
      for (const [k, delta] of deltas.entries()) {
        const at: Case = { mechanism, parameters, users: count };
        const target = { delta };
        const report = reporter(at, target, violations);
        const account = accountOf(at, target, report);
        if (account === null) continue;
        accounts.set(key(i, j, k), account);
        checkRange(account, mechanismModel(mechanism, parameters).epsilon0, target, report);
        checkOrder(account, accounts.get(key(i, j - 1, k)), 'less with more users', report);
        checkOrder(account, accounts.get(key(i, j, k - 1)), 'less at a larger delta or epsilon', report);
        const weaker = accounts.get(key(i - 1, j, k));
        if (weaker) checkOrder(weaker, account, 'more with a larger budget', report);
        checkInverse(account, at, delta, violations);
      }
    }
  }
  return violations;
}

/** `less` is of the same pair of worlds with more to hide them, `more` with less. */
function checkOrder(less: Account, more: Account | undefined, law: Law, report: Report): void {
  if (more === undefined) return;
  if (!atMost(less.bracket.lower, more.bracket.upper, ROUNDING))
    report(law, less.bracket.lower, more.bracket.upper, 'lower end against upper end');
  if (!atMost(less.bracket.upper, more.bracket.upper + ABSOLUTE, WIDTH))
    report(law, less.bracket.upper, more.bracket.upper, 'upper ends');
}

/** At the upper end of epsilon delta is not above, and at the lower end not below, what was given. */
function checkInverse({ bracket }: Account, at: Case, delta: number, violations: Violation[]): void {
  for (const [end, epsilon] of [
    ['lower', bracket.lower],
    ['upper', bracket.upper],
  ] as const) {
    if (!(epsilon > 0 && epsilon < Infinity)) continue;
    const report = reporter(at, { epsilon }, violations);
    const back = accountOf(at, { epsilon }, report);
    if (back === null) continue;
    checkRange(back, Infinity, { epsilon }, report);
    const { lower, upper } = back.bracket;
    if (end === 'upper' && !atMost(lower, delta, WIDTH))
      report('epsilon and delta are inverse', lower, delta, end);
    if (end === 'lower' && !atMost(delta, upper, WIDTH))
      report('epsilon and delta are inverse', upper, delta, end);
  }
}
