import { counted } from '@shuffle-dp/experiments/words';
import { Command, Option } from 'commander';
import { printRun } from '../output/print-run.ts';
import { textOption } from '../options/options.ts';
import {
  noteOfHandingOut,
  noticeUnless,
  viewsOf,
  withoutTruth,
  type RunCommandOptions,
} from '../run-config.ts';

type MergeCommandOptions = Pick<
  RunCommandOptions,
  'force' | 'keepTrials' | 'report' | 'truth' | 'json' | 'quiet'
> & {
  readonly out: string;
};

const HELP = `
Examples:
  for i in 1 2 3; do shuffle-dp run configs/quick.yaml --shard $i/3; done
  shuffle-dp merge results/quick-shard-*-of-3 --out results/quick

The config and its data are not needed: the journals hold everything that the results are made from.`;

export function mergeCommand(): Command {
  return new Command('merge')
    .argument('<folders...>', 'folders of `run --shard`, all of one config, seed and data')
    .requiredOption('--out <dir>', 'folder for the results', textOption)
    .option('--force', 'replace what an earlier run left in the folder')
    .option('--keep-trials', 'write trials.csv, one row per trial')
    .option('--no-report', 'leave out report.html and figures')
    .addOption(
      new Option(
        '--no-truth',
        'for real data: leave out the true values and the errors of the estimates',
      ).conflicts(['keepTrials', 'json']),
    )
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no notices')
    .addHelpText('after', HELP)
    .action(async (folders: string[], options: MergeCommandOptions) => {
      const [{ mergeRuns }, { writeResults }] = await Promise.all([
        import('@shuffle-dp/experiments/run'),
        import('@shuffle-dp/experiments/report'),
      ]);
      const run = await mergeRuns(folders, {
        out: options.out,
        force: options.force ?? false,
        onNotice: noticeUnless(options.quiet),
        write: ({ provenance, ...result }, folder) => {
          // Shards hold what is true. A merge leaves it out, and so must the command that repeats the run.
          const command = options.truth === false ? withoutTruth(provenance.command) : provenance.command;
          return writeResults(
            { ...result, provenance: { ...provenance, command } },
            folder,
            viewsOf(options),
          );
        },
      });
      if (options.truth === false) noteOfHandingOut(options.out, run, noticeUnless(options.quiet));
      await printRun(run, options.out, options, ` from ${counted(folders.length, 'folder')}`);
    });
}
