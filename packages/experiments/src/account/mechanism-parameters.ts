/** Mechanisms by name, and their parameters checked: present, known, and of the right kind. */
import { nearestName } from '../config/nearest-name.ts';
import { flagName, MECHANISMS } from './mechanism-list.ts';
import type { MechanismEntry } from './mechanisms/mechanism-entry.ts';
import type { ParameterValues } from './mechanism-models.ts';

/** A mechanism that does not exist, or a parameter that it does not take, in one line. */
export class ParameterRefusal extends Error {
  override readonly name = 'UsageError';
}

/** @throws ParameterRefusal */
export function findMechanism(name: string): MechanismEntry {
  const mechanism = MECHANISMS.find((known) => known.name === name);
  if (mechanism) return mechanism;
  const names = MECHANISMS.map((known) => known.name);
  const near = nearestName(name, names);
  throw new ParameterRefusal(
    `mechanism = ${JSON.stringify(name)}: must be one of ${names.join(', ')}${near ? `; did you mean ${near}?` : ''}`,
  );
}

/**
 * Ranges that depend on other parameters are checked where the mechanism is made.
 *
 * @param called a parameter as the user knows it; by default its flag
 * @throws ParameterRefusal
 */
export function checkParameters(
  mechanismName: string,
  given: ParameterValues,
  called: (parameter: string) => string = (name) => `--${flagName(name)}`,
): ParameterValues {
  const mechanism = findMechanism(mechanismName);
  const taken = mechanism.parameters.map(({ name }) => called(name)).join(', ');
  for (const [name, value] of Object.entries(given)) {
    const parameter = mechanism.parameters.find((known) => known.name === name);
    const flag = called(name);
    if (!parameter)
      throw new ParameterRefusal(`${flag} is not a parameter of ${mechanism.name}, which takes ${taken}`);
    if (value === Infinity && !parameter.range.includes('inf]'))
      throw new ParameterRefusal(`${flag} = inf: must be in ${parameter.range}`);
    const { integer, range, bounds: [low, high] = [-Infinity, Infinity] } = parameter;
    if (!(value >= low && value <= high) || (integer && !Number.isSafeInteger(value)))
      throw new ParameterRefusal(`${flag} = ${value}: must be ${integer ? '' : 'in '}${range}`);
  }
  for (const { name, required, description } of mechanism.parameters) {
    if (required && given[name] === undefined)
      throw new ParameterRefusal(`${called(name)} is missing: ${description}`);
  }
  return given;
}

/** Users and rounds that a composition may have. */
export const MOST_USERS = 1e12;
export const MOST_ROUNDS = 1_000_000;

/** Every mechanism's parameters, each once, for the flags of a command. */
export function allParameters(): { readonly name: string; readonly description: string }[] {
  const known = new Map<string, string[]>();
  for (const { name, parameters } of MECHANISMS) {
    for (const parameter of parameters)
      known.set(parameter.name, [...(known.get(parameter.name) ?? []), name]);
  }
  return [...known].map(([name, mechanisms]) => ({ name, description: `for ${mechanisms.join(', ')}` }));
}
