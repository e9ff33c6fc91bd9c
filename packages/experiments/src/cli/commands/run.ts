import { Command } from 'commander';
import { addRunOptions, runConfig, type RunCommandOptions } from '../run-config.ts';
import { printJson, printText } from '../print.ts';

export function runCommand(): Command {
  return addRunOptions(
    new Command('run').description('Run an experiment and write its results, figures and report.'),
  )
    .option('--trace', 'also run one trial message by message, and show both sides of its shuffle')
    .addHelpText(
      'after',
      `
Examples:
  shuffle-dp run configs/quick.yaml
  shuffle-dp run configs/msnbc-s1.yaml --workers 2 --resume
  shuffle-dp run configs/quick.yaml --out /tmp/quick --trials 20 --seed other --json

The same config and seed give the same bytes in results.csv for any --workers, with or without --resume.`,
    )
    .action(async (configFile: string, options: RunCommandOptions) => {
      const { run, out } = await runConfig(configFile, options);
      if (options.json) {
        const { comparisonJson } = await import('../comparison-table.ts');
        printJson({
          ...comparisonJson(run, out),
          provenance: run.provenance,
          ...(run.trace ? { trace: run.trace } : {}),
        });
        return;
      }
      if (run.trace) {
        const { traceText } = await import('../trace-text.ts');
        printText(`${traceText(run)}\n`);
      }
      printText(
        `${run.cells.length} cells of ${run.config.trials} trials: ${out}/results.csv${options.report === false ? '' : `, ${out}/report.html`}`,
      );
    });
}
