/** Files of data: plain or gzipped, with errors that name the file and the line. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { LIMITS } from '../documents/limits.ts';
import { systemReason } from '../words/system-reason.ts';

/** A data file that cannot be read or makes no sense. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  readonly code = 'bad-data';

  constructor(file: string, reason: string, line?: number) {
    super(`${file}: ${line === undefined ? '' : `line ${line}: `}${reason}`);
  }
}

/**
 * `path` with $NAME and ${NAME} replaced, relative to `folder`. @throws DataFileError for an unset variable
 */
export function resolveDataPath(
  path: string,
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const expanded = path.replace(/\$(?:\{(\w+)\}|(\w+))/gu, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare!;
    const value = environment[name];
    if (value === undefined || value === '')
      throw new DataFileError(path, `the environment variable ${name} is not set`);
    return value;
  });
  return resolve(folder, expanded);
}

export interface DataFile {
  readonly file: string;
  readonly bytes: Buffer;
}

const GZIP_MAGIC = 0x1f8b;

/** @throws DataFileError for an unreadable, empty or truncated file */
export function readDataFile(file: string): DataFile {
  const stored = readStored(file);
  if (stored.length === 0) throw new DataFileError(file, 'is empty');
  if (stored.length < 2 || stored.readUInt16BE(0) !== GZIP_MAGIC) return { file, bytes: stored };
  try {
    return { file, bytes: gunzipSync(stored, { maxOutputLength: LIMITS.dataBytes.most }) };
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new DataFileError(file, `unpacks to more than ${LIMITS.dataBytes.most} bytes, ${MOST_READ}`);
    throw new DataFileError(
      file,
      `is not a whole gzip file: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** SHA-256 of the file as it is stored: a part of every cell's identity. @throws DataFileError */
export function fileDigest(file: string): string {
  return createHash('sha256').update(readStored(file)).digest('hex');
}

const MOST_READ = 'which is the most that is read';

/**
 * The bytes on the disk. Of what has no size, such as a device or a pipe, none: it may never end, and is read
 * more than once.
 */
function readStored(file: string): Buffer {
  try {
    const stat = statSync(file);
    if (!stat.isFile() && !stat.isDirectory())
      throw new DataFileError(file, 'is no plain file: put the data into one');
    if (stat.size > LIMITS.dataBytes.most)
      throw new DataFileError(file, `has more than ${LIMITS.dataBytes.most} bytes, ${MOST_READ}`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    throw new DataFileError(file, `cannot be read: ${systemReason(error)}`);
  }
}
