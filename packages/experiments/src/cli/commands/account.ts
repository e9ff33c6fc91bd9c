import { Argument, Command } from 'commander';
import { flagName, MECHANISMS } from '../../account/mechanism-list.ts';
import type { MechanismEntry } from '../../account/mechanisms/mechanism-entry.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { UsageError } from '../exit.ts';
import { integerOption, numberOption } from '../options.ts';
import { printJson, printText } from '../print.ts';

interface AccountOptions {
  readonly users?: number;
  readonly delta?: number;
  readonly epsilon?: number;
  readonly json?: boolean;
  readonly explain?: boolean;
  readonly cite?: boolean;
  readonly [parameter: string]: unknown;
}

/** Every mechanism's parameters, each once. */
function allParameters(): { readonly name: string; readonly description: string }[] {
  const known = new Map<string, string[]>();
  for (const { name, parameters } of MECHANISMS) {
    for (const parameter of parameters)
      known.set(parameter.name, [...(known.get(parameter.name) ?? []), name]);
  }
  return [...known].map(([name, mechanisms]) => ({ name, description: `for ${mechanisms.join(', ')}` }));
}

export function accountCommand(): Command {
  const command = new Command('account')
    .description(
      'Privacy after shuffling, one round: a bracket that is proved, and every published bound with its verdict.',
    )
    .addArgument(new Argument('<mechanism>', 'one of `shuffle-dp mechanisms`'))
    .option('--users <n>', 'number of users', integerOption(1, 1e12))
    .option('--delta <delta>', 'central failure probability; asks for epsilon', numberOption)
    .option('--epsilon <epsilon>', 'central epsilon in nats; asks for delta', numberOption)
    .option(
      '--explain',
      'every bound with its conditions, the values that meet or break them, and its verdict',
    )
    .option('--cite', 'the mechanism and the bounds as BibTeX')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress; there is none')
    .addHelpText(
      'after',
      `
Examples:
  shuffle-dp account grr --epsilon0 1 --domain 16 --users 10000 --delta 1e-6
  shuffle-dp account variation-ratio --p inf --beta 1 --q 16 --users 10000 --epsilon 0.1 --json`,
    );
  for (const { name, description } of allParameters()) {
    command.option(`--${flagName(name)} <x>`, description, numberOption);
  }
  return command.action(async (name: string, options: AccountOptions) => {
    const mechanism = findMechanism(name);
    const given = parametersOf(mechanism, options);
    if (options.users === undefined) throw new UsageError('--users is missing: the number of users');
    if ((options.delta === undefined) === (options.epsilon === undefined)) {
      throw new UsageError(
        'exactly one of --delta (asks for epsilon) and --epsilon (asks for delta) must be given',
      );
    }
    const target = options.delta === undefined ? { epsilon: options.epsilon! } : { delta: options.delta };
    const { accountMechanism } = await import('../../account/account.ts');
    const account = accountMechanism(name, given, options.users, target);
    const shown = { explain: options.explain ?? false, cite: options.cite ?? false };
    if (options.json) {
      const { accountJson } = await import('../account-json.ts');
      return printJson(accountJson(account, shown));
    }
    const { accountText } = await import('../account-text.ts');
    printText(accountText(account, shown));
  });
}

function findMechanism(name: string): MechanismEntry {
  const mechanism = MECHANISMS.find((known) => known.name === name);
  if (mechanism) return mechanism;
  const names = MECHANISMS.map((known) => known.name);
  const near = nearestName(name, names);
  throw new UsageError(
    `mechanism = ${JSON.stringify(name)}: must be one of ${names.join(', ')}${near ? `; did you mean ${near}?` : ''}`,
  );
}

function parametersOf(mechanism: MechanismEntry, options: AccountOptions): Record<string, number> {
  const given: Record<string, number> = {};
  const flags = mechanism.parameters.map(({ name }) => `--${flagName(name)}`).join(', ');
  for (const { name } of allParameters()) {
    const value = options[name];
    if (typeof value !== 'number') continue;
    const parameter = mechanism.parameters.find((known) => known.name === name);
    if (!parameter)
      throw new UsageError(
        `--${flagName(name)} is not a parameter of ${mechanism.name}, which takes ${flags}`,
      );
    if (value === Infinity && !parameter.range.includes('inf]')) {
      throw new UsageError(`--${flagName(name)} = inf: must be in ${parameter.range}`);
    }
    if (parameter.integer && !Number.isSafeInteger(value)) {
      throw new UsageError(`--${flagName(name)} = ${value}: must be ${parameter.range}`);
    }
    given[name] = value;
  }
  for (const { name, required, description } of mechanism.parameters) {
    if (required && given[name] === undefined)
      throw new UsageError(`--${flagName(name)} is missing: ${description}`);
  }
  return given;
}
