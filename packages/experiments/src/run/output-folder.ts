/** The folder that a run writes to: never shared by two runs, never overwritten unasked, found unwritable before any work. */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemReason } from '../config/load-config.ts';
import {
  JOURNAL_FILE,
  JournalError,
  readJournal,
  type JournalContent,
  type JournalEntry,
} from './journal.ts';
import { makeFolder, OutputError } from './make-folder.ts';
import { LOCK_FILE, lockFolder } from './run-lock.ts';

export interface OutputFolder<Entry extends JournalEntry> {
  readonly path: string;
  /** What an earlier run of the same config has finished; null for a fresh start. */
  readonly earlier: JournalContent<Entry> | null;
  release(): void;
}

/** What a run writes, and all that --force removes. */
const OWN_ENTRIES = [
  JOURNAL_FILE,
  'results.csv',
  'rounds.csv',
  'trials.csv',
  'privacy.csv',
  'timings.csv',
  'summary.json',
  'config.resolved.json',
  'report.html',
  'figures',
];

/** @throws OutputError, LockedError */
export async function openOutputFolder<Entry extends JournalEntry>(
  path: string,
  configHash: string,
  { resume, force }: { readonly resume: boolean; readonly force: boolean },
): Promise<OutputFolder<Entry>> {
  let release: () => void;
  const existed = isFolder(path);
  makeFolder(path);
  try {
    release = await lockFolder(path);
  } catch (error) {
    if (error instanceof Error && error.name === 'LockedError') throw error;
    throw new OutputError(`${path}: cannot be written: ${systemReason(error)}`);
  }
  try {
    return { path, earlier: earlierRun(path, configHash, resume, force), release };
  } catch (error) {
    release();
    if (!existed) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

function earlierRun<Entry extends JournalEntry>(
  path: string,
  configHash: string,
  resume: boolean,
  force: boolean,
): JournalContent<Entry> | null {
  const entries = readdirSync(path).filter((entry) => entry !== LOCK_FILE);
  if (entries.length === 0) return null;
  if (force && !resume) {
    for (const entry of OWN_ENTRIES) rmSync(join(path, entry), { recursive: true, force: true });
    return null;
  }
  if (!entries.includes(JOURNAL_FILE)) {
    throw new OutputError(
      `${path}: is not empty and holds no run: name another folder with --out, or use --force`,
    );
  }
  let journal: JournalContent<Entry>;
  try {
    journal = readJournal<Entry>(join(path, JOURNAL_FILE));
  } catch (error) {
    if (error instanceof JournalError) throw new OutputError(`${error.message}; start again with --force`);
    throw error;
  }
  // A run that was killed while it wrote its header has nothing to lose.
  if (journal.header === null && resume) {
    rmSync(join(path, JOURNAL_FILE));
    return null;
  }
  const same = journal.header?.configHash === configHash;
  if (resume && same) return journal;
  throw new OutputError(
    same
      ? `${path}: holds a run of this config already: continue it with --resume, or replace it with --force`
      : `${path}: holds another run (config, seed, trials or data differ): name another folder with --out, or replace it with --force`,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** All of the file or none of it: written beside, then renamed. */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const beside = `${path}.tmp-${process.pid}`;
  writeFileSync(beside, content);
  renameSync(beside, path);
}
