import { Command, Option } from 'commander';
import { UsageError } from '@shuffle-dp/core';
import type { Shard } from '@shuffle-dp/experiments/run-folder';
import { counted } from '@shuffle-dp/experiments/words';
import { shardOption } from '../options/options.ts';
import { printJson, printText } from '../output/print.ts';
import { printRun } from '../output/print-run.ts';
import {
  addRunOptions,
  printDryRun,
  noteOfHandingOut,
  noticeUnless,
  runConfig,
  runConfigShard,
  type RunCommandOptions,
} from '../run-config.ts';

const HELP = `
Examples:
  shuffle-dp run configs/quick.yaml
  shuffle-dp run configs/msnbc-s1.yaml --workers 2 --resume
  shuffle-dp run configs/quick.yaml --out results/other --trials 20 --seed other --json
  shuffle-dp run configs/quick.yaml --shard 2/3
  shuffle-dp run my-data.yaml --no-truth
  shuffle-dp run configs/quick.yaml --certified --set users=5000 --dry-run

estimates.csv has every estimate under the names of the data, with the true value unless --no-truth is given.

The same config and seed give the same bytes in results.csv for any --workers, with or without --resume,
and for shards that are merged.`;

export function runCommand(): Command {
  return addRunOptions(new Command('run'))
    .option(
      '--trace',
      'also run one trial message by message, and show its messages before and after the shuffle',
    )
    .addOption(
      new Option(
        '--no-truth',
        'for real data: leave out the true values and the errors of the estimates',
      ).conflicts(['keepTrials', 'json', 'trace']),
    )
    .addOption(
      new Option('--shard <i/N>', 'run only a fixed share of the cells, into a journal for `merge`')
        .argParser(shardOption)
        .conflicts(['trace', 'keepTrials']),
    )
    .addHelpText('after', HELP)
    .action(async (configFile: string, options: RunCommandOptions & { readonly shard?: Shard }) => {
      if (options.dryRun) return printDryRun(configFile, options);
      if (options.shard && options.report === false)
        throw new UsageError('--no-report is not used with --shard: a shard writes no report');
      if (options.shard && options.truth === false)
        throw new UsageError('--no-truth is not used with --shard: say it to `merge`');
      if (options.shard) return runOneShard(configFile, options.shard, options);
      const { run, out } = await runConfig(configFile, options);
      if (options.truth === false) noteOfHandingOut(out, run, noticeUnless(options.quiet));
      return printRun(run, out, options);
    });
}

async function runOneShard(configFile: string, shard: Shard, options: RunCommandOptions): Promise<void> {
  const { run, out, merge } = await runConfigShard(configFile, shard, options);
  const { cells, cellsOfRun } = run;
  if (options.json) return printJson({ out, shard, cells, cells_of_run: cellsOfRun, merge });
  const { index, count } = shard;
  printText(
    `shard ${index}/${count}: ${cells} of ${counted(cellsOfRun, 'cell')} ${cells === 1 ? 'is' : 'are'} in ${out}/journal.jsonl; when all ${count} shards are done: ${merge}`,
  );
}
