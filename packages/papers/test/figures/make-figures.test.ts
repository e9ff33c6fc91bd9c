import fs, { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { makeFigures } from '../../src/figures/make-figures.ts';
import { CENTRAL_DELTA_TABLE } from '../../src/hps/central-delta-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-figures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const made = async (out: string): Promise<readonly string[]> => {
  const figures = await makeFigures([CENTRAL_DELTA_TABLE], out, {
    quick: true,
    report: () => undefined,
    verdictsOn: () => [],
    onMade: () => undefined,
  });
  return figures.map(({ id }) => id);
};

it("a page of another's is not replaced, its own is", async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'index.html'), 'mine');
  await expect(made(other)).rejects.toThrow('shows no figures of this program: name another folder');
  expect(readFileSync(join(other, 'index.html'), 'utf8')).toBe('mine');
  const own = join(folder, 'own');
  expect(await made(own)).toEqual([CENTRAL_DELTA_TABLE.id]);
  expect(await made(own)).toEqual([CENTRAL_DELTA_TABLE.id]);
  const page = readFileSync(join(own, 'index.html'), 'utf8');
  expect(/Repeat it with<\/p><pre>(.*)<\/pre>/u.exec(page)?.[1]).toBe(
    `shuffle-dp figures ${CENTRAL_DELTA_TABLE.id} --quick`,
  );
});

it('a folder that takes no files is refused before the figure is made', async () => {
  const out = join(folder, 'read-only');
  const place = join(out, CENTRAL_DELTA_TABLE.id);
  mkdirSync(place, { recursive: true });
  // As on a file system that is mounted for reading: root may write everywhere else.
  vi.spyOn(fs, 'accessSync').mockImplementation(() => {
    throw Object.assign(new Error('EROFS: read-only file system, access'), { code: 'EROFS' });
  });
  syncBuiltinESMExports();
  const make = vi.spyOn(CENTRAL_DELTA_TABLE, 'make');
  await expect(made(out)).rejects.toMatchObject({
    name: 'OutputError',
    message: `${place}: cannot be written: the file system is read-only`,
  });
  expect(make).not.toHaveBeenCalled();
});
