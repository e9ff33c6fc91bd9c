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

/** Ranges are checked where the mechanism is made. @throws ParameterRefusal */
export function checkParameters(mechanismName: string, given: ParameterValues): ParameterValues {
  const mechanism = findMechanism(mechanismName);
  const flags = mechanism.parameters.map(({ name }) => `--${flagName(name)}`).join(', ');
  for (const [name, value] of Object.entries(given)) {
    const parameter = mechanism.parameters.find((known) => known.name === name);
    const flag = `--${flagName(name)}`;
    if (!parameter)
      throw new ParameterRefusal(`${flag} is not a parameter of ${mechanism.name}, which takes ${flags}`);
    if (value === Infinity && !parameter.range.includes('inf]'))
      throw new ParameterRefusal(`${flag} = inf: must be in ${parameter.range}`);
    if (parameter.integer && !Number.isSafeInteger(value))
      throw new ParameterRefusal(`${flag} = ${value}: must be ${parameter.range}`);
  }
  for (const { name, required, description } of mechanism.parameters) {
    if (required && given[name] === undefined)
      throw new ParameterRefusal(`--${flagName(name)} is missing: ${description}`);
  }
  return given;
}

/** Every mechanism's parameters, each once, for the flags of a command. */
export function allParameters(): { readonly name: string; readonly description: string }[] {
  const known = new Map<string, string[]>();
  for (const { name, parameters } of MECHANISMS) {
    for (const parameter of parameters)
      known.set(parameter.name, [...(known.get(parameter.name) ?? []), name]);
  }
  return [...known].map(([name, mechanisms]) => ({ name, description: `for ${mechanisms.join(', ')}` }));
}
