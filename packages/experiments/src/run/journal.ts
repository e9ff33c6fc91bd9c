/**
 * The journal of a run: a header, then one line per finished cell, appended in one write and forced to the disk. A killed
 * run leaves at worst a torn last line, which is dropped, and that cell is run again.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { decodeNumbers, encodeNumbers } from './canonical-json.ts';
import type { CellDescription } from './cell-protocol.ts';

export const JOURNAL_FILE = 'journal.jsonl';
const FORMAT = 1;

export interface JournalHeader {
  readonly configHash: string;
  readonly codeVersion: string;
  readonly nodeVersion: string;
  readonly seed: string;
  readonly command: string;
}

/** What a finished piece of a run leaves, under the name that finds it again. */
export interface JournalEntry {
  readonly cell: string;
}

/** Everything that was measured of a cell; all results are views of these. */
export interface CellRecord extends JournalEntry {
  readonly description: CellDescription;
  readonly squaredErrors: readonly number[];
  readonly populationErrors: readonly number[] | null;
  readonly expectedErrors: readonly number[] | null;
  readonly biasMaxAbs: number;
  readonly seconds: number;
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

export class Journal {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  static create(file: string, header: JournalHeader): Journal {
    const journal = new Journal(openSync(file, 'wx'));
    journal.#append({ type: 'run', format: FORMAT, ...header });
    return journal;
  }

  /** Goes on after the last whole line. */
  static continue(file: string, wholeBytes: number): Journal {
    const descriptor = openSync(file, 'r+');
    ftruncateSync(descriptor, wholeBytes);
    closeSync(descriptor);
    return new Journal(openSync(file, 'a'));
  }

  append(record: JournalEntry): void {
    this.#append({ type: 'cell', ...record });
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #append(entry: object): void {
    const line = Buffer.from(`${JSON.stringify(entry, encodeNumbers)}\n`, 'utf8');
    const written = writeSync(this.#descriptor, line);
    if (written !== line.length)
      throw new Error('the journal could not be written: no space is left on the device?');
    fsyncSync(this.#descriptor);
  }
}
