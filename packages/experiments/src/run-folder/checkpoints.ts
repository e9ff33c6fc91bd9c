/**
 * How far the unfinished pieces of a run are: a sealed file for each below the run's folder, replaced whole
 * as the piece goes on, and removed when the piece is in the journal. What another version of the program has
 * begun is begun again.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { decodeNumbers, encodeNumbers } from './canonical-json.ts';
import { bytesOf, JournalError } from './journal.ts';
import { makeFolder } from './make-folder.ts';
import { NO_SEAL, openLine, sealLine } from './sealed-line.ts';
import { writeFileAtomically } from './write-files.ts';

export const CHECKPOINTS = 'checkpoints';

/** A file's parts are plain data and Float64Arrays. */
export interface Checkpoints {
  /** Null where there is none of this version of the program. @throws JournalError where it is damaged */
  read(piece: string): object | null;
  /** @throws DiskError, OutputError */
  write(piece: string, state: object): void;
  remove(piece: string): void;
}

/** @param onFirst called before the first file is written */
export function checkpointsIn(folder: string, codeVersion: string, onFirst = (): void => {}): Checkpoints {
  const place = join(folder, CHECKPOINTS);
  const fileOf = (piece: string): string => join(place, `${piece.replaceAll(/[^\w.=]+/gu, '-')}.json`);
  let begun = false;
  return {
    read: (piece) => {
      const file = fileOf(piece);
      if (!existsSync(file)) return null;
      const { codeVersion: madeBy, state } = opened(file, piece);
      return madeBy === codeVersion ? state : null;
    },
    write: (piece, state) => {
      if (!begun) {
        onFirst();
        makeFolder(place);
        begun = true;
      }
      const json = JSON.stringify({ type: 'checkpoint', piece, codeVersion, state }, encodeNumbers);
      writeFileAtomically(fileOf(piece), `${sealLine(json, NO_SEAL).text}\n`);
    },
    remove: (piece) => rmSync(fileOf(piece), { force: true }),
  };
}

export function dropCheckpoints(folder: string): void {
  rmSync(join(folder, CHECKPOINTS), { recursive: true, force: true });
}

interface Content {
  readonly piece: string;
  readonly codeVersion: string;
  readonly state: object;
}

function opened(file: string, piece: string): Content {
  const bytes = bytesOf(file);
  const line = openLine(bytes.subarray(0, -1), NO_SEAL);
  const content = line && (JSON.parse(line.json, decodeNumbers) as Content);
  if (content?.piece !== piece)
    throw new JournalError(`${file}: line 1: is damaged; delete the file: what it holds is run again`);
  return content;
}

/** What a run that is killed loses, about: less would take short runs a tenth of their time. */
const LEAST_PAUSE_MS = 1500;
/** Writing takes at most one part in so many of the time. */
const PAUSE_PER_WRITING = 20;

/** When it is time to write again what is written again and again. */
export class Pace {
  #due = performance.now() + LEAST_PAUSE_MS;

  isDue(): boolean {
    return performance.now() >= this.#due;
  }

  /** Performs `write`; the next time comes the later the longer that took. */
  keep(write: () => void): void {
    const start = performance.now();
    write();
    const end = performance.now();
    this.#due = end + Math.max(LEAST_PAUSE_MS, PAUSE_PER_WRITING * (end - start));
  }
}
