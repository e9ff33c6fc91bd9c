/** A merge that cannot be written costs nothing that was there before. */
import fs, { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DiskError } from '../../src/run-folder/disk-error.ts';
import { JOURNAL_FILE } from '../../src/run-folder/journal.ts';
import { ASIDE } from '../../src/run-folder/replaced-run.ts';
import { mergeRuns } from '../../src/run/merge-runs.ts';
import { CATEGORIES, LAST_PROTOCOL, runFolder } from './run-fixture.ts';

const noSpace = (file: string): DiskError =>
  new DiskError(file, Object.assign(new Error(), { code: 'ENOSPC' }));

/** No journal can be written anew while `work` is done. */
async function withFullDisk(work: () => Promise<void>): Promise<void> {
  const { openSync } = fs;
  fs.openSync = (path, ...rest) => {
    if (String(path).includes(`${JOURNAL_FILE}.tmp-`)) throw Object.assign(new Error(), { code: 'ENOSPC' });
    return openSync(path, ...rest);
  };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  }
}

const { root, run } = runFolder();
const at = (name: string): string => join(root, name);
const journal = (name: string): string => readFileSync(join(at(name), 'journal.jsonl'), 'utf8');

describe('a merge', () => {
  beforeAll(async () => {
    await run(CATEGORIES, { out: at('one') });
    await run(CATEGORIES.replace(LAST_PROTOCOL, ''), { out: at('old') });
  });

  it('whose journal cannot be written leaves the run that it replaces', async () => {
    const before = journal('old');
    await withFullDisk(async () => {
      await expect(mergeRuns([at('one')], { out: at('old'), force: true })).rejects.toThrow(
        /old\/journal.jsonl: cannot be written: .*; \S+old is as it was: free some space, then give the same command again$/u,
      );
      await expect(mergeRuns([at('one')], { out: at('new') })).rejects.toThrow('new is as it was');
    });
    expect(journal('old')).toBe(before);
    expect(existsSync(join(at('old'), ASIDE))).toBe(false);
    expect(existsSync(at('new'))).toBe(false);
  });

  it('whose tables cannot be written says that its cells are kept', async () => {
    const write = (): Promise<void> => Promise.reject(noSpace('results.csv'));
    await expect(mergeRuns([at('one')], { out: at('untold'), write })).rejects.toThrow(
      /; the merged cells are kept in \S+untold: free some space, then give the same command again, with --force$/u,
    );
    await mergeRuns([at('one')], { out: at('untold'), force: true });
  });

  it('into a link to one of its folders is refused', async () => {
    symlinkSync(at('one'), at('link'));
    await expect(mergeRuns([at('one')], { out: at('link'), force: true })).rejects.toThrow(
      /link: is one of the folders to merge: name another with --out$/u,
    );
    expect(journal('one')).not.toBe('');
  });
});
