/** What all commands that learn share: the config, the folder, progress by trainings, and the run itself. */
import { join } from 'node:path';
import { Command } from 'commander';
import type { ConfigOverrides } from '@shuffle-dp/experiments/config';
import type { JournalledRunOptions } from '@shuffle-dp/experiments/run-folder';
import { counted, shortNumber } from '@shuffle-dp/experiments/words';
import { trainingProgress } from './progress/progress.ts';
import {
  addConfigOptions,
  addWorkersOption,
  executed,
  overridesOf,
  repeatingCommand,
  type RunCommandOptions,
  type SharedRunOptions,
} from './run-config.ts';

/** A command that runs configs of one kind. @param what the kind, as its argument is described */
export function trainingCommand(
  name: string,
  what: string,
  help: string,
  action: (configFile: string, options: RunCommandOptions) => Promise<void>,
): Command {
  return addWorkersOption(addConfigOptions(new Command(name), what))
    .addHelpText('after', help)
    .action(action);
}

type TrainingUpdate = (done: number, total: number) => void;

type TrainingOptions<Run> = SharedRunOptions<TrainingUpdate> & Pick<JournalledRunOptions<Run>, 'write'>;

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
  const finished = await executed(
    out,
    repeatingCommand(command, configFile, overrides),
    options,
    progress,
    (shared) =>
      run(config, configFile, {
        ...shared,
        write: (result, folder) => write(result, folder, options.report ?? true),
      }),
  );
  return { run: finished, config, out };
}

/** A sweep, as what stands below its table tells it. */
interface ToldSweep {
  /** Users of a round. */
  readonly asked: number;
  readonly rounds: number;
  readonly delta: number;
  readonly results: readonly { readonly epsilon: number }[];
}

/** What stands below the table of a sweep. @param report where it was written; null without one */
export function sweepText({ asked, rounds, delta, results }: ToldSweep, report: string | null): string {
  const epsilons = results.map(({ epsilon }) => epsilon);
  const proved = epsilons.includes(Infinity)
    ? 'where epsilon is a number it is proved for all rounds together'
    : 'epsilon is proved for all rounds together';
  // One place makes no figure.
  const places = new Set(epsilons.filter((epsilon) => epsilon < Infinity)).size;
  const where = report === null ? '' : `\n${report}/report.html has the ${places > 1 ? 'figure' : 'table'}.`;
  return `${counted(rounds, 'round')} of ${counted(asked, 'user')}, delta ${shortNumber(delta)}; ${proved}.${where}`;
}
