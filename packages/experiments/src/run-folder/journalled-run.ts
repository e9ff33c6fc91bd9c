/** What every run of this program shares: a folder of its own, a journal, and results that are written while it is locked. */
import { join } from 'node:path';
import { ConfigError } from '../config/config-error.ts';
import { codeVersion } from './code-version.ts';
import {
  Journal,
  JOURNAL_FILE,
  type JournalEntry,
  type JournalHeader,
  type RunProvenance,
} from './journal.ts';
import { openOutputFolder } from './output-folder.ts';
import { asStopped } from './stopped-error.ts';

export interface JournalledRunOptions<Run> {
  readonly out: string;
  readonly resume?: boolean;
  readonly force?: boolean;
  /** What repeats the run, for its provenance. */
  readonly command?: string;
  /** Something that the user should know and that stops nothing, as one line. */
  readonly onNotice?: (line: string) => void;
  /** Called with the finished run while the folder is still locked. */
  readonly write?: (run: Run, out: string) => Promise<void>;
}

/** What is finished, and where more is put. */
export interface FinishedWork<Entry extends JournalEntry> {
  get(name: string): Entry | undefined;
  add(entry: Entry): void;
}

export function provenanceOf(configHash: string, seed: string, command = ''): RunProvenance {
  return { configHash, codeVersion: codeVersion(), nodeVersion: process.version, seed, command };
}

/**
 * Runs `work` on a folder that is its own; what it adds is on the disk at once and is there again with `resume`.
 * @throws OutputError, LockedError before any work; StoppedError where it cannot go on but can be resumed; what `work` throws
 */
export async function journalledRun<Entry extends JournalEntry, Run>(
  header: JournalHeader,
  options: JournalledRunOptions<Run>,
  work: (finished: FinishedWork<Entry>) => Promise<Run>,
): Promise<Run> {
  const folder = await openOutputFolder<Entry>(options.out, header.configHash, {
    resume: options.resume ?? false,
    force: options.force ?? false,
    ...(header.shard ? { shard: header.shard } : {}),
  });
  const begunBy = folder.earlier?.header?.codeVersion ?? header.codeVersion;
  if (begunBy !== header.codeVersion) {
    options.onNotice?.(
      `${options.out}: was begun by version ${begunBy} of the program, this is ${header.codeVersion}; finished cells are kept`,
    );
  }
  const entries = new Map(folder.earlier?.records);
  try {
    const file = join(folder.path, JOURNAL_FILE);
    const journal = folder.earlier
      ? Journal.continue(file, folder.earlier.wholeBytes)
      : Journal.create(file, header);
    let run: Run;
    try {
      run = await work({
        get: (name) => entries.get(name),
        add: (entry) => {
          journal.append(entry);
          if (entries.size === 0) folder.replace();
          entries.set(entry.cell, entry);
        },
      });
    } finally {
      journal.close();
    }
    folder.replace();
    await options.write?.(run, folder.path);
    folder.release();
    return run;
  } catch (error) {
    // A config that is refused leaves nothing behind for its mended version to trip over.
    if (error instanceof ConfigError && !folder.earlier && entries.size === 0) folder.discard();
    else folder.release();
    throw asStopped(error, options.out);
  }
}
