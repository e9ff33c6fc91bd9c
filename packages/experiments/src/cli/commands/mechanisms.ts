import { Command } from 'commander';
import { exampleCommand, flagName, MECHANISMS } from '../../account/mechanism-list.ts';
import { printJson, printText } from '../print.ts';

export function mechanismsCommand(): Command {
  return new Command('mechanisms')
    .description('List the mechanisms that account knows, with their parameters and sources.')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress; there is none')
    .addHelpText('after', '\nExample:\n  shuffle-dp mechanisms --json')
    .action((options: { readonly json?: boolean }) => {
      if (options.json) {
        printJson({
          mechanisms: MECHANISMS.map(({ example, ...mechanism }) => ({
            ...mechanism,
            example: exampleCommand(mechanism.name, example),
            parameters: mechanism.parameters.map((parameter) => ({
              ...parameter,
              flag: `--${flagName(parameter.name)}`,
            })),
          })),
        });
        return;
      }
      printText(MECHANISMS.map(mechanismText).join('\n\n'));
    });
}

function mechanismText({
  name,
  title,
  description,
  source,
  parameters,
  usersMean,
  ratios,
  estimator,
  example,
}: (typeof MECHANISMS)[number]): string {
  const flags = parameters.map(
    (parameter) =>
      `    --${flagName(parameter.name)} in ${parameter.range}: ${parameter.description}${parameter.required ? '' : ' (optional)'}`,
  );
  return [
    `${name}: ${title}`,
    `    ${description}`,
    ...flags,
    `    --users: ${usersMean}`,
    ...(ratios ? [`    variation ratio: p = ${ratios.p}, beta = ${ratios.beta}, q = ${ratios.q}`] : []),
    `    estimator: ${estimator}`,
    `    source: ${source}`,
    `    example: ${exampleCommand(name, example)}`,
  ].join('\n');
}
