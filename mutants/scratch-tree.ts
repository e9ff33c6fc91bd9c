/** A copy of the packages in which a line may be broken, with the tests and the libraries of the checkout. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScratchTree {
  readonly folder: string;
  /** Runs the tests below `tests` and stops at the first failure. */
  readonly test: (tests: string, limitMs: number) => Promise<TestOutcome>;
  readonly remove: () => void;
}

export interface TestOutcome {
  readonly verdict: 'passed' | 'failed' | 'timed out';
  readonly ms: number;
}

export function makeScratchTree(checkout: string): ScratchTree {
  const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-mutants-'));
  const link = (path: string): void => symlinkSync(join(checkout, path), join(folder, path));
  for (const path of ['node_modules', 'docs']) link(path);
  for (const path of ['package.json', 'mutants', 'tsconfig.base.json'])
    cpSync(join(checkout, path), join(folder, path), { recursive: true });
  for (const name of readdirSync(join(checkout, 'packages'))) {
    const room = join('packages', name);
    for (const part of ['src', 'test', 'package.json', 'tsconfig.json']) {
      const path = join(room, part);
      if (existsSync(join(checkout, path)))
        cpSync(join(checkout, path), join(folder, path), { recursive: true });
    }
    link(join(room, 'node_modules'));
  }
  return {
    folder,
    test: (tests, limitMs) => runTests(folder, tests, limitMs),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function runTests(folder: string, tests: string, limitMs: number): Promise<TestOutcome> {
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const options = [
    '--config',
    'mutants/vitest.config.ts',
    '--dir',
    tests,
    '--bail',
    '1',
    '--reporter',
    'dot',
  ];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    // A group of its own, so that a broken loop in a worker ends with it.
    const child = spawn(process.execPath, [vitest, 'run', ...options], {
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      process.kill(-child.pid!, 'SIGKILL');
    }, limitMs);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      const verdict = late ? 'timed out' : code === 0 ? 'passed' : 'failed';
      resolve({ verdict, ms: performance.now() - started });
    });
  });
}
