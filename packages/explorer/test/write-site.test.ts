/** A build that is broken off. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeSite } from '../build/write-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('leaves no page, by which it would count as built', () => {
  const index = join(folder, 'index.html');
  writeSite(folder, { page: 'page', engines: { account: 'engine' } });
  expect([index, join(folder, 'engines/account.js')].map((file) => readFileSync(file, 'utf8'))).toEqual([
    'page',
    'engine',
  ]);
  expect(() => writeSite(folder, { page: 'page', engines: { 'no-folder/account': '' } })).toThrow('ENOENT');
  expect(existsSync(index)).toBe(false);
});
