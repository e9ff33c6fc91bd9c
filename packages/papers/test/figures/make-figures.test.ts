import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFigures } from '../../src/figures/make-figures.ts';
import { CENTRAL_DELTA_TABLE } from '../../src/hps/central-delta-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-figures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
