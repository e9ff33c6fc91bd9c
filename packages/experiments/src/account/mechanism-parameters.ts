/** The parameters that a mechanism is given, checked by its card: present, known, and in their ranges. */
import { checkParameter, UsageError, type MechanismCard, type ParameterValues } from '@shuffle-dp/core';

/**
 * The parameters of a mechanism, checked by its card: known, present, and in their ranges.
 *
 * @param called a parameter as the user knows it; by default its name
 * @throws UsageError, or ParameterError for a value outside its range
 */
export function checkParameters(
  card: MechanismCard,
  given: ParameterValues,
  called: (parameter: string) => string = (name) => name,
): ParameterValues {
  const taken = card.parameters.map(({ name }) => called(name)).join(', ');
  for (const [name, value] of Object.entries(given)) {
    const spec = card.parameters.find((known) => known.name === name);
    if (!spec)
      throw new UsageError(`${called(name)} is not a parameter of ${card.name}, which takes ${taken}`);
    checkParameter({ ...spec, name: called(name) }, value, given);
  }
  for (const { name, required, description } of card.parameters) {
    if (required && given[name] === undefined)
      throw new UsageError(`${called(name)} is missing: ${description}`);
  }
  // A copy: what is said of an account stays when its parameters are used for the next one.
  return Object.freeze({ ...given });
}

/** Users and rounds that a composition may have. */
export const MOST_USERS = 1e12;
export const MOST_ROUNDS = 1_000_000;

/** 'subsetSize' as on the command line: 'subset-size'. */
export function flagName(parameterName: string): string {
  return parameterName.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}
