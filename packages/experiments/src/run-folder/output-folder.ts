/**
 * The folder that a run writes to: never shared by two runs, never overwritten unasked, found unwritable
 * before any work.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKPOINTS, dropCheckpoints } from './checkpoints.ts';
import {
  JOURNAL_FILE,
  JournalError,
  readJournal,
  type JournalContent,
  type JournalEntry,
} from './journal.ts';
import { makeLockedFolder } from './locked-folder.ts';
import { OutputError, removeMade } from './make-folder.ts';
import { ASIDE, dropReplaced, putBack, setAside } from './replaced-run.ts';
import { LOCK_FILE } from './lock/run-lock.ts';
import { shardText, type Shard } from './shard.ts';

export interface OutputFolder<Entry extends JournalEntry> {
  readonly path: string;
  /** What an earlier run of the same config has finished; null for a fresh start. */
  readonly earlier: JournalContent<Entry> | null;
  /** The new run has something to show: what it replaces is removed. */
  replace(): void;
  /** Whether what it replaces still stands aside. */
  isReplacing(): boolean;
  release(): void;
  /** Of a fresh start: releases the folder as it was found. */
  discard(): void;
}

/** What a run writes, and all that --force removes. */
const OWN_ENTRIES = [
  JOURNAL_FILE,
  CHECKPOINTS,
  'results.csv',
  'estimates.csv',
  'rounds.csv',
  'trials.csv',
  'privacy.csv',
  'timings.csv',
  'summary.json',
  'audit.csv',
  'audit.json',
  'config.resolved.json',
  'report.html',
  'figures',
];

export interface OpenOptions {
  readonly resume: boolean;
  readonly force: boolean;
  /** The share of the run that the folder is for; absent where it is for the whole. */
  readonly shard?: Shard;
  /** Whether what comes in is joined from other folders, and is not gone on with. */
  readonly isMerge?: boolean;
}

/** @throws OutputError, LockedError */
export async function openOutputFolder<Entry extends JournalEntry>(
  path: string,
  configHash: string,
  options: OpenOptions,
): Promise<OutputFolder<Entry>> {
  const { made, release } = await makeLockedFolder(path);
  try {
    const discard = (): void => {
      rmSync(join(path, JOURNAL_FILE), { force: true });
      dropCheckpoints(path);
      putBack(path);
      release();
      // Another run may have had the folder before the lock was this one's: only an empty one goes.
      removeMade(made);
    };
    settleReplaced(path, options);
    const earlier = earlierRun<Entry>(path, configHash, options);
    const isReplacing = (): boolean => existsSync(join(path, ASIDE));
    return { path, earlier, replace: () => dropReplaced(path), isReplacing, release, discard };
  } catch (error) {
    release();
    removeMade(made);
    throw error;
  }
}

function earlierRun<Entry extends JournalEntry>(
  path: string,
  configHash: string,
  { resume, force, shard, isMerge = false }: OpenOptions,
): JournalContent<Entry> | null {
  removeUnfinishedFiles(path);
  const entries = readdirSync(path).filter((entry) => entry !== LOCK_FILE);
  if (entries.length === 0) return null;
  // What no run has made is not this program's to replace.
  if (!entries.includes(JOURNAL_FILE))
    throw new OutputError(`${path}: is not empty and holds no run: name another folder with --out`);
  if (force && !resume) {
    setAside(path, OWN_ENTRIES);
    return null;
  }
  let journal: JournalContent<Entry>;
  try {
    journal = readJournal<Entry>(join(path, JOURNAL_FILE));
  } catch (error) {
    if (error instanceof JournalError) throw new OutputError(error.message);
    throw error;
  }
  // A run that was killed while it wrote its header has nothing to lose.
  if (journal.header === null) {
    if (!resume)
      throw new OutputError(
        `${path}: holds a run that was killed before it began: ${isMerge ? '' : 'begin it with --resume, or '}replace it with --force`,
      );
    rmSync(join(path, JOURNAL_FILE));
    return null;
  }
  const same = journal.header.configHash === configHash;
  const [held, wanted] = [journal.header.shard, shard].map((part) => (part ? shardText(part) : null));
  if (same && held !== wanted) {
    const content = held === null ? 'the whole of this run' : `shard ${held} of this run`;
    throw new OutputError(
      `${path}: holds ${content}: continue it with ${held === null ? '' : `--shard ${held} `}--resume, or name another folder with --out`,
    );
  }
  if (resume && same) return journal;
  throw new OutputError(
    same
      ? `${path}: holds a run of this config already: ${isMerge ? '' : 'continue it with --resume, or '}replace it with --force`
      : `${path}: holds another run (config, seed, trials, data or module differ): name another folder with --out, or replace it with --force`,
  );
}

/**
 * A run that was killed while another stood aside for it: the one with results stays. One whose journal is
 * damaged gives way to --force alone.
 */
function settleReplaced(path: string, { resume, force }: OpenOptions): void {
  if (!existsSync(join(path, ASIDE))) return;
  const hasResults =
    existsSync(join(path, JOURNAL_FILE)) &&
    (existsSync(join(path, CHECKPOINTS)) || hasRecords(path, force && !resume));
  if (hasResults) dropReplaced(path);
  else putBack(path);
}

/** @throws OutputError where the journal is damaged and is not to be replaced */
function hasRecords(path: string, isReplaced: boolean): boolean {
  try {
    return readJournal(join(path, JOURNAL_FILE)).records.size > 0;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    if (isReplaced) return false;
    throw new OutputError(error.message);
  }
}

/** What `writeFileAtomically` had not renamed when its process was killed. */
function removeUnfinishedFiles(path: string): void {
  for (const entry of readdirSync(path)) {
    const [, name] = /^(.+)\.tmp-\d+$/u.exec(entry) ?? [];
    if (name !== undefined && [...OWN_ENTRIES, LOCK_FILE].includes(name)) rmSync(join(path, entry));
  }
}
