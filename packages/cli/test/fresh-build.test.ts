import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildIsFresh, bundlesAreFresh } from '../bin/fresh-build.mjs';

let checkout: string;
let packages: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'shuffle-dp-fresh-'));
  packages = join(checkout, 'packages');
  put('core/src/sum.ts', 10);
  put('core/dist/.tsbuildinfo', 20, built('sum.ts'));
  put('cli/src/help/page.ts', 10);
  put('cli/dist/.tsbuildinfo', 20, built('help/page.ts'));
  put('explorer/src/page.ts', 30);
  for (const folder of ['core/src', 'cli/src', 'cli/src/help']) utimesSync(join(packages, folder), 10, 10);
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

/** A file that was last changed at so many seconds. */
function put(name: string, changed: number, text = ''): void {
  const path = join(packages, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, changed, changed);
}

/** What the compiler writes of a build, as far as it is read. */
function built(file: string): string {
  return JSON.stringify({ fileNames: ['../../lib.d.ts', `../src/${file}`] });
}

it('a build after the last change of the source is fresh', () => {
  expect(buildIsFresh(packages)).toBe(true);
});

it('a build stays fresh where a folder changed and holds the files that were built', () => {
  utimesSync(join(packages, 'core/src'), 30, 30);
  expect(buildIsFresh(packages)).toBe(true);
  put('core/src/old.ts', 1);
  expect(buildIsFresh(packages)).toBe(false);
});

it.each([
  ['of a file that changed', () => put('cli/src/help/page.ts', 21)],
  ['of a file that came, however old it says it is', () => put('cli/src/help/old.ts', 1)],
  ['of a file that went', () => rmSync(join(packages, 'core/src/sum.ts'))],
  ['of a package that was never built', () => rmSync(join(packages, 'core/dist/.tsbuildinfo'))],
])('a build is not fresh because %s', (_, change) => {
  change();
  expect(buildIsFresh(packages)).toBe(false);
});

describe('bundles', () => {
  beforeEach(() => {
    put('core/dist/bundle/.built', 25);
    put('cli/dist/bundle/.built', 25);
    put('../pnpm-lock.yaml', 10);
  });

  it('are fresh after the build and the installation', () => {
    expect(bundlesAreFresh(packages)).toBe(true);
  });

  it.each([
    ['was built again', () => put('core/dist/.tsbuildinfo', 26)],
    ['was never bundled', () => rmSync(join(packages, 'cli/dist/bundle/.built'))],
    ['may have other libraries', () => put('../pnpm-lock.yaml', 26)],
  ])('are not fresh where a package %s', (_, change) => {
    change();
    expect(bundlesAreFresh(packages)).toBe(false);
  });
});
