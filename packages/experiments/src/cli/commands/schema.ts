import { Command } from 'commander';
import { printJson } from '../print.ts';

export function schemaCommand(): Command {
  return new Command('schema')
    .description("Print the JSON Schema of configs, for editors' completion and checks.")
    .option('--json', 'the same: the schema is JSON')
    .option('--quiet', 'no progress; there is none')
    .addHelpText('after', '\nExample:\n  shuffle-dp schema > schemas/experiment.schema.json')
    .action(async () => {
      const { experimentJsonSchema } = await import('../../config/schema.ts');
      printJson(experimentJsonSchema());
    });
}
