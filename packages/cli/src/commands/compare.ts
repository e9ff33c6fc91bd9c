import { Command } from 'commander';
import { addRunOptions, printDryRun, runConfig, type RunCommandOptions } from '../run-config.ts';
import { printJson, printText } from '../output/print.ts';

const HELP = `
Examples:
  shuffle-dp compare configs/quick.yaml
  shuffle-dp compare configs/msnbc-s1.yaml --resume --all
  shuffle-dp compare configs/quick.yaml --json
  shuffle-dp compare configs/quick.yaml --certified --set users=5000 --dry-run`;

export function compareCommand(): Command {
  return addRunOptions(new Command('compare'))
    .option('--all', 'show every value of a sweep, not only the one chosen for each protocol')
    .addHelpText('after', HELP)
    .action(async (configFile: string, options: RunCommandOptions & { readonly all?: boolean }) => {
      if (options.dryRun) return printDryRun(configFile, options);
      const { run, out } = await runConfig(configFile, options);
      const all = options.all ?? false;
      if (options.json) {
        const { comparisonJson } = await import('../output/comparison-json.ts');
        return printJson(comparisonJson(run, out, all));
      }
      const { comparisonText } = await import('../output/comparison-table.ts');
      const where = options.report === false ? '' : `\n\n${out}/report.html has the figures.`;
      return printText(`${comparisonText(run, all)}${where}`);
    });
}
