/** The state of the page Compose: a schedule and a target, from the fields of the address and back. */
import type { ScheduledRounds } from '@shuffle-dp/experiments/account';
import type { Target } from '@shuffle-dp/core';
import type { ShownMechanism } from '../account/contract.ts';
import { typedNumber } from '../words/numbers.ts';

/** Numbers as they are written: the parameters, users and rounds. */
export interface WrittenRounds {
  readonly mechanism: string;
  readonly numbers: Readonly<Record<string, string>>;
}

export interface ComposeState {
  readonly schedule: readonly WrittenRounds[];
  readonly given: 'delta' | 'epsilon';
  readonly target: string;
}

const FIRST = 'grr(epsilon0:1,domain:16,users:10000,rounds:16)';
const TARGETS = { delta: '1e-6', epsilon: '1' };

export function composeState(fields: Readonly<Record<string, string>>): ComposeState {
  const given = fields['epsilon'] !== undefined && fields['delta'] === undefined ? 'epsilon' : 'delta';
  return {
    schedule: parseSchedule(fields['schedule'] ?? FIRST),
    given,
    target: fields[given] ?? TARGETS[given],
  };
}

/** 'grr(epsilon0:1,domain:16,users:10000,rounds:16);subset(…)' */
export function scheduleField(schedule: readonly WrittenRounds[]): string {
  return schedule
    .map(({ mechanism, numbers }) => {
      const inside = Object.entries(numbers).map(
        ([name, text]) => `${name}:${text.replaceAll(/[,:;()]/gu, '')}`,
      );
      return `${mechanism}(${inside.join(',')})`;
    })
    .join(';');
}

export function parseSchedule(text: string): WrittenRounds[] {
  return text.split(';').flatMap((part) => {
    const [, mechanism, inside] = /^([a-z0-9-]+)\((.*)\)$/u.exec(part.trim()) ?? [];
    if (mechanism === undefined || inside === undefined) return [];
    const numbers = inside.split(',').flatMap((pair) => {
      const [name, value] = pair.split(':');
      return name && value !== undefined ? [[name, value] as const] : [];
    });
    return [{ mechanism, numbers: Object.fromEntries(numbers) }];
  });
}

/** Another mechanism at its example, among the same users for as many rounds. */
export function exampleRounds(
  { name, example }: ShownMechanism,
  { users = '10000', rounds = '16' }: Readonly<Record<string, string>> = {},
): WrittenRounds {
  const parameters = Object.entries(example).map(
    ([parameter, value]) => [parameter, value === Infinity ? 'inf' : String(value)] as const,
  );
  return { mechanism: name, numbers: { ...Object.fromEntries(parameters), users, rounds } };
}

/** What the engine is asked; null while a number is none. */
export function composeQuestion({
  schedule,
  given,
  target,
}: ComposeState): { readonly schedule: readonly ScheduledRounds[]; readonly target: Target } | null {
  const asked = typedNumber(target);
  const entries = schedule.map(({ mechanism, numbers }) => {
    const { users = '', rounds = '', ...parameters } = numbers;
    const values = Object.entries(parameters).flatMap(([name, text]) =>
      text === '' ? [] : [[name, typedNumber(text)] as const],
    );
    return {
      mechanism,
      parameters: Object.fromEntries(values),
      users: typedNumber(users),
      rounds: typedNumber(rounds),
    };
  });
  const numbers = entries.flatMap((entry) => [entry.users, entry.rounds, ...Object.values(entry.parameters)]);
  if ([asked, ...numbers].some(Number.isNaN) || entries.length === 0) return null;
  return { schedule: entries, target: given === 'delta' ? { delta: asked } : { epsilon: asked } };
}
