// Where accounts are kept: never in the folder that the program happens to be started in, and nowhere rather
// than a failure.
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cacheFolder } from '../../src/options/cache-folder.ts';

beforeEach(() => {
  for (const name of ['SHUFFLE_DP_CACHE', 'XDG_CACHE_HOME', 'LOCALAPPDATA']) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

it('is in the home of the user', () => {
  const home = resolve('/home/ada');
  expect(cacheFolder(() => home)).toBe(join(home, '.cache/shuffle-dp'));
});

it('is nowhere for a user whom the system does not know', () => {
  const unknown = (): string => {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)');
  };
  expect(cacheFolder(unknown)).toBeUndefined();
});

it.each(['', 'home'])('is nowhere where HOME is %j', (home) => {
  expect(cacheFolder(() => home)).toBeUndefined();
});
