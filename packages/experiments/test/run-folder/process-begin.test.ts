import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { beginOf, isAlive } from '../../src/run-folder/lock/process-begin.ts';

it('a process that is going on is told from an earlier one of its number', () => {
  const begin = beginOf(process.pid);
  expect(isAlive(process.pid, begin)).toBe(true);
  expect(isAlive(process.pid, '')).toBe(true);
  if (begin !== '') expect(isAlive(process.pid, `${begin}0`)).toBe(false);
});

it.skipIf(beginOf(process.pid) === '')(
  'a process that has ended is gone, though nobody asked how it ended',
  async () => {
    // The shell gives way to a program that asks after no child, as the first process of a container does.
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line);
      const begin = beginOf(pid);
      // Polling is one wait after another.
      // oxlint-disable-next-line no-await-in-loop
      while (isAlive(pid, begin)) await setTimeout(50);
      // Its number is still there.
      expect(beginOf(pid)).toBe(begin);
      expect(isAlive(pid, '')).toBe(false);
    } finally {
      parent.kill();
    }
  },
);
