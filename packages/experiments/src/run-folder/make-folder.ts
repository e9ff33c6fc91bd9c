/**
 * A folder and those above it. Node's own `recursive: true` never returns below a folder that takes no
 * entries, such as /proc: it takes every "no such entry" for a missing parent.
 */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemReason } from '../words/system-reason.ts';

/** The folder cannot be used; earlier results are as they were. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code = 'bad-output';
}

/**
 * A folder that is there already is left as it is.
 *
 * @returns the folders that are made here, not by another process meanwhile, the innermost first
 * @throws OutputError where it, or a folder above it, is a file or cannot be made, or it takes no files
 */
export function makeFolder(path: string): string[] {
  const missing: string[] = [];
  const made: string[] = [];
  const refused = (reason: string): OutputError => {
    removeMade(made);
    return new OutputError(`${path}: cannot be written: ${reason}`);
  };
  try {
    let folder = resolve(path);
    while (!existsSync(folder)) {
      if (isLink(folder)) throw refused('it is a link to nothing');
      missing.push(folder);
      folder = dirname(folder);
    }
    for (const part of missing.toReversed()) if (makeOne(part)) made.unshift(part);
    if (statSync(path).isDirectory()) {
      accessSync(path, constants.W_OK);
      return made;
    }
  } catch (error) {
    throw error instanceof OutputError ? error : refused(systemReason(error));
  }
  throw refused('it is not a folder');
}

/** Takes back what `makeFolder` made, but for folders that others have put something into meanwhile. */
export function removeMade(made: readonly string[]): void {
  try {
    for (const folder of made) rmdirSync(folder);
  } catch {
    // Not empty, or gone already: neither is anyone's loss.
  }
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** False where another process has made it at the same time. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
