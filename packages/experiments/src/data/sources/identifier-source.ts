/** Sources of one identifier of a large domain per user. */
import { type RandomStream, type SimulationPath } from '@shuffle-dp/core';
import type { IdentifierData } from '@shuffle-dp/protocols';
import type { IdentifierColumn } from '../csv/csv-identifiers.ts';
import { chosenUsers, type SourceUsers } from './source-users.ts';

export interface IdentifierSource extends SourceUsers {
  readonly holds: 'identifiers';
  /** Different identifiers that users hold. */
  readonly domain: number;
  /** Identifiers are 0 to 2^bits - 1. */
  readonly bits: number;
  /** What the identifiers are called, in the order of the counts that are drawn. */
  readonly names: readonly string[];
  /**
   * One random data set, with counts that list the same identifiers in every one. For the aggregated path a
   * generator draws the counts alone. @throws RangeError for more users than the file has
   */
  draw(users: number, path: SimulationPath, stream: RandomStream): IdentifierData;
}

/** The users of a file: all of them, or a uniform subset. */
export function fileIdentifiers({
  bits,
  identifiers,
  names,
  codes,
  notices,
  skipped,
}: IdentifierColumn): IdentifierSource {
  const available = codes.length;
  return {
    holds: 'identifiers',
    domain: identifiers.length,
    bits,
    available,
    notices,
    skipped,
    names,
    draw(users, _path, stream) {
      const chosen = chosenUsers(users, available, stream)?.map((user) => codes[user]!) ?? codes;
      const holders = new Float64Array(identifiers.length);
      for (const code of chosen) holders[code]!++;
      const values = Float64Array.from(chosen, (code) => identifiers[code]!);
      return { kind: 'identifiers', users, bits, values, counts: { identifiers, holders } };
    },
  };
}
