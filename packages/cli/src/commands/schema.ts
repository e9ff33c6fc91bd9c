import { Argument, Command } from 'commander';
import { CONFIG_KINDS, type ConfigKind } from '@shuffle-dp/experiments/config';
import { printJson } from '../output/print.ts';

const HELP = `
Examples:
  shuffle-dp schema > schemas/experiment.schema.json
  shuffle-dp schema forest`;

export function schemaCommand(): Command {
  return new Command('schema')
    .addArgument(
      new Argument('[kind]', 'configs of `run` and `compare`, of `learn`, of `forest`, or of `unsupervised`')
        .choices(CONFIG_KINDS)
        .default('experiment'),
    )
    .option('--json', 'the same: the schema is JSON')
    .option('--quiet', 'accepted by every command; this one shows no progress')
    .addHelpText('after', HELP)
    .action(async (kind: ConfigKind) => {
      const { configJsonSchema } = await import('../config-schemas.ts');
      printJson(configJsonSchema(kind));
    });
}
