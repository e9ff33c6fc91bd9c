import { Command } from 'commander';
import { countedUsers, picked, rangeText, type MechanismCard } from '@shuffle-dp/core';
import { exampleCommand, flagName, MECHANISMS } from '@shuffle-dp/experiments/account';
import { printJson, printText } from '../output/print.ts';

export function mechanismsCommand(): Command {
  return new Command('mechanisms')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'accepted by every command; this one shows no progress')
    .addHelpText('after', '\nExample:\n  shuffle-dp mechanisms --json')
    .action((options: { readonly json?: boolean }) => {
      if (options.json) return printJson({ mechanisms: MECHANISMS.map(mechanismJson) });
      printText(MECHANISMS.map(mechanismText).join('\n\n'));
    });
}

function mechanismJson(card: MechanismCard): object {
  return {
    ...picked(card, 'name', 'title', 'holds', 'description', 'source', 'citation'),
    parameters: card.parameters.map((parameter) => ({
      name: parameter.name,
      range: rangeText(parameter),
      ...picked(parameter, 'integer', 'required', 'description'),
      flag: `--${flagName(parameter.name)}`,
    })),
    usersMean: countedUsers(card),
    ...picked(card, 'ratios', 'estimator'),
    example: exampleCommand(card),
  };
}

function mechanismText(card: MechanismCard): string {
  const { name, title, description, source, parameters, ratios, estimator } = card;
  const flags = parameters.map(
    (parameter) =>
      `    --${flagName(parameter.name)}, ${rangeText(parameter)}: ${parameter.description}${parameter.required ? '' : ' (optional)'}`,
  );
  return [
    `${name}: ${title}`,
    `    ${description}`,
    ...flags,
    `    --users: ${countedUsers(card)}`,
    ...(ratios ? [`    variation ratio: p = ${ratios.p}, beta = ${ratios.beta}, q = ${ratios.q}`] : []),
    `    estimator: ${estimator}`,
    `    source: ${source}`,
    `    example: ${exampleCommand(card)}`,
  ].join('\n');
}
