/**
 * The journal of a run: a header, then one line per finished cell, appended and forced to the disk, with
 * those of the cells that finish with it. A killed run leaves at worst a torn last line, which is dropped,
 * and that cell is run again. What a full disk cuts off is taken back at once, so that the journal ends with
 * a whole line. Every line is sealed (`sealed-line.ts`): one that is not what was written is refused.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { errorCode } from '@shuffle-dp/core';
import { decodeNumbers, encodeNumbers } from './canonical-json.ts';
import { DiskError } from './disk-error.ts';
import { isLink } from './make-folder.ts';
import { NO_SEAL, openLine, sealLine } from './sealed-line.ts';
import { systemReason } from '../words/system-reason.ts';
import type { Shard } from './shard.ts';

export const JOURNAL_FILE = 'journal.jsonl';
/** 1 had no seals. */
const FORMAT = 2;

/** What made a run, as far as results can depend on it. */
export interface RunProvenance {
  readonly configHash: string;
  readonly codeVersion: string;
  readonly nodeVersion: string;
  readonly seed: string;
  /** The command that repeats the run. */
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
  readonly code = 'bad-journal';
}

/** Of a run that goes: nobody would find what it puts into its journal. */
export class RemovedError extends Error {
  override readonly name = 'RemovedError';
  readonly code = 'bad-journal';
}

/** Where a journal ends, for what is put after it. */
export interface JournalEnd {
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
  /** Of that line. */
  readonly seal: string;
}

export interface JournalContent<Entry extends JournalEntry> extends JournalEnd {
  readonly header: JournalHeader | null;
  readonly records: ReadonlyMap<string, Entry>;
}

const NEWLINE = 0x0a;

/**
 * @throws JournalError, which names the line, for one that is whole and yet not what was written; and for a
 * file that cannot be read
 */
export function readJournal<Entry extends JournalEntry>(file: string): JournalContent<Entry> {
  const bytes = bytesOf(file);
  const wholeBytes = bytes.lastIndexOf(NEWLINE) + 1;
  let header: JournalHeader | null = null;
  const records = new Map<string, Entry>();
  let seal = NO_SEAL;
  for (let start = 0, number = 1; start < wholeBytes; number++) {
    const stop = bytes.indexOf(NEWLINE, start);
    const line = bytes.subarray(start, stop);
    start = stop + 1;
    const opened = openLine(line, seal);
    if (opened === null) throw new JournalError(`${file}: ${faultOf(line, number)}`);
    seal = opened.seal;
    const { type, format, ...fields } = JSON.parse(opened.json, decodeNumbers) as Line;
    if (number === 1) {
      if (type !== 'run' || format !== FORMAT)
        throw new JournalError(`${file}: was written by another version of the program; ${START_AGAIN}`);
      header = fields as unknown as JournalHeader;
    } else {
      const record = fields as unknown as Entry;
      records.set(record.cell, record);
    }
  }
  return { header, records, wholeBytes, seal };
}

/**
 * The system names no file where the disk fails while it reads. A file that is not there is no journal: its
 * reader says what is missing.
 *
 * @throws JournalError
 */
export function bytesOf(file: string): Buffer {
  try {
    const status = statSync(file);
    // What is read of a device or a pipe may have no end. A folder is refused as one.
    if (status.isFile() || status.isDirectory()) return readFileSync(file);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
    if (isMissing && isLink(file))
      throw new JournalError(`${file}: cannot be read: it is a link to nothing; ${START_AGAIN}`);
    if (isMissing) throw error;
    throw new JournalError(`${file}: cannot be read: ${systemReason(error)}`);
  }
  throw new JournalError(`${file}: cannot be read: it is no plain file`);
}

interface Line {
  readonly type?: string;
  readonly format?: number;
}

const START_AGAIN = 'start again with --force, or in another folder';

