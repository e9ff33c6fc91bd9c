/**
 * The journal of a run: a header, then one line per finished cell, appended in one write and forced to the disk. A killed
 * run leaves at worst a torn last line, which is dropped, and that cell is run again. What a full disk cuts off is taken
 * back at once, so that the journal ends with a whole line.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { decodeNumbers, encodeNumbers } from './canonical-json.ts';
import { DiskError } from './disk-error.ts';
import type { Shard } from './shard.ts';

export const JOURNAL_FILE = 'journal.jsonl';
const FORMAT = 1;

/** What made a run, as far as results can depend on it. */
export interface RunProvenance {
  readonly configHash: string;
  readonly codeVersion: string;
  readonly nodeVersion: string;
  readonly seed: string;
  readonly command: string;
}

export interface JournalHeader extends RunProvenance {
  /** What is to be run, where a merge can make use of it. */
  readonly plan?: unknown;
  /** The share of the plan's cells that the journal is for; absent where it is for all. */
  readonly shard?: Shard;
}

/** What a finished piece of a run leaves, under the name that finds it again. */
export interface JournalEntry {
  readonly cell: string;
}

/** A journal that is not one. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

export interface JournalContent<Entry extends JournalEntry> {
  readonly header: JournalHeader | null;
  readonly records: ReadonlyMap<string, Entry>;
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
}

/** @throws JournalError for a line that is whole and yet makes no sense */
export function readJournal<Entry extends JournalEntry>(file: string): JournalContent<Entry> {
  const bytes = readFileSync(file);
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', 0, wholeBytes).split('\n').slice(0, -1);
  let header: JournalHeader | null = null;
  const records = new Map<string, Entry>();
  lines.forEach((line, index) => {
    let entry: { type?: string; format?: number };
    try {
      entry = JSON.parse(line, decodeNumbers) as typeof entry;
    } catch {
      throw new JournalError(`${file}: line ${index + 1}: is damaged`);
    }
    if (index === 0) {
      if (entry.type !== 'run') throw new JournalError(`${file}: line 1: is not the header of a run`);
      if (entry.format !== FORMAT)
        throw new JournalError(`${file}: was written by another version of the program`);
      header = entry as unknown as JournalHeader;
    } else if (entry.type === 'cell') {
      const { type: _, ...fields } = entry;
      const record = fields as unknown as Entry;
      records.set(record.cell, record);
    }
  });
  return { header, records, wholeBytes };
}

/** Puts bytes at the end of an open file and returns how many it put. */
export type AppendBytes = (descriptor: number, bytes: Uint8Array) => number;

const toDisk: AppendBytes = (descriptor, bytes) => {
  const written = writeSync(descriptor, bytes);
  fsyncSync(descriptor);
  return written;
};

export class Journal {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #appendBytes: AppendBytes;
  /** Up to the end of the last whole line. */
  #wholeBytes: number;
  #closed = false;

  private constructor(file: string, flag: 'wx' | 'a', wholeBytes: number, appendBytes: AppendBytes) {
    this.#file = file;
    this.#descriptor = openSync(file, flag);
    this.#wholeBytes = wholeBytes;
    this.#appendBytes = appendBytes;
  }

  /** @param appendBytes for tests of what a disk can do @throws DiskError, and leaves no journal */
  static create(file: string, header: JournalHeader, appendBytes = toDisk): Journal {
    const journal = new Journal(file, 'wx', 0, appendBytes);
    try {
      journal.#append(headerLine(header));
    } catch (error) {
      journal.close();
      rmSync(file);
      throw error;
    }
    return journal;
  }

  /** Goes on after the last whole line. */
  static continue(file: string, wholeBytes: number): Journal {
    const descriptor = openSync(file, 'r+');
    ftruncateSync(descriptor, wholeBytes);
    closeSync(descriptor);
    return new Journal(file, 'a', wholeBytes, toDisk);
  }

  /** @throws DiskError, and leaves the journal as it was */
  append(record: JournalEntry): void {
    // The number of a closed file may be another file's by now.
    if (this.#closed) throw new Error(`${this.#file}: is closed`);
    this.#append(recordLine(record));
  }

  close(): void {
    if (!this.#closed) closeSync(this.#descriptor);
    this.#closed = true;
  }

  #append(text: string): void {
    const line = Buffer.from(text, 'utf8');
    try {
      // The system says why it wrote a part only when it is asked for the rest.
      for (let written = 0; written < line.length;) {
        written += this.#appendBytes(this.#descriptor, line.subarray(written));
      }
    } catch (error) {
      ftruncateSync(this.#descriptor, this.#wholeBytes);
      throw new DiskError(this.#file, error);
    }
    this.#wholeBytes += line.length;
  }
}

/** A whole journal, as it would have been appended. */
export function journalText(header: JournalHeader, records: readonly JournalEntry[]): string {
  return [headerLine(header), ...records.map(recordLine)].join('');
}

function headerLine(header: JournalHeader): string {
  return `${JSON.stringify({ type: 'run', format: FORMAT, ...header }, encodeNumbers)}\n`;
}

function recordLine(record: JournalEntry): string {
  return `${JSON.stringify({ type: 'cell', ...record }, encodeNumbers)}\n`;
}
