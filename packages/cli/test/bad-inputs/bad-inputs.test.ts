// Every bad input ends in one line that says where, with exit code 2, and changes no file: here in this
// process, which is quick.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runProgram } from '../../src/main.ts';
import { BAD_INPUTS } from './index.ts';

const home = process.cwd();
const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-bad-'));
let stdout = '';
let stderr = '';
beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((stdout += String(text))));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((stderr += String(text))));
});
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(home);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('there are many', () => {
  expect(BAD_INPUTS.length).toBeGreaterThanOrEqual(400);
  // Some files have millions of lines.
  const cases = new Set(
    BAD_INPUTS.map(({ args, files = {} }) => {
      const contents = Object.entries(files).map(([name, text]) => [
        name,
        createHash('md5').update(text).digest('hex'),
      ]);
      return JSON.stringify([args, contents]);
    }),
  );
  expect(cases.size).toBe(BAD_INPUTS.length);
});

it.each(BAD_INPUTS.map((input, i) => ({ ...input, i, shown: shown(input) })))(
  '$i: $shown',
  async ({ args, files = {}, says, i }) => {
    const folder = join(root, String(i));
    mkdirSync(folder);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    process.chdir(folder);
    const entries = (): Set<unknown> =>
      new Set<unknown>(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
    const before = entries();
    const running = args[0] === 'run' || args[0] === 'compare' || args[0] === 'learn';
    // Threads are another test's; here they would only take time.
    const workers = running && !args.includes('--workers') ? ['--workers', '0'] : [];
    const code = await runProgram(['node', 'shuffle-dp', ...args, ...workers]);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
    expect(stderr).toMatch(/^[^\n]+\n$/u);
    expect(stderr).not.toMatch(/Invalid input|\[object|undefined|ZodError|\bat .*\.ts:/u);
    expect(entries()).toEqual(before);
  },
);

function shown({ args, files, says }: (typeof BAD_INPUTS)[number]): string {
  const name = Object.keys(files ?? {}).join(' ');
  return `${args.join(' ')} ${name}: ${says}`.replaceAll(/[\p{Cc}$%]/gu, '?').slice(0, 120);
}
