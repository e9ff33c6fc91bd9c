/** Accounts at parameters drawn over all that the stated ranges allow, the ends more often than the rest. */
import {
  checkParameter,
  type MechanismCard,
  ParameterError,
  type ParameterSpec,
  type ParameterValues,
  type RandomStream,
  type Target,
  UsageError,
} from '@shuffle-dp/core';
import { accountMechanism } from '../../src/account/account.ts';
import { composeMechanisms } from '../../src/account/compose-account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';
import { BudgetError } from '../../src/personalized/budget-distribution.ts';
import { budgetList } from '../../src/personalized/budget-list.ts';
import { personalizedAccount } from '../../src/personalized/personalized-account.ts';

export interface DrawnCase {
  readonly command: 'account' | 'compose' | 'personalized';
  readonly mechanism: string;
  readonly given: ParameterValues;
  readonly users: number;
  readonly target: Target;
  /** Of `compose`. */
  readonly rounds: number;
  /** Of `personalized`. */
  readonly budgets: string;
}

/** What came of it: a bracket, or why there is none. */
export type Outcome = { readonly lower: number; readonly upper: number } | { readonly refusal: string };

const USERS = [1, 2, 100, 1e4, 1e6, 1e8, 1e12];
const DELTAS = [0, 1e-300, 1e-60, 1e-20, 1e-15, 1e-12, 1e-6, 0.5, 0.999, 1];
/** Of the local budget, where it is finite. */
const SHARES = [0, 0.01, 0.3, 0.9, 0.999];
const ROUNDS = [1, 100, 1e6];
const PERSONAL = ['laplace', 'clip-laplace', 'gaussian', 'grr'];
const BUDGETS = [1e-6, 0.05, 0.5, 1, 3, 10, 50];

export function drawCase(command: DrawnCase['command'], stream: RandomStream): DrawnCase {
  const rounds = command === 'compose' ? oneOf(ROUNDS, stream) : 1;
  if (command === 'personalized') return { ...drawPersonal(stream), command, rounds };
  const card = oneOf(MECHANISMS, stream);
  const given = drawParameters(card, stream);
  const scale = given['epsilon0'] ?? given['separation'] ?? 1;
  return {
    command,
    mechanism: card.name,
    given,
    users: oneOf(USERS, stream),
    target:
      stream.next() < 0.7 ? { delta: oneOf(DELTAS, stream) } : { epsilon: scale * oneOf(SHARES, stream) },
    rounds,
    budgets: '',
  };
}

function drawPersonal(stream: RandomStream): Omit<DrawnCase, 'command' | 'rounds'> {
  const mechanism = oneOf(PERSONAL, stream);
  const low = oneOf(BUDGETS, stream);
  const high = low * oneOf([1, 2, 20], stream);
  return {
    mechanism,
    given: {
      levels: oneOf([1, 20, 1000], stream),
      domain: oneOf([2, 16, 4096], stream),
      localDelta: mechanism === 'gaussian' ? oneOf([1e-300, 1e-10, 0.1], stream) : 0,
      clip: 1,
    },
    users: oneOf([1, 2, 100, 1e4, 1e6], stream),
    target: { delta: oneOf(DELTAS, stream) },
    budgets: high === low ? `constant(${low})` : `uniform(${low},${high})`,
  };
}

function oneOf<T>(values: readonly T[], stream: RandomStream): T {
  return values[stream.integerBelow(values.length)]!;
}

function drawParameters(card: MechanismCard, stream: RandomStream): ParameterValues {
  const given: Record<string, number> = {};
  for (const spec of card.parameters) {
    if (!spec.required && stream.next() < 0.5) continue;
    for (let attempt = 0; attempt < 50; attempt++) {
      const value = drawValue(spec, given, stream);
      if (isAllowed(spec, value, given)) {
        given[spec.name] = value;
        break;
      }
    }
  }
  return given;
}

function drawValue(spec: ParameterSpec, given: ParameterValues, stream: RandomStream): number {
  const at = ({ value }: ParameterSpec['low']): number | undefined =>
    typeof value === 'number' ? value : value(given);
  const low = at(spec.low) ?? 1;
  const high = Math.min(at(spec.high) ?? 2 ** 20, 1e9);
  const where = stream.next();
  if (where < 0.1) return low;
  if (where < 0.2) return high;
  if (!spec.integer && where < 0.5) return low + (high - low) * stream.next();
  // By orders of magnitude, but hardly ever at those that nobody takes.
  const least = Math.max(low, Math.min(1e-9, high / 2));
  const value = least * (high / least) ** stream.next();
  if (!spec.integer) return value;
  if (spec.kind === 'power of two') return 2 ** Math.round(Math.log2(value));
  return Math.round(spec.kind === 'prime' && where < 0.4 ? oneOf([2, 3, 5, 17, 257, 65521], stream) : value);
}

function isAllowed(spec: ParameterSpec, value: number, given: ParameterValues): boolean {
  try {
    checkParameter(spec, value, given);
    return true;
  } catch {
    return false;
  }
}

/** As a person would type it, nearly. */
export function shownCase({ command, mechanism, given, users, target, rounds, budgets }: DrawnCase): string {
  return [
    command,
    mechanism,
    ...Object.entries(given).map(([name, value]) => `--${name} ${value}`),
    `--users ${users}`,
    ...Object.entries(target).map(([name, value]) => `--${name} ${value}`),
    ...(command === 'compose' ? [`--rounds ${rounds}`] : []),
    ...(command === 'personalized' ? [`--budgets "${budgets}"`] : []),
  ].join(' ');
}

/** @throws what is no refusal */
export function runCase(drawn: DrawnCase): Outcome {
  try {
    return bracketOf(drawn);
  } catch (error) {
    if (error instanceof ParameterError || error instanceof UsageError || error instanceof BudgetError)
      return { refusal: error.message };
    throw error;
  }
}

function bracketOf(drawn: DrawnCase): { readonly lower: number; readonly upper: number } {
  const { command, mechanism, given, users, target, rounds, budgets } = drawn;
  if (command === 'account') return accountMechanism(mechanism, given, users, target).bracket;
  if (command === 'compose')
    return composeMechanisms([{ mechanism, parameters: given, users, rounds }], target).bracket;
  return personalizedAccount({
    budgets: budgetList(budgets, users, 'budgets'),
    mechanism: mechanism as 'laplace',
    delta: (target as { readonly delta: number }).delta,
    localDelta: given['localDelta']!,
    clip: given['clip']!,
    domain: given['domain']!,
    levels: given['levels']!,
  }).epsilon;
}
