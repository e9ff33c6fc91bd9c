/**
 * A folder and those above it. Node's own `recursive: true` never returns below a folder that takes no entries, such as
 * /proc: it takes every "no such entry" for a missing parent.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemReason } from '../config/load-config.ts';

/** The folder cannot be used; earlier results are as they were. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/**
 * A folder that is there already is left as it is.
 *
 * @throws OutputError where it, or a folder above it, is a file or cannot be made
 */
export function makeFolder(path: string): void {
  try {
    const missing: string[] = [];
    let folder = resolve(path);
    while (!existsSync(folder)) {
      missing.push(folder);
      folder = dirname(folder);
    }
    for (const part of missing.toReversed()) makeOne(part);
  } catch (error) {
    throw new OutputError(`${path}: cannot be written: ${systemReason(error)}`);
  }
  if (!statSync(path).isDirectory()) throw new OutputError(`${path}: cannot be written: it is not a folder`);
}

/** Another process may make it at the same time. */
function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
