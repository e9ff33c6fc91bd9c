import { expect, it, vi } from 'vitest';
import { sweepMessages, type SweptResult, type TrialTask } from '../src/message-sweep/message-sweep.ts';

it('targets that settle on one number of messages share its trials', async () => {
  const perform = vi.fn<(task: TrialTask<null>) => { value: number }>(({ messagesPerUser, trial }) => ({
    value: 10 * messagesPerUser + trial,
  }));
  const added = new Map<string, SweptResult<number>>();
  const results = await sweepMessages<null, number>(
    {
      configFile: 'sweep.yaml',
      config: { trials: 3, messagesPerUser: 5, epsilon: [1, 2, 3] },
      module: 'none: the calling thread performs all',
      sourceFor: () => null,
      settle: ({ asked: { messagesPerUser, epsilon = 9 } }) => ({
        value: { messagesPerUser: messagesPerUser ?? (epsilon < 3 ? 2 : 5), epsilon },
      }),
      perform,
    },
    {
      get: (name) => added.get(name),
      add: (...entries) => entries.forEach((entry) => added.set(entry.cell, entry)),
      checkpoints: { read: () => null, write: () => {}, remove: () => {} },
    },
    { workers: 0, out: 'none' },
  );
  expect(results.map(({ target, trials }) => [target, trials])).toEqual([
    [null, [50, 51, 52]],
    [1, [20, 21, 22]],
    [2, [20, 21, 22]],
    [3, [50, 51, 52]],
  ]);
  expect(perform).toHaveBeenCalledTimes(6);
});
