/** A run that is quick to account for, here and through a queue. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../experiments/src/config/load-config.ts';
import type { Executor } from '../../experiments/src/pool/pool.ts';
import { writeResults } from '../../experiments/src/report/write-run.ts';
import { runExperiment } from '../../experiments/src/run/run-experiment.ts';
import { TASK_MODULES } from '../../experiments/src/tasks.ts';
import type { PerformTask } from '../src/work.ts';

export const CONFIG = `name: many
question: Does a queue change a byte?
seed: many
adjacency: replace-one
trials: 60
simulation: messages
data: { kind: categories-zipf, domain: 8, exponent: 1 }
users: [500, 700]
privacy: { epsilon: [0.5, 1], delta: 1e-3 }
protocols:
  - { kind: frequency, randomizer: grr }
`;

/** All that is promised to be the same bytes. */
const FILES = ['results.csv', 'estimates.csv', 'privacy.csv'];

export interface Lab {
  readonly root: string;
  readonly file: string;
  run(
    out: string,
    options: { executor?: Executor; workers?: number; resume?: boolean; signal?: AbortSignal },
  ): Promise<void>;
  bytes(out: string): string;
  remove(): void;
}

export function openLab(config = CONFIG): Lab {
  const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-queue-'));
  const file = join(root, 'many.yaml');
  writeFileSync(file, config);
  return {
    root,
    file,
    run: async (out, options) => {
      const write = (run: Parameters<typeof writeResults>[0], folder: string): Promise<void> =>
        writeResults(run, folder, { keepTrials: true, report: false });
      await runExperiment(loadConfig(file, {}), file, { out: join(root, out), write, ...options });
    },
    bytes: (out) => FILES.map((name) => readFileSync(join(root, out, name), 'latin1')).join('\n'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** In this thread: the small tasks of tests take less than a thread takes to start. */
export const performInside: PerformTask = async (module, name, task) => {
  const { url } = TASK_MODULES[module]!;
  const functions = (await import(url)) as Record<string, (task: unknown) => unknown>;
  return await functions[name]!(task);
};
