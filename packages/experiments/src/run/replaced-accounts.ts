/**
 * Accounts of the run that --force replaces. They take most of a run's time and depend on neither its seed
 * nor its trials, so a cell that the very same code accounted for already is not accounted for again.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '../kinds/cell.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import { ownDigest } from '../run-folder/code-digest.ts';
import { JOURNAL_FILE, JournalError, readJournal } from '../run-folder/journal.ts';
import { ASIDE } from '../run-folder/replaced-run.ts';
import type { CellDescription } from '../trials/cell-protocol.ts';
import type { CellRecord } from './cell-record.ts';

/**
 * Names everything that an account depends on, the code included; null for a cell whose code is the user's.
 */
export function accountName(cell: Cell): string | null {
  if (cell.spec.kind === 'own-randomizer') return null;
  const { id: _, streamLabel: __, series: ___, trials: ____, data, ...accounted } = cell;
  const { key: _____, file: ______, seed: _______, ...users } = data;
  return canonicalHash({ code: ownDigest(), ...accounted, data: users }).slice(0, 32);
}

/** By name, those that stand aside in the folder of the new run. */
export function replacedAccounts(out: string): ReadonlyMap<string, CellDescription> {
  const journal = join(out, ASIDE, JOURNAL_FILE);
  const known = new Map<string, CellDescription>();
  if (!existsSync(journal)) return known;
  try {
    for (const { account, description } of readJournal<CellRecord>(journal).records.values())
      if (account !== undefined) known.set(account, description);
  } catch (error) {
    // What is replaced may be damaged: that may be why.
    if (!(error instanceof JournalError)) throw error;
  }
  return known;
}
