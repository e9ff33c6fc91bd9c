/** The state of the page Account: from the fields of the address, and back. */
import type { Target } from '@shuffle-dp/core';
import { refusedNumber } from '../controls/refused-number.ts';
import type { Refusal } from '../engine/messages.ts';
import { typedNumber } from '../words/numbers.ts';
import type { AccountSetting, ShownMechanism } from './contract.ts';

export interface AccountState {
  readonly mechanism: ShownMechanism;
  /** The name of one that does not exist, which was asked for. */
  readonly unknown: string | null;
  /** Every parameter of the mechanism, as it is written; '' where one that need not be given is not. */
  readonly written: Readonly<Record<string, string>>;
  readonly users: string;
  /** Which of the two is given; the other is asked for. */
  readonly given: 'delta' | 'epsilon';
  readonly target: string;
  /** What the curve goes over: 'users', 'delta' or 'epsilon', or a parameter. */
  readonly over: string;
  /** What it should go over, where that is none of these. */
  readonly unknownAxis: string | null;
  /** Names of the bounds that are drawn. */
  readonly drawn: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, string>>;

/** Bounds that are drawn where nothing else is said, of mechanisms that have them. */
export const DRAWN = 'stronger-clone,blanket-bennett,variation-ratio';
const FIRST_MECHANISM = 'grr';
const DEFAULTS = { users: '10000', delta: '1e-6', epsilon: '0.1' };

export function accountState(fields: Fields, mechanisms: readonly ShownMechanism[]): AccountState {
  const named = fields['mechanism'] ?? FIRST_MECHANISM;
  const mechanism = mechanisms.find(({ name }) => name === named) ?? mechanisms[0]!;
  const given = fields['epsilon'] !== undefined && fields['delta'] === undefined ? 'epsilon' : 'delta';
  const written = Object.fromEntries(
    mechanism.parameters.map(({ name }) => [name, fields[name] ?? exampleText(mechanism, name)]),
  );
  const axes = ['users', given, ...mechanism.parameters.map(({ name }) => name)];
  const over = fields['over'] ?? 'users';
  return {
    mechanism,
    unknown: mechanism.name === named ? null : named,
    written,
    users: fields['users'] ?? DEFAULTS.users,
    given,
    target: fields[given] ?? DEFAULTS[given],
    over: axes.includes(over) ? over : 'users',
    unknownAxis: axes.includes(over) || mechanism.name !== named ? null : over,
    drawn: new Set((fields['draw'] ?? DRAWN).split(',').filter((name) => name !== '')),
  };
}

/** Names of the fields that are read, where these stand there; of a mechanism that is not there, all. */
export function accountFields(fields: Fields, mechanisms: readonly ShownMechanism[]): readonly string[] {
  const { written, unknown } = accountState(fields, mechanisms);
  if (unknown !== null) return Object.keys(fields);
  return ['mechanism', 'users', 'delta', 'epsilon', 'over', 'draw', ...Object.keys(written)];
}

/** The fields of another mechanism: its example, among the same users at the same target. */
export function otherMechanism(state: AccountState, name: string): Record<string, string | undefined> {
  const gone = Object.fromEntries(state.mechanism.parameters.map((parameter) => [parameter.name, undefined]));
  return { ...gone, mechanism: name, over: undefined };
}

/**
 * The field of the bounds that are drawn, one more or one less; undefined for those that are drawn by
 * default.
 */
export function drawnField(drawn: ReadonlySet<string>, name: string): string | undefined {
  const next = drawn.has(name) ? [...drawn].filter((other) => other !== name) : [...drawn, name];
  return next.join(',') === DRAWN ? undefined : next.join(',');
}

/** Names of bounds that should be drawn, and are none of those known. */
export function unknownBounds(drawn: ReadonlySet<string>, known: ReadonlySet<string>): string | null {
  const others = [...drawn].filter((name) => !known.has(name));
  return others.length === 0 ? null : others.join('”, “');
}

/** What the engine is asked, or what it cannot be asked with. */
export function accountSetting(state: AccountState): AccountSetting | Refusal {
  const { mechanism, written, users, given, target } = state;
  const numbers = Object.entries(written).filter(([, text]) => text !== '');
  const refusal = refusedNumber([
    ...numbers.map(([name, text]) => ({ name, label: name, text })),
    { name: 'users', label: 'users', text: users },
    { name: given, label: `central ${given}`, text: target },
  ]);
  if (refusal !== null) return refusal;
  const parameters = Object.fromEntries(numbers.map(([name, text]) => [name, typedNumber(text)]));
  const asked = typedNumber(target);
  const at: Target = given === 'delta' ? { delta: asked } : { epsilon: asked };
  return { mechanism: mechanism.name, parameters, users: typedNumber(users), target: at };
}

function exampleText({ example }: ShownMechanism, name: string): string {
  const value = example[name];
  return value === undefined ? '' : value === Infinity ? 'inf' : String(value);
}
