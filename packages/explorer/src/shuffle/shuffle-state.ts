/** The state of the page Watch a shuffle, from the fields of the address. */
import { knownName } from '../address/known-name.ts';
import { refusedNumber } from '../controls/refused-number.ts';
import type { Refusal } from '../engine/messages.ts';
import { typedNumber } from '../words/numbers.ts';
import { FEWEST_USERS, MOST_USERS, type ShuffleSetting } from './contract.ts';

export const SHUFFLE_FIELDS = ['users', 'domain', 'epsilon0', 'colluding', 'seed', 'step'];

export interface ShuffleState {
  readonly users: string;
  readonly domain: string;
  readonly epsilon0: string;
  /** In percent. */
  readonly colluding: string;
  readonly seed: string;
}

export function shuffleState(fields: Readonly<Record<string, string>>): ShuffleState {
  const { users = '20000', domain = '6', epsilon0 = '2', colluding = '0', seed = '1' } = fields;
  return { users, domain, epsilon0, colluding, seed };
}

/** The third step shows most. */
const FIRST_STEP = 3;

/** The step that is shown, from 1 on, and what was asked for where it is none of `count`. */
export function shuffleStep(
  text: string | undefined,
  count: number,
): { readonly step: number; readonly unknown: string | null } {
  const steps = Array.from({ length: count }, (_, i) => `${i + 1}`);
  const { name, unknown } = knownName(steps, text, `${FIRST_STEP}`);
  return { step: Number(name), unknown };
}

/** Most categories that can be told apart by sight. */
export const MOST_CATEGORIES = 8;

/** What the engine is asked, or what it cannot be asked with. */
export function shuffleQuestion({
  users,
  domain,
  epsilon0,
  colluding,
  seed,
}: ShuffleState): ShuffleSetting | Refusal {
  const refusal = refusedNumber([
    { name: 'users', label: 'users', text: users, whole: [FEWEST_USERS, MOST_USERS] },
    { name: 'domain', label: 'categories', text: domain, whole: [2, MOST_CATEGORIES] },
    { name: 'epsilon0', label: 'epsilon0', text: epsilon0 },
    { name: 'colluding', label: 'colluding, in %', text: colluding, within: [0, 95] },
  ]);
  return (
    refusal ?? {
      users: typedNumber(users),
      domain: typedNumber(domain),
      epsilon0: typedNumber(epsilon0),
      colluding: typedNumber(colluding) / 100,
      seed,
    }
  );
}
