/** One identifier of a large domain per user: words, addresses, pages. */
import {
  dealCounts,
  onceEachObject,
  ParameterError,
  requireInteger,
  type RandomStream,
  type SimulationPath,
} from '@shuffle-dp/core';
import { holdersIn, requireSame } from '../data-checks.ts';

/** Identifiers of up to 48 bits are whole doubles. */
export const MOST_BITS = 48;

/** In user order, counted, or both. */
export interface IdentifierData {
  readonly kind: 'identifiers';
  readonly users: number;
  /** Identifiers are 0 to 2^bits - 1. */
  readonly bits: number;
  /** In user order; absent where only the counts exist. */
  readonly values?: Float64Array;
  /** Different identifiers and their holders; absent where they follow from the values. */
  readonly counts?: IdentifierCounts;
}

export interface IdentifierCounts {
  readonly identifiers: Float64Array;
  readonly holders: Float64Array;
}

/** Users who take part in one round. */
export interface UserGroup {
  readonly values?: Float64Array;
  readonly counts: () => IdentifierCounts;
}

/** @throws ParameterError where there are neither values nor counts */
export const identifierCounts = onceEachObject(
  (data: IdentifierData): IdentifierCounts => data.counts ?? countValues(requireValues(data)),
);

function countValues(values: Float64Array): IdentifierCounts {
  const holders = new Map<number, number>();
  for (const value of values) holders.set(value, (holders.get(value) ?? 0) + 1);
  return { identifiers: Float64Array.from(holders.keys()), holders: Float64Array.from(holders.values()) };
}

function requireValues({ values }: IdentifierData): Float64Array {
  if (values) return values;
  throw new ParameterError('path', 'messages', "'aggregated' for data that are only counted");
}

/** @throws ParameterError unless the data are as the protocol was made for */
export function checkIdentifiers(
  data: IdentifierData,
  { users, bits }: { readonly users: number; readonly bits: number },
): void {
  requireSame('data.users', data.users, users);
  requireSame('data.bits', data.bits, bits);
  requireInteger('data.bits', bits, 1, MOST_BITS);
  const held = holdersIn(data.values, data.counts?.holders);
  if (held !== users) throw new ParameterError('the number of identifiers', held, `data.users = ${users}`);
}

/** All users, for a round that everyone takes part in. */
export function allUsers(data: IdentifierData): UserGroup {
  return {
    ...(data.values && { values: data.values }),
    counts: () => identifierCounts(data),
  };
}

/**
 * Users in groups of these sizes, drawn by lot: user by user where there are values, else by the law of the
 * groups' counts.
 * @param sizes sum to the number of users
 */
export function drawGroups(
  data: IdentifierData,
  sizes: readonly number[],
  path: SimulationPath,
  stream: RandomStream,
): UserGroup[] {
  return path === 'messages'
    ? groupsOfValues(requireValues(data), sizes, stream)
    : groupsOfCounts(identifierCounts(data), sizes, stream);
}

function groupsOfValues(values: Float64Array, sizes: readonly number[], stream: RandomStream): UserGroup[] {
  const drawn = values.slice();
  for (let i = drawn.length - 1; i > 0; i--) {
    const j = stream.integerBelow(i + 1);
    [drawn[i], drawn[j]] = [drawn[j]!, drawn[i]!];
  }
  let start = 0;
  return sizes.map((users) => {
    const own = drawn.subarray(start, (start += users));
    return { values: own, counts: () => countValues(own) };
  });
}

/** Group after group, of the users who are left: multivariate hypergeometric. */
function groupsOfCounts(
  { identifiers, holders }: IdentifierCounts,
  sizes: readonly number[],
  stream: RandomStream,
): UserGroup[] {
  return dealCounts(holders, sizes, stream).map((own) => ({
    counts: () => ({ identifiers, holders: own }),
  }));
}
