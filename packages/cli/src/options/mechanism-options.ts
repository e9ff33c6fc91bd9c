/** The flags of all mechanisms' parameters, shared by all commands that take a mechanism. */
import { Option, type Command } from 'commander';
import { UsageError, type MechanismCard, type ParameterSpec, type ParameterValues } from '@shuffle-dp/core';
import { allParameters, checkParameters, flagName, mechanismCard } from '@shuffle-dp/experiments/account';
import { withFlagNames } from './flag-names.ts';
import { numberOption } from './options.ts';
import { THREAT_FLAGS } from './threat-options.ts';

export interface TargetOptions {
  readonly delta?: number;
  readonly epsilon?: number;
  readonly [parameter: string]: unknown;
}

export function addTargetOptions(command: Command): Command {
  return command
    .option('--delta <delta>', 'central failure probability; the answer is epsilon', numberOption)
    .option('--epsilon <epsilon>', 'central epsilon in nats; the answer is delta', numberOption);
}

/** @param isTaken which parameters of which mechanisms the help lists; others are refused when given */
export function addMechanismOptions(
  command: Command,
  isTaken?: (card: MechanismCard, spec: ParameterSpec) => boolean,
): Command {
  for (const { name, description } of allParameters(isTaken))
    command.addOption(
      new Option(`--${flagName(name)} <x>`, description).argParser(numberOption).hideHelp(description === ''),
    );
  return command;
}

/** Flags of mechanisms' parameters that are given. */
export function flagsGiven(options: TargetOptions): string[] {
  return allParameters().flatMap(({ name }) => (options[name] === undefined ? [] : [`--${flagName(name)}`]));
}

/** What the mechanism is given on the command line. @throws UsageError, ParameterError */
export function parametersOf(mechanism: string, options: TargetOptions): Record<string, number> {
  return { ...checkParameters(mechanismCard(mechanism), parametersGiven(options), flagOf) };
}

/** All but the one that is looked for. @throws UsageError, ParameterError */
export function otherParametersOf(
  card: MechanismCard,
  { name }: ParameterSpec,
  options: TargetOptions,
): ParameterValues {
  if (options[name] !== undefined)
    throw new UsageError(`${flagOf(name)} is the parameter to be found: leave it out`);
  const parameters = card.parameters.filter((spec) => spec.name !== name);
  return checkParameters({ ...card, parameters }, parametersGiven(options), flagOf);
}

function parametersGiven(options: TargetOptions): Record<string, number> {
  const given: Record<string, number> = {};
  for (const { name } of allParameters()) {
    const value = options[name];
    if (typeof value === 'number') given[name] = value;
  }
  return given;
}

function flagOf(parameter: string): string {
  return `--${flagName(parameter)}`;
}

/** @throws UsageError */
export function targetOf({
  delta,
  epsilon,
}: TargetOptions): { readonly delta: number } | { readonly epsilon: number } {
  if ((delta === undefined) === (epsilon === undefined)) {
    throw new UsageError(
      'exactly one of --delta (the answer is epsilon) and --epsilon (the answer is delta) must be given',
    );
  }
  return delta === undefined ? { epsilon: epsilon! } : { delta };
}

/** As `withFlagNames`, for the parameters of all mechanisms and the target. */
export async function accounted<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const names = ['delta', 'epsilon', 'users', ...THREAT_FLAGS, ...allParameters().map(({ name }) => name)];
  return withFlagNames(names, work);
}
