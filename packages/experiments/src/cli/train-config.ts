/** What `learn` and `forest` share: the config, the folder, progress by trainings, and the run itself. */
import { join } from 'node:path';
import type { ConfigOverrides } from '../config/load-config.ts';
import type { JournalledRunOptions } from '../run-folder/journalled-run.ts';
import { interruptible } from './interruption.ts';
import { trainingProgress } from './progress.ts';
import {
  executionOf,
  noticeUnless,
  overridesOf,
  repeatingCommand,
  type RunCommandOptions,
} from './run-config.ts';

interface TrainingOptions<Run> extends JournalledRunOptions<Run> {
  readonly workers?: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** One kind of training: how its config is read, what runs it, and what is written of the run. */
export interface TrainingKind<Config extends { readonly name: string }, Run> {
  readonly command: string;
  load(configFile: string, overrides: ConfigOverrides): Config;
  run(config: Config, configFile: string, options: TrainingOptions<Run>): Promise<Run>;
  write(run: Run, folder: string, report: boolean): Promise<void>;
}

export async function trainConfig<Config extends { readonly name: string }, Run>(
  { command, load, run, write }: TrainingKind<Config, Run>,
  configFile: string,
  options: RunCommandOptions,
): Promise<{ readonly run: Run; readonly config: Config; readonly out: string }> {
  const overrides = overridesOf(options);
  const config = load(configFile, overrides);
  const out = options.out ?? join('results', config.name);
  const progress = await trainingProgress(options.quiet ?? false);
  const finished = await interruptible(out, (signal) =>
    run(config, configFile, {
      out,
      signal,
      command: repeatingCommand(command, configFile, overrides),
      onProgress: progress.update,
      onNotice: noticeUnless(options.quiet),
      write: (result, folder) => write(result, folder, options.report ?? true),
      ...executionOf(options),
    }),
  ).finally(() => progress.stop());
  return { run: finished, config, out };
}
