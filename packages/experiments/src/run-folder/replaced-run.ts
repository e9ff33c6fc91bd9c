/**
 * What --force replaces stands aside until the new run has something to show: a config that is then refused,
 * or a run that is stopped before its first result, costs nothing.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemReason } from '../words/system-reason.ts';
import { isLink, OutputError } from './make-folder.ts';

export const ASIDE = '.replaced';

/** All of them or none. @throws OutputError for one that may not be moved, as a folder without that right */
export function setAside(folder: string, entries: readonly string[]): void {
  const aside = join(folder, ASIDE);
  mkdirSync(aside, { recursive: true });
  for (const entry of entries) {
    const place = join(folder, entry);
    try {
      if (existsSync(place) || isLink(place)) renameSync(place, join(aside, entry));
    } catch (error) {
      putBack(folder);
      throw new OutputError(`${place}: cannot be replaced: ${systemReason(error)}`);
    }
  }
}

/** Puts it back in the place of what the new run has left. */
export function putBack(folder: string): void {
  const aside = join(folder, ASIDE);
  if (!existsSync(aside)) return;
  for (const entry of readdirSync(aside)) {
    rmSync(join(folder, entry), { recursive: true, force: true });
    renameSync(join(aside, entry), join(folder, entry));
  }
  rmSync(aside, { recursive: true });
}

export function dropReplaced(folder: string): void {
  rmSync(join(folder, ASIDE), { recursive: true, force: true });
}
