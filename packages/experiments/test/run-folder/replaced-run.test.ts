/** --force loses nothing before the new run has a result. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/documents/config-error.ts';
import { journalledRun } from '../../src/run-folder/journalled-run.ts';
import { openOutputFolder } from '../../src/run-folder/output-folder.ts';
import { ASIDE, setAside } from '../../src/run-folder/replaced-run.ts';
import { writeFiles } from '../../src/run-folder/write-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shuffle-dp-replaced-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const headerOf = (configHash: string) => ({
  configHash,
  codeVersion: '1',
  nodeVersion: 'v20',
  seed: 's',
  command: '',
});
const results = (): string => readFileSync(join(root, 'results.csv'), 'utf8');

it.skipIf(process.platform === 'win32')(
  'a run whose folder is removed while it goes ends there',
  async () => {
    const out = join(root, 'out');
    const going = journalledRun(headerOf('a'), { out }, (finished) => {
      rmSync(out, { recursive: true });
      finished.checkpoints.write('cell', {});
      finished.add({ cell: 'cell' });
      return Promise.resolve('done');
    });
    await expect(going).rejects.toThrow(
      expect.objectContaining({
        code: 'bad-journal',
        message: `${join(out, 'journal.jsonl')}: was removed while the run went: begin it again`,
      }),
    );
    expect(existsSync(out)).toBe(false);
  },
);

/** A run of one cell, whose results are its name. */
function run(name: string, force: boolean, fail?: Error): Promise<string> {
  const write = (result: string, folder: string): Promise<void> =>
    Promise.resolve(writeFiles(folder, { 'results.csv': result }));
  return journalledRun(headerOf(name), { out: root, force, write }, (finished) => {
    if (fail) return Promise.reject(fail);
    finished.add({ cell: 'a' });
    return Promise.resolve(name);
  });
}

describe('a run that replaces another', () => {
  it('has its place once it has results', async () => {
    await run('old', false);
    await run('new', true);
    expect(results()).toBe('new');
    expect(existsSync(join(root, ASIDE))).toBe(false);
  });

  it.skipIf(process.platform === 'win32')(
    'has its place where the journal is a link to nothing',
    async () => {
      symlinkSync('nowhere', join(root, 'journal.jsonl'));
      await run('new', true);
      expect(results()).toBe('new');
      expect(readFileSync(join(root, 'journal.jsonl'), 'utf8')).toContain('"cell"');
    },
  );

  it('and is refused leaves the other as it was', async () => {
    await run('old', false);
    const journal = readFileSync(join(root, 'journal.jsonl'), 'utf8');
    await expect(run('new', true, new ConfigError('refused'))).rejects.toThrow('refused');
    expect(results()).toBe('old');
    expect(readFileSync(join(root, 'journal.jsonl'), 'utf8')).toBe(journal);
    expect(existsSync(join(root, ASIDE))).toBe(false);
  });

  it('but may not move a part of it leaves all where it was', async () => {
    await run('old', false);
    // No folder can be moved into itself, whoever asks for it.
    expect(() => setAside(root, ['journal.jsonl', 'results.csv', '.'])).toThrow(
      expect.objectContaining({
        code: 'bad-output',
        message: expect.stringContaining(`${root}: cannot be replaced: `) as string,
      }),
    );
    expect(readdirSync(root).toSorted()).toEqual(['journal.jsonl', 'results.csv']);
    expect(results()).toBe('old');
  });

  it.each([false, true])('and is killed before it has a journal gives way, --force %s', async (force) => {
    await run('old', false);
    const killed = await openOutputFolder(root, 'new', { resume: false, force: true });
    killed.release();
    expect(existsSync(join(root, ASIDE))).toBe(true);
    if (!force) await expect(run('third', false)).rejects.toThrow('holds another run');
    else await run('third', true);
    expect(results()).toBe(force ? 'third' : 'old');
    expect(existsSync(join(root, ASIDE))).toBe(false);
  });

  it('and has a damaged journal gives way to --force alone', async () => {
    await run('old', false);
    const killed = await openOutputFolder(root, 'new', { resume: false, force: true });
    killed.release();
    writeFileSync(join(root, 'journal.jsonl'), 'damaged\n');
    await expect(run('third', false)).rejects.toMatchObject({
      code: 'bad-output',
      message: expect.stringContaining('journal.jsonl: line 1: is damaged') as string,
    });
    await run('third', true);
    expect(results()).toBe('third');
    expect(existsSync(join(root, ASIDE))).toBe(false);
  });

  it('and is stopped before its first result gives way to the other again', async () => {
    await run('old', false);
    await expect(run('new', true, new Error('killed'))).rejects.toThrow('killed');
    expect(results()).toBe('old');
    expect(existsSync(join(root, ASIDE))).toBe(false);
    await expect(run('third', false)).rejects.toThrow('holds another run');
  });
});
