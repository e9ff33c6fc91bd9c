/** Which runs a results folder has, and which files are whose. */
import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { saveMadeFigure, type MadeFigure } from '../../../papers/src/figures/made-figure.ts';
import { fileBeneath, listRuns } from '../../src/explore/results-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** A folder with these files, and a link in it that leads back to it. */
function results(name: string, ...files: readonly string[]): string {
  const path = join(folder, name);
  for (const file of files) {
    mkdirSync(join(path, file, '..'), { recursive: true });
    writeFileSync(join(path, file), file);
  }
  symlinkSync(path, join(path, 'again'));
  return path;
}

const listed = (path: string): object =>
  Object.fromEntries(listRuns(path).runs.map(({ name, files }) => [name, files]));

it('has the runs beside a gallery in the folder itself, whose figures are those of no run', () => {
  const path = results(
    'gallery',
    'index.html',
    'seg.fig2/seg.fig2.json',
    'seg.fig2/seg.fig2.svg',
    'quick/report.html',
    'quick/figures/error.svg',
    'papers/one/summary.json',
  );
  expect(listed(path)).toEqual({
    '': ['index.html', 'seg.fig2/seg.fig2.json', 'seg.fig2/seg.fig2.svg'],
    quick: ['figures/error.svg', 'report.html'],
    'papers/one': ['summary.json'],
  });
  expect(fileBeneath(path, 'index.html')).not.toBeNull();
});

it('has a gallery beneath another', () => {
  const path = results(
    'galleries',
    'figures/index.html',
    'figures/b/b.json',
    'figures/quick/index.html',
    'figures/quick/a/a.json',
  );
  expect(listed(path)).toEqual({
    figures: ['b/b.json', 'index.html'],
    'figures/quick': ['a/a.json', 'index.html'],
  });
});

it('knows a figure by what it leaves in its folder', () => {
  const path = results('left', 'index.html', 'fig/fig.csv');
  expect(listRuns(path).runs).toEqual([]);
  saveMadeFigure(join(path, 'fig'), { id: 'fig' } as MadeFigure);
  expect(listed(path)).toEqual({ '': ['fig/fig.csv', 'fig/fig.json', 'index.html'] });
});

it('has no gallery where a page shows no figures', () => {
  const path = results('site', 'index.html', 'pictures/a.json', 'notes/index.html', 'run/report.html');
  expect(listed(path)).toEqual({ run: ['report.html'] });
});

it('is a run itself where it has a report', () => {
  const path = results('quick', 'report.html', 'summary.json', 'figures/error.svg');
  expect(listed(path)).toEqual({ '': ['figures/error.svg', 'report.html', 'summary.json'] });
});

it.skipIf(sep === '\\')('has files of names with a backslash, where they may have one', () => {
  const path = results('odd', 'a\\b/report.html');
  expect(listed(path)).toEqual({ 'a\\b': ['report.html'] });
  expect(fileBeneath(path, 'a\\b/report.html')).not.toBeNull();
  expect(fileBeneath(path, 'a\0/report.html')).toBeNull();
});

it('that is not there has no runs', () =>
  expect(listRuns(join(folder, 'none'))).toEqual({ runs: [], left: 0 }));

it('says how many runs are left out, but for the one that is named', () => {
  const path = results('many', 'a/report.html', 'b/report.html', 'c/report.html');
  const old = listRuns(path).runs[2]!.name;
  expect(listRuns(path, null, 1)).toMatchObject({ runs: [{}], left: 2 });
  expect(listRuns(path, old, 1)).toMatchObject({ runs: [{}, { name: old }], left: 1 });
});

it.each([
  [
    'may not be looked at, as in a folder of another user',
    () => {
      throw Object.assign(new Error('EACCES: permission denied, lstat'), { code: 'EACCES' });
    },
    '1970-01-01T00:00:00.000Z',
  ],
  ['are of a time that no date has', () => ({ mtimeMs: 1e16 }) as fs.Stats, '+275760-09-13T00:00:00.000Z'],
])('has runs whose files %s', (_, lstatSync, changed) => {
  const path = results(`at ${changed.slice(0, 5)}`, 'run/report.html');
  vi.spyOn(fs, 'lstatSync').mockImplementation(lstatSync);
  syncBuiltinESMExports();
  expect(listRuns(path).runs).toEqual([{ name: 'run', changed, files: ['report.html'] }]);
});
