// A system that has no room for a thread: containers limit how many there may be.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import type * as WorkerThreads from 'node:worker_threads';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { planOnThreads } from '../../src/plan/plan-threads.ts';
import { openThreads } from '../../src/pool/pool.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { BUSY_TASKS } from './busy-task.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-no-room-'));
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Ten terabytes of stack, which no system has: Node refuses as where there may be no more threads. */
function takeRoom(): void {
  const threads = createRequire(import.meta.url)('node:worker_threads') as typeof WorkerThreads;
  const { Worker } = threads;
  class Huge extends Worker {
    constructor(...[file, options]: ConstructorParameters<typeof Worker>) {
      super(file, { ...options, resourceLimits: { stackSizeMb: 1e7 } });
    }
  }
  vi.spyOn(threads, 'Worker').mockImplementation(function (...args) {
    return new Huge(...args);
  });
  syncBuiltinESMExports();
}

const WHY = /^a worker thread cannot be started: the system allows no more threads, .* \(E[A-Z]+\)/u;

it('threads that cannot be started are refused in one line', () => {
  takeRoom();
  expect(() => openThreads(BUSY_TASKS, 2)).toThrow(WHY);
});

it('a run says besides how to go on', async () => {
  takeRoom();
  const config = parseConfig(
    '{ name: a, seed: 1, adjacency: replace-one, trials: 1, data: { kind: categories-uniform, domain: 4 }, users: 9, privacy: { delta: 1e-6, epsilon: 1 }, protocols: [{ kind: frequency, randomizer: grr }] }',
    'a.yaml',
  );
  await expect(runExperiment(config, 'a.yaml', { out: join(root, 'out'), workers: 1 })).rejects.toMatchObject(
    {
      name: 'StoppedError',
      message: expect.stringMatching(new RegExp(`${WHY.source}; finished cells are kept in .*--resume`, 'u')),
    },
  );
});

it('a plan is refused in the same line', async () => {
  takeRoom();
  const setting = { task: 'mean', users: 2000, epsilon: 1, delta: 1e-6 } as const;
  await expect(planOnThreads(setting, 2)).rejects.toThrow(WHY);
});
