/**
 * Accounts of earlier runs, wherever their results went: in a folder that all runs of a user share, a sealed
 * file for each, named by all that it depends on, the code included. It is an account's bytes that are kept,
 * so a run with them gives the bytes of one without; what is damaged, or cannot be read or written, is
 * accounted for again.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { ownDigest } from '../run-folder/code-digest.ts';
import { decodeNumbers, encodeNumbers } from '../run-folder/canonical-json.ts';
import { makeFolder } from '../run-folder/make-folder.ts';
import { NO_SEAL, openLine, sealLine } from '../run-folder/sealed-line.ts';
import type { CellDescription } from '../trials/cell-protocol.ts';

export interface KeptAccounts {
  /** @param account `accountName` of a cell */
  get(account: string): CellDescription | undefined;
  /** @returns whether it is there now */
  keep(account: string, description: CellDescription): boolean;
}

const PREFIX = 'accounts-';
/** Accounts of other code that nobody has used for so long are removed. */
const UNUSED_MS = 30 * 24 * 3600 * 1000;
/** Of one code; some 3 kB each. */
const MOST_KEPT = 20_000;

interface KeptAccount {
  readonly account: string;
  readonly description: CellDescription;
}

/** @param folder made when it is first needed; null keeps nothing */
export function keptAccounts(folder: string | null, code = ownDigest): KeptAccounts {
  if (folder === null) return { get: () => undefined, keep: () => false };
  const place = join(folder, `${PREFIX}${code().slice(0, 16)}`);
  const fileOf = (account: string): string => join(place, `${account}.json`);
  let room: number | null = null;
  return {
    get: (account) =>
      attempt(() => {
        const line = openLine(readFileSync(fileOf(account)), NO_SEAL);
        const kept = line && (JSON.parse(line.json, decodeNumbers) as KeptAccount);
        return kept?.account === account ? kept.description : undefined;
      }),
    keep: (account, description) => {
      room ??= attempt(() => roomIn(folder, place)) ?? 0;
      if (room-- <= 0) return false;
      const json = JSON.stringify({ account, description } satisfies KeptAccount, encodeNumbers);
      const beside = `${fileOf(account)}.${process.pid}-${threadId}`;
      const written = attempt(() => {
        // Not forced to the disk: its seal says whether it got there.
        writeFileSync(beside, sealLine(json, NO_SEAL).text);
        renameSync(beside, fileOf(account));
        return true;
      });
      if (!written) attempt(() => rmSync(beside, { force: true }));
      return written === true;
    },
  };
}

/** Makes the place, removes what is old, and says how many accounts more may be put there. */
function roomIn(folder: string, place: string): number {
  makeFolder(place);
  const now = Date.now();
  utimesSync(place, now / 1000, now / 1000);
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (name.startsWith(PREFIX) && now - statSync(other).mtimeMs > UNUSED_MS)
      attempt(() => rmSync(other, { recursive: true, force: true }));
  }
  return MOST_KEPT - readdirSync(place).length;
}

/** Nothing where it fails: accounts can be made again. */
function attempt<Result>(perform: () => Result): Result | undefined {
  try {
    return perform();
  } catch {
    return undefined;
  }
}
