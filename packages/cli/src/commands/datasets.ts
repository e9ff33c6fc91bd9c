import { Command } from 'commander';
import { printJson, printText } from '../output/print.ts';

export function datasetsCommand(): Command {
  return new Command('datasets')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'accepted by every command; this one shows no progress')
    .addHelpText('after', '\nExample:\n  shuffle-dp datasets --json')
    .action(async (options: { readonly json?: boolean }) => {
      const { DATA_SETS } = await import('@shuffle-dp/experiments/data');
      const listed = DATA_SETS.map(({ kind, values, description, schema }) => ({
        kind,
        values,
        parameters: Object.keys(schema.shape).filter((name) => name !== 'kind'),
        description,
      }));
      if (options.json) return printJson({ datasets: listed });
      printText(
        listed
          .map(
            ({ kind, values, parameters, description }) =>
              `${kind} (${values}; ${parameters.join(', ')})\n    ${description}`,
          )
          .join('\n'),
      );
    });
}
