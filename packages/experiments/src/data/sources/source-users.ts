/** Where the users of a data set come from: a generator, or a file, of which all are taken or some. */
import { sampleSubset, type RandomStream } from '@shuffle-dp/core';

/** What all sources tell. */
export interface SourceUsers {
  /** Users in the file; null for a generator. */
  readonly available: number | null;
  /** What a user should know of how a file was read. */
  readonly notices: readonly string[];
  /** Users of the file that are left out for missing values. */
  readonly skipped?: number;
  /** What the file calls what is counted, padding included; absent where these are numbers. */
  readonly names?: readonly string[];
}

/** What sources tell that are no files. */
export const GENERATED = { available: null, notices: [] } as const satisfies SourceUsers;

/** @throws RangeError for more users than the file has */
export function requireAvailable(users: number, available: number | null): void {
  if (available !== null && users > available) {
    throw new RangeError(`${users} users were asked for, but the file has ${available}`);
  }
}

/**
 * The numbers of so many users of a file: a uniform subset; null for all of them, in order.
 *
 * @throws RangeError for more than it has
 */
export function chosenUsers(users: number, available: number, stream: RandomStream): Uint32Array | null {
  requireAvailable(users, available);
  if (users === available) return null;
  const who = new Uint32Array(users);
  sampleSubset(users, available, who, 0, stream.fork('users'));
  return who;
}

/** How many lie outside their range. */
export function countOutside(
  values: Float64Array,
  { low, high }: { readonly low: number; readonly high: number },
): number {
  return values.reduce((sum, value) => sum + (value < low || value > high ? 1 : 0), 0);
}

/** The notices of a file, and what is told of values outside their range where there are any. */
export function withOutside(notices: readonly string[], outside: number, told: string): readonly string[] {
  return outside === 0 ? notices : [...notices, told];
}
