/** The state of the page Compose: a schedule and a target, from the fields of the address and back. */
import type { ScheduledRounds } from '@shuffle-dp/experiments/account';
import type { Target } from '@shuffle-dp/core';
import type { ShownMechanism } from '../account/contract.ts';
import { refusedNumber } from '../controls/refused-number.ts';
import type { Refusal } from '../engine/messages.ts';
import { typedNumber } from '../words/numbers.ts';

/** Numbers as they are written: the parameters, users and rounds. */
export interface WrittenRounds {
  readonly mechanism: string;
  readonly numbers: Readonly<Record<string, string>>;
}

export const COMPOSE_FIELDS = ['schedule', 'epsilon', 'delta'];

export interface ComposeState {
  readonly schedule: readonly WrittenRounds[];
  readonly given: 'delta' | 'epsilon';
  readonly target: string;
  /** Parts of the address that are no rounds. */
  readonly unread: readonly string[];
}

const FIRST = 'grr(epsilon0:1,domain:16,users:10000,rounds:16)';
const TARGETS = { delta: '1e-6', epsilon: '1' };

export function composeState(fields: Readonly<Record<string, string>>): ComposeState {
  const given = fields['epsilon'] !== undefined && fields['delta'] === undefined ? 'epsilon' : 'delta';
  return {
    ...parseSchedule(fields['schedule'] ?? FIRST),
    given,
    target: fields[given] ?? TARGETS[given],
  };
}

/** What sets the parts of a schedule apart: written as in addresses where it is in a number's text. */
const APART = /[,:;()%]/gu;
const WRITTEN_APART = /%(?:2C|3A|3B|28|29|25)/gu;

/** 'grr(epsilon0:1,domain:16,users:10000,rounds:16);subset(…)' */
export function scheduleField(schedule: readonly WrittenRounds[]): string {
  return schedule
    .map(({ mechanism, numbers }) => {
      const inside = Object.entries(numbers).map(
        ([name, text]) => `${name}:${text.replaceAll(APART, writtenApart)}`,
      );
      return `${mechanism}(${inside.join(',')})`;
    })
    .join(';');
}

function writtenApart(character: string): string {
  return `%${character.codePointAt(0)!.toString(16).toUpperCase()}`;
}

/** What is read of it, and the parts that are no rounds. */
export function parseSchedule(text: string): Pick<ComposeState, 'schedule' | 'unread'> {
  const schedule: WrittenRounds[] = [];
  const unread: string[] = [];
  for (const part of text.split(';')) {
    const [, mechanism, inside = ''] = /^([a-z0-9-]+)\((.*)\)$/u.exec(part.trim()) ?? [];
    const pairs = inside === '' ? [] : inside.split(',').map((pair) => pair.split(':'));
    const numbers = pairs.map(([name = '', written = '']) => [
      name,
      written.replaceAll(WRITTEN_APART, decodeURIComponent),
    ]);
    if (mechanism === undefined || pairs.some(({ length, 0: name }) => length !== 2 || name === ''))
      unread.push(part.trim());
    else schedule.push({ mechanism, numbers: Object.fromEntries(numbers) as Record<string, string> });
  }
  return { schedule, unread };
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

/** What the engine is asked, or what it cannot be asked with. */
export function composeQuestion({
  schedule,
  given,
  target,
  unread,
}: ComposeState): { readonly schedule: readonly ScheduledRounds[]; readonly target: Target } | Refusal {
  const [part] = unread;
  if (part !== undefined)
    return { message: `schedule: "${part}" is no rounds: must be like ${FIRST}, with ; between rounds` };
  const written = schedule.map(({ numbers }) =>
    Object.entries({ users: '', rounds: '', ...numbers }).filter(
      ([name, text]) => text !== '' || name === 'users' || name === 'rounds',
    ),
  );
  const refusal = refusedNumber([
    { name: given, label: `central ${given}`, text: target },
    ...written.flatMap((numbers, entry) =>
      numbers.map(([name, text]) => ({ name, entry, label: name, text })),
    ),
  ]);
  if (refusal !== null) return refusal;
  const entries = schedule.map(({ mechanism }, i) => {
    const values = written[i]!.map(([name, text]) => [name, typedNumber(text)] as const);
    const { users = 0, rounds = 0, ...parameters } = Object.fromEntries(values);
    return { mechanism, parameters, users, rounds };
  });
  const asked = typedNumber(target);
  return { schedule: entries, target: given === 'delta' ? { delta: asked } : { epsilon: asked } };
}

/** What an engine refuses of a schedule, with the first entry that has the parameter at this value. */
export function refusalAtEntry(refusal: Refusal, schedule: readonly ScheduledRounds[]): Refusal {
  const { parameter, message } = refusal;
  const entry = schedule.findIndex(({ parameters, users, rounds }) => {
    const value = Object.entries({ ...parameters, users, rounds }).find(([name]) => name === parameter)?.[1];
    return value !== undefined && message.startsWith(`${parameter} = ${value}: `);
  });
  return entry < 0 ? refusal : { ...refusal, entry };
}
