import { join } from 'node:path';
import { Command, Option } from 'commander';
import { integerOption, textOption } from '../options.ts';
import { printJson, printText } from '../print.ts';
import { textTable } from '../text-table.ts';
import { interruptible, repeatingCommand } from '../run-config.ts';

interface ForestCommandOptions {
  readonly out?: string;
  readonly trials?: number;
  readonly seed?: string;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly report?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function forestCommand(): Command {
  return new Command('forest')
    .description(
      'Learn decision trees from shuffled histograms: accuracy, with the privacy of all rounds composed.',
    )
    .argument('<config>', 'forest config, YAML or JSON')
    .option('--out <dir>', 'folder for the results (default: results/<name>)', textOption)
    .option('--trials <n>', "in place of the config's trials", integerOption(1, 10_000))
    .option('--seed <text>', "in place of the config's seed", textOption)
    .addOption(new Option('--resume', 'continue a run that was stopped').conflicts('force'))
    .option('--force', 'replace what an earlier run left in the folder')
    .option('--no-report', 'leave out report.html and figures')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `
Examples:
  shuffle-dp forest configs/forest/mixture-tree.yaml
  shuffle-dp forest configs/forest/mixture-forest.yaml --trials 3 --json

Your own table: \`data: { kind: csv, path: people.csv, classColumn: income }\`, every column categorical.`,
    )
    .action(async (configFile: string, options: ForestCommandOptions) => {
      const [{ loadForestConfig }, { runForest }, { writeForest, meanShare, percent }, { trainingProgress }] =
        await Promise.all([
          import('../../forest/forest-schema.ts'),
          import('../../forest/run-forest.ts'),
          import('../../forest/write-forest.ts'),
          import('../progress.ts'),
        ]);
      const overrides = {
        ...(options.trials === undefined ? {} : { trials: options.trials }),
        ...(options.seed === undefined ? {} : { seed: options.seed }),
      };
      const config = loadForestConfig(configFile, overrides);
      const out = options.out ?? join('results', config.name);
      const progress = await trainingProgress(options.quiet ?? false);
      const run = await interruptible(out, (signal) =>
        runForest(config, configFile, {
          out,
          signal,
          command: repeatingCommand('forest', configFile, overrides),
          onProgress: progress.update,
          write: (result, folder) => writeForest(result, folder, options.report ?? true),
          ...(options.resume === undefined ? {} : { resume: options.resume }),
          ...(options.force === undefined ? {} : { force: options.force }),
        }),
      ).finally(() => progress.stop());
      if (options.json) {
        printJson({
          name: config.name,
          out,
          users: run.trainUsers,
          delta: run.delta,
          rows: run.results.map((result) => ({
            messages_per_round: result.messagesPerUser,
            messages_per_user: result.totalMessagesPerUser,
            rounds: result.rounds,
            epsilon: { upper: result.epsilon },
            accuracy: meanShare(result.accuracies).mean,
            accuracy_without_privacy: meanShare(result.exactAccuracies).mean,
            accuracy_of_majority: meanShare(result.majorities).mean,
          })),
        });
        return;
      }
      printText(
        textTable(
          ['messages a round', 'epsilon', 'accuracy (%)', 'without privacy (%)', 'largest class (%)'],
          run.results.map((result) => [
            String(result.messagesPerUser),
            result.epsilon.toPrecision(4),
            percent(result.accuracies),
            percent(result.exactAccuracies),
            percent(result.majorities),
          ]),
        ),
      );
      printText(
        `\n${run.results[0]!.rounds} rounds of ${run.trainUsers} users, delta ${run.delta}; epsilon is proved, over all rounds.\n${out}/report.html has the figure.`,
      );
    });
}