/** Why a line was not opened, and what to do. */
function faultOf(line: Uint8Array, number: number): string {
  if (number > 1)
    return `line ${number}: is damaged, or a line before it is gone; delete it and all lines after it to go on from there with --resume, or ${START_AGAIN}`;
  return isUnsealedHeader(line)
    ? `was written by an earlier version of the program, which did not seal its lines; resume it with that version, or ${START_AGAIN}`
    : `line 1: is damaged, or not the header of a run; ${START_AGAIN}`;
}

function isUnsealedHeader(line: Uint8Array): boolean {
  try {
    const { type, format } = JSON.parse(Buffer.from(line).toString('utf8')) as Line;
    return type === 'run' && format === 1;
  } catch {
    return false;
  }
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
  #end: JournalEnd;
  #closed = false;

  private constructor(file: string, flag: 'wx' | 'a', end: JournalEnd, appendBytes: AppendBytes) {
    this.#file = file;
    this.#descriptor = openSync(file, flag);
    this.#end = end;
    this.#appendBytes = appendBytes;
  }

  /** @param appendBytes for tests of what a disk can do @throws DiskError, and leaves no journal */
  static create(file: string, header: JournalHeader, appendBytes = toDisk): Journal {
    const journal = new Journal(file, 'wx', { wholeBytes: 0, seal: NO_SEAL }, appendBytes);
    try {
      journal.#append([headerJson(header)]);
    } catch (error) {
      journal.close();
      rmSync(file);
      throw error;
    }
    return journal;
  }

  /** Goes on after the last whole line. @throws DiskError */
  static continue(file: string, { wholeBytes, seal }: JournalEnd): Journal {
    try {
      truncateSync(file, wholeBytes);
    } catch (error) {
      throw new DiskError(file, error);
    }
    return new Journal(file, 'a', { wholeBytes, seal }, toDisk);
  }

  /** @throws DiskError, and leaves the journal as it was; RemovedError */
  append(...records: readonly JournalEntry[]): void {
    // The number of a closed file may be another file's by now.
    if (this.#closed) throw new Error(`${this.#file}: is closed`);
    // The system writes on to a file that was removed. Some network disks count no links of any.
    if (fstatSync(this.#descriptor).nlink === 0 && !existsSync(this.#file))
      throw new RemovedError(`${this.#file}: was removed while the run went: begin it again`);
    this.#append(records.map(recordJson));
  }

  close(): void {
    if (!this.#closed) closeSync(this.#descriptor);
    this.#closed = true;
  }

  #append(documents: readonly string[]): void {
    const { lines, seal } = sealedLines(documents, this.#end.seal);
    const bytes = Buffer.from(lines, 'utf8');
    const { wholeBytes } = this.#end;
    try {
      // The system says why it wrote a part only when it is asked for the rest.
      for (let written = 0; written < bytes.length;) {
        written += this.#appendBytes(this.#descriptor, bytes.subarray(written));
      }
    } catch (error) {
      ftruncateSync(this.#descriptor, wholeBytes);
      throw new DiskError(this.#file, error);
    }
    this.#end = { wholeBytes: wholeBytes + bytes.length, seal };
  }
}

/** A whole journal, as it would have been appended. */
export function journalText(header: JournalHeader, records: readonly JournalEntry[]): string {
  return sealedLines([headerJson(header), ...records.map(recordJson)], NO_SEAL).lines;
}

/** Each sealed with the one before. @param before the seal that comes first */
function sealedLines(
  documents: readonly string[],
  before: string,
): { readonly lines: string; readonly seal: string } {
  let seal = before;
  const lines = documents.map((json) => {
    const line = sealLine(json, seal);
    ({ seal } = line);
    return `${line.text}\n`;
  });
  return { lines: lines.join(''), seal };
}

function headerJson(header: JournalHeader): string {
  return JSON.stringify({ type: 'run', format: FORMAT, ...header }, encodeNumbers);
}

function recordJson(record: JournalEntry): string {
  return JSON.stringify({ type: 'cell', ...record }, encodeNumbers);
}
