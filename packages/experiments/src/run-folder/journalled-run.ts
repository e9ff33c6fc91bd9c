/**
 * What every run of this program shares: a folder of its own, a journal, and results that are written while
 * it is locked.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, ParameterError } from '@shuffle-dp/core';
import { ConfigError } from '../documents/config-error.ts';
import { checkpointsIn, dropCheckpoints, type Checkpoints } from './checkpoints.ts';
import { codeVersion } from './code-version.ts';
import {
  Journal,
  JOURNAL_FILE,
  RemovedError,
  type JournalEntry,
  type JournalHeader,
  type RunProvenance,
} from './journal.ts';
import { openOutputFolder } from './output-folder.ts';
import { asBefore, asStopped } from './stopped-error.ts';

export interface JournalledRunOptions<Run> {
  readonly out: string;
  readonly resume?: boolean | undefined;
  readonly force?: boolean | undefined;
  /** What repeats the run, for its provenance. */
  readonly command?: string;
  /** How the user goes on with the run if it is stopped; default with `--resume`. */
  readonly goOn?: string | undefined;
  /** Something that the user should know and that stops nothing, as one line. */
  readonly onNotice?: (line: string) => void;
  /** Called with the finished run while the folder is still locked. */
  readonly write?: (run: Run, out: string) => Promise<void>;
}

/** What is finished, and where more is put. */
export interface FinishedWork<Entry extends JournalEntry> {
  get(name: string): Entry | undefined;
  /**
   * All that finish together at once: that is one wait for the disk. Their checkpoints have served their
   * turn.
   */
  add(...entries: readonly Entry[]): void;
  readonly checkpoints: Checkpoints;
}

/**
 * What determines the bytes of a run, for its journal and views: hash, seed, versions of the code and of
 * Node.
 */
export function provenanceOf(configHash: string, seed: string, command = ''): RunProvenance {
  return { configHash, codeVersion: codeVersion(), nodeVersion: process.version, seed, command };
}

/**
 * Runs `work` on a folder that is its own; what it adds is on the disk at once and is there again with
 * `resume`. `work` is given the header of the journal: a run that is resumed keeps the names that it was
 * begun under.
 *
 * @throws OutputError, LockedError before any work; StoppedError where it cannot go on but can be resumed;
 * what `work` throws
 */
export async function journalledRun<Entry extends JournalEntry, Run>(
  header: JournalHeader,
  options: JournalledRunOptions<Run>,
  work: (finished: FinishedWork<Entry>, header: JournalHeader) => Promise<Run>,
): Promise<Run> {
  const folder = await openOutputFolder<Entry>(options.out, header.configHash, {
    resume: options.resume ?? false,
    force: options.force ?? false,
    ...(header.shard ? { shard: header.shard } : {}),
  });
  const begunBy = folder.earlier?.header?.codeVersion ?? header.codeVersion;
  if (begunBy !== header.codeVersion) {
    options.onNotice?.(
      `${options.out}: was begun by version ${begunBy} of the program, this is ${header.codeVersion}; finished cells are kept, begun ones begin again`,
    );
  }
  const entries = new Map(folder.earlier?.records);
  try {
    const file = join(folder.path, JOURNAL_FILE);
    const journal = folder.earlier ? Journal.continue(file, folder.earlier) : Journal.create(file, header);
    const checkpoints = checkpointsIn(folder.path, header.codeVersion, () => folder.replace());
    const finished: FinishedWork<Entry> = {
      get: (name) => entries.get(name),
      add: (...added) => {
        if (added.length === 0) return;
        journal.append(...added);
        if (entries.size === 0) folder.replace();
        for (const entry of added) {
          entries.set(entry.cell, entry);
          checkpoints.remove(entry.cell);
        }
      },
      checkpoints,
    };
    let run: Run;
    try {
      run = await work(finished, resumedHeader(header, folder.earlier?.header));
    } finally {
      journal.close();
    }
    dropCheckpoints(folder.path);
    folder.replace();
    await options.write?.(run, folder.path);
    folder.release();
    return run;
  } catch (error) {
    // A config or a queue that is refused leaves nothing behind for the mended command to trip over.
    const refused =
      error instanceof ConfigError || error instanceof ParameterError || errorCode(error) === 'bad-queue';
    // Nor does a run without anything to show stand in the place of one that has it.
    const isReplacing = folder.isReplacing();
    // What is there again of a folder that was removed are checkpoints of no run, unless another has it.
    const isGone = error instanceof RemovedError && !existsSync(join(folder.path, JOURNAL_FILE));
    if (isReplacing || isGone || (refused && !folder.earlier && entries.size === 0)) folder.discard();
    else folder.release();
    throw isReplacing ? asBefore(error, options.out) : asStopped(error, options.out, options.goOn);
  }
}

/** What was begun says what it is called; every version of the program that has a part in it is named. */
function resumedHeader(header: JournalHeader, begun: JournalHeader | null | undefined): JournalHeader {
  if (!begun) return header;
  const both = (field: 'codeVersion' | 'nodeVersion'): string =>
    [...new Set(`${begun[field]}, ${header[field]}`.split(', '))].join(', ');
  return { ...header, ...begun, codeVersion: both('codeVersion'), nodeVersion: both('nodeVersion') };
}
