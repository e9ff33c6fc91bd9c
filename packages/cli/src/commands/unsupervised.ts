import type { Command } from 'commander';
import { withInterval } from '../output/mean-json.ts';
import { printJson, printText } from '../output/print.ts';
import { shortEnd, textTable } from '../output/text-table.ts';
import { sweepText, trainConfig, trainingCommand } from '../train-config.ts';

const HELP = `
Examples:
  shuffle-dp unsupervised configs/unsupervised/k-means.yaml
  shuffle-dp unsupervised configs/unsupervised/isolation-forest.yaml --trials 2 --json

For your own numbers write \`data: { kind: csv, path: people.csv, low: 0, high: 100 }\`. Each line is one user.`;

export function unsupervisedCommand(): Command {
  return trainingCommand(
    'unsupervised',
    'config of unsupervised learning',
    HELP,
    async (configFile, options) => {
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
      if (options.json)
        return printJson({
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
        `\nFound: ${measure.title}.\n${sweepText({ ...run, asked: run.trainUsers }, options.report === false ? null : out)}`,
      );
    },
  );
}
