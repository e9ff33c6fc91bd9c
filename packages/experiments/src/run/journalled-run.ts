/** What every run of this program shares: a folder of its own, a journal, and results that are written while it is locked. */
import { join } from 'node:path';
import { codeVersion } from './code-version.ts';
import { Journal, JOURNAL_FILE, type JournalEntry, type JournalHeader } from './journal.ts';
import { openOutputFolder } from './output-folder.ts';

export interface JournalledRunOptions<Run> {
  readonly out: string;
  readonly resume?: boolean;
  readonly force?: boolean;
  /** What repeats the run, for its provenance. */
  readonly command?: string;
  /** Called with the finished run while the folder is still locked. */
  readonly write?: (run: Run, out: string) => Promise<void>;
}

/** What is finished, and where more is put. */
export interface FinishedWork<Entry extends JournalEntry> {
  get(name: string): Entry | undefined;
  add(entry: Entry): void;
}

export function provenanceOf(configHash: string, seed: string, command = ''): JournalHeader {
  return { configHash, codeVersion: codeVersion(), nodeVersion: process.version, seed, command };
}

/**
 * Runs `work` on a folder that is its own; what it adds is on the disk at once and is there again with `resume`.
 * @throws OutputError, LockedError before any work
 */
export async function journalledRun<Entry extends JournalEntry, Run>(
  provenance: JournalHeader,
  options: JournalledRunOptions<Run>,
  work: (finished: FinishedWork<Entry>) => Promise<Run>,
): Promise<Run> {
  const folder = await openOutputFolder<Entry>(options.out, provenance.configHash, {
    resume: options.resume ?? false,
    force: options.force ?? false,
  });
  try {
    const file = join(folder.path, JOURNAL_FILE);
    const journal = folder.earlier
      ? Journal.continue(file, folder.earlier.wholeBytes)
      : Journal.create(file, provenance);
    const entries = new Map(folder.earlier?.records);
    let run: Run;
    try {
      run = await work({
        get: (name) => entries.get(name),
        add: (entry) => {
          journal.append(entry);
          entries.set(entry.cell, entry);
        },
      });
    } finally {
      journal.close();
    }
    await options.write?.(run, folder.path);
    return run;
  } finally {
    folder.release();
  }
}
