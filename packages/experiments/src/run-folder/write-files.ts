/** Files that are written whole or not at all. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskError } from './disk-error.ts';

/**
 * All of the file or none of it: written beside, then renamed. @throws DiskError, and leaves the file as it
 * was
 */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const beside = `${path}.tmp-${process.pid}`;
  try {
    try {
      writeWhole(beside, content);
      renameSync(beside, path);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  } catch (error) {
    throw new DiskError(path, error);
  }
}

function writeWhole(path: string, content: string | Uint8Array): void {
  const descriptor = openSync(path, 'w');
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Contents by name, each atomically, in their order. @throws DiskError */
export function writeFiles(folder: string, contents: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(contents)) writeFileAtomically(join(folder, name), content);
}

/** A document as people and scripts read it. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
