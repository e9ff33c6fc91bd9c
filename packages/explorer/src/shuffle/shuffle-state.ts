/** The state of the page Watch a shuffle, from the fields of the address. */
import { typedNumber } from '../words/numbers.ts';
import type { ShuffleSetting } from './contract.ts';

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

/** Most categories that can be told apart by sight. */
export const MOST_CATEGORIES = 8;

/** What the engine is asked; null while a number is none, or out of its range. */
export function shuffleQuestion({
  users,
  domain,
  epsilon0,
  colluding,
  seed,
}: ShuffleState): ShuffleSetting | null {
  const setting = {
    users: typedNumber(users),
    domain: typedNumber(domain),
    epsilon0: typedNumber(epsilon0),
    colluding: typedNumber(colluding) / 100,
    seed,
  };
  const { domain: categories, colluding: share } = setting;
  const isWhole = Number.isInteger(setting.users) && Number.isInteger(categories);
  const isWithin = categories >= 2 && categories <= MOST_CATEGORIES && share >= 0 && share <= 0.95;
  return isWhole && isWithin && !Number.isNaN(setting.epsilon0) ? setting : null;
}
