/** Two runs that make one folder at the same time: the one that is refused takes nothing of the other's. */
import fs, { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal, JOURNAL_FILE } from '../../src/run-folder/journal.ts';
import { openOutputFolder } from '../../src/run-folder/output-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shuffle-dp-shared-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Has `meanwhile` done before or after the next folder is made. */
function atNextFolder(moment: 'before' | 'after', meanwhile: () => void): void {
  const { mkdirSync } = fs;
  fs.mkdirSync = ((path) => {
    fs.mkdirSync = mkdirSync;
    syncBuiltinESMExports();
    if (moment === 'before') meanwhile();
    mkdirSync(path);
    if (moment === 'after') meanwhile();
  }) as typeof mkdirSync;
  syncBuiltinESMExports();
}

const header = { configHash: 'abc', codeVersion: '1', nodeVersion: 'v20', seed: 's', command: '' };
const open = (folder: string) => openOutputFolder(folder, 'abc', { resume: false, force: false });

describe('a folder that another run made and finished', () => {
  it.each(['before', 'after'] as const)('%s it could be made here stays', async (moment) => {
    const folder = join(root, 'run');
    atNextFolder(moment, () => {
      mkdirSync(folder, { recursive: true });
      const journal = Journal.create(join(folder, JOURNAL_FILE), header);
      journal.append({ cell: 'a' });
      journal.close();
      writeFileSync(join(folder, 'results.csv'), 'results');
    });
    await expect(open(folder)).rejects.toThrow('holds a run of this config already');
    expect(existsSync(join(folder, 'results.csv'))).toBe(true);
  });
});

describe('a folder that was made here', () => {
  it('is gone where it is discarded, and so are those above it', async () => {
    const taken = await open(join(root, 'a/b'));
    taken.discard();
    expect(existsSync(join(root, 'a'))).toBe(false);
  });

  it('stays where it holds what no run writes', async () => {
    const taken = await open(join(root, 'a/b'));
    writeFileSync(join(root, 'a/b/notes.txt'), 'mine');
    taken.discard();
    expect(existsSync(join(root, 'a/b/notes.txt'))).toBe(true);
  });
});
