import { Command } from 'commander';
import { withInterval } from '../output/mean-json.ts';
import { printJson, printText } from '../output/print.ts';
import { addConfigOptions, addWorkersOption, type RunCommandOptions } from '../run-config.ts';
import { shortEnd, textTable } from '../output/text-table.ts';
import { sweepText, trainConfig } from '../train-config.ts';

const HELP = `
Examples:
  shuffle-dp forest configs/forest/mixture-tree.yaml
  shuffle-dp forest configs/forest/mixture-forest.yaml --trials 3 --json

For your own table write \`data: { kind: csv, path: people.csv, classColumn: income }\`. Every column is categorical.`;

export function forestCommand(): Command {
  const command = new Command('forest');
  return addWorkersOption(addConfigOptions(command, 'forest config'))
    .addHelpText('after', HELP)
    .action(async (configFile: string, options: RunCommandOptions) => {
      const { loadForestConfig, meanShare, percent, runForest, writeForest } =
        await import('@shuffle-dp/experiments/forest');
      const kind = { command: 'forest', load: loadForestConfig, run: runForest, write: writeForest };
      const { run, config, out } = await trainConfig(kind, configFile, options);
      if (options.json) {
        printJson({
          name: config.name,
          out,
          users: run.trainUsers,
          delta: run.delta,
          trials: config.trials,
          rows: run.results.map((result) => ({
            target: result.target,
            messages_per_round: result.messagesPerUser,
            messages_per_user: result.totalMessagesPerUser,
            rounds: result.rounds,
            epsilon: { upper: result.epsilon },
            ...withInterval('accuracy', meanShare(result.accuracies), config.trials),
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
            shortEnd(result.epsilon, 'upper'),
            percent(result.accuracies),
            percent(result.exactAccuracies),
            percent(result.majorities),
          ]),
        ),
      );
      printText(`\n${sweepText(run, run.results[0]!.rounds, options.report === false ? null : out)}`);
    });
}
