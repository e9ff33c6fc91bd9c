import type { Command } from 'commander';
import { withInterval } from '../output/mean-json.ts';
import { printJson, printText } from '../output/print.ts';
import { shortEnd, textTable } from '../output/text-table.ts';
import { sweepText, trainConfig, trainingCommand } from '../train-config.ts';

const HELP = `
Examples:
  shuffle-dp forest configs/forest/mixture-tree.yaml
  shuffle-dp forest configs/forest/mixture-forest.yaml --trials 3 --json

For your own table write \`data: { kind: csv, path: people.csv, classColumn: income }\`. Every column is categorical.`;

export function forestCommand(): Command {
  return trainingCommand('forest', 'forest config', HELP, async (configFile, options) => {
    const { loadForestConfig, meanShare, percent, runForest, writeForest } =
      await import('@shuffle-dp/experiments/forest');
    const kind = { command: 'forest', load: loadForestConfig, run: runForest, write: writeForest };
    const { run, config, out } = await trainConfig(kind, configFile, options);
    if (options.json)
      return printJson({
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
    printText(
      `\n${sweepText({ ...run, asked: run.askedUsers, rounds: run.results[0]!.rounds }, options.report === false ? null : out)}`,
    );
  });
}
