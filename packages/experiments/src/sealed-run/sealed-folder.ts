/** The folder of a sealed run: the view of every party, the estimates, and what it cost. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toCsv } from '../results/csv.ts';
import { LOCK_FILE } from '../run-folder/lock/run-lock.ts';
import { makeLockedFolder } from '../run-folder/locked-folder.ts';
import { OutputError } from '../run-folder/make-folder.ts';
import { jsonText, writeFiles } from '../run-folder/write-files.ts';
import { ANALYZER_FILES } from './analyzer.ts';
import { CLIENTS_FILES } from './clients.ts';
import type { SealedRun } from './sealed-run.ts';
import { SHUFFLER_FILES } from './shuffler.ts';

/** By which a folder is told: estimates.csv is in that of an ordinary run too. */
const OWN_FILES = [...CLIENTS_FILES, ...SHUFFLER_FILES, ...ANALYZER_FILES, 'sealed.json'];

/**
 * Makes the folder of a sealed run, which no other run writes to until it is released.
 *
 * @returns what releases it @throws OutputError for a folder that holds something else, and for an earlier
 * sealed run unless it is forced; LockedError
 */
export async function openSealedFolder(path: string, force: boolean): Promise<() => void> {
  const { release } = await makeLockedFolder(path);
  try {
    refuseOthers(path, force);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

function refuseOthers(path: string, force: boolean): void {
  if (readdirSync(path).every((name) => name === LOCK_FILE)) return;
  if (!OWN_FILES.some((name) => existsSync(join(path, name))))
    throw new OutputError(`${path}: is not empty and holds no sealed run: name another folder with --out`);
  if (!force)
    throw new OutputError(
      `${path}: holds a sealed run already: replace it with --force, or name another folder with --out`,
    );
}

/** Beside the views, which the parties write themselves. @throws DiskError */
export function writeSealedRun(folder: string, run: SealedRun, names: readonly string[] | null): void {
  const { estimates, unsealed } = run;
  const rows = Array.from(estimates, (estimate, i) => ({
    item: names?.[i] ?? i,
    estimate,
    unsealed: unsealed[i]!,
  }));
  writeFiles(folder, {
    'estimates.csv': toCsv(['item', 'estimate', 'unsealed'], rows),
    'sealed.json': jsonText(sealedJson(run)),
  });
}

/**
 * A sealed run as `--json` prints it: messages, bytes and seconds of every stage, and what each party saw of
 * the network's additions.
 */
export function sealedJson({ cell, rounds, ...run }: SealedRun): object {
  return {
    protocol: cell.spec.kind,
    users: cell.data.users,
    rounds: rounds.map(({ bytes, minimum, sent, added, atShuffler, atAnalyzer, seconds, stage }) => ({
      stage,
      messages: sent,
      bytes_open: bytes.open,
      bytes_sealed: bytes.sealed,
      minimum_batch: minimum,
      added_by_network: added,
      at_shuffler: atShuffler,
      at_analyzer: atAnalyzer,
      seconds,
    })),
    estimates: Array.from(run.estimates),
    largest_difference_from_unsealed: largestDifference(run),
  };
}

/** Between the estimates with seals and without; 0 where they are equal bit by bit. */
export function largestDifference({
  estimates,
  unsealed,
}: Pick<SealedRun, 'estimates' | 'unsealed'>): number {
  return estimates.reduce((most, estimate, i) => {
    const other = unsealed[i]!;
    return Object.is(estimate, other) ? most : Math.max(most, Math.abs(estimate - other));
  }, 0);
}
