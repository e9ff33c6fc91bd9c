import { Command } from 'commander';
import { withInterval } from '../output/mean-json.ts';
import { printJson, printText } from '../output/print.ts';
import { addConfigOptions, addWorkersOption, type RunCommandOptions } from '../run-config.ts';
import { shortEnd, textTable } from '../output/text-table.ts';
import { sweepText, trainConfig } from '../train-config.ts';

const HELP = `
Examples:
  shuffle-dp unsupervised configs/unsupervised/k-means.yaml
  shuffle-dp unsupervised configs/unsupervised/isolation-forest.yaml --trials 2 --json

For your own numbers write \`data: { kind: csv, path: people.csv, low: 0, high: 100 }\`. Each line is one user.`;

export function unsupervisedCommand(): Command {
  const command = new Command('unsupervised');
  return addWorkersOption(addConfigOptions(command, 'config of unsupervised learning'))
    .addHelpText('after', HELP)
    .action(async (configFile: string, options: RunCommandOptions) => {
      const { loadUnsupervisedConfig, MEASURES, meanQuality, quality, runUnsupervised, writeUnsupervised } =
        await import('@shuffle-dp/experiments/unsupervised');
      const kind = {
        command: 'unsupervised',
        load: loadUnsupervisedConfig,
        run: runUnsupervised,
        write: writeUnsupervised,
      };
      const { run, config, out } = await trainConfig(kind, configFile, options);
      const measure = MEASURES[config.method.kind];
      if (options.json) {
        printJson({
          name: config.name,
          out,
          method: config.method.kind,
          measure: measure.title,
          users: run.trainUsers,
          delta: run.delta,
          rounds: run.rounds,
          trials: config.trials,
          rows: run.results.map((result) => ({
            target: result.target,
            messages_per_round: result.messagesPerUser,
            messages_per_user: result.messagesPerUser * run.rounds,
            epsilon: { upper: result.epsilon },
            ...withInterval('quality', meanQuality(run, result, 'found'), config.trials),
            quality_without_privacy: meanQuality(run, result, 'exact').mean,
            quality_of_nothing: meanQuality(run, result, 'nothing').mean,
          })),
        });
        return;
      }
      printText(
        textTable(
          ['messages a round', 'epsilon', 'found', 'without privacy', measure.nothing],
          run.results.map((result) => [
            String(result.messagesPerUser),
            shortEnd(result.epsilon, 'upper'),
            quality(meanQuality(run, result, 'found').mean),
            quality(meanQuality(run, result, 'exact').mean),
            quality(meanQuality(run, result, 'nothing').mean),
          ]),
        ),
      );
      printText(
        `\nFound: ${measure.title}.\n${sweepText(run, run.rounds, options.report === false ? null : out)}`,
      );
    });
}
