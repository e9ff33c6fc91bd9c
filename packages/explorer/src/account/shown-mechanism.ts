/** What of a card the pages show, as plain data. */
import {
  countedUsers,
  endOfRange,
  rangeText,
  type MechanismCard,
  type ParameterSpec,
  type ParameterValues,
} from '@shuffle-dp/core';
import type { AccountEngine, ShownMechanism, ShownParameter } from './contract.ts';

/**
 * With the ranges of its parameters at its example. @param options of a config that runs it as a frequency
 * oracle
 */
export function shownMechanism(
  card: MechanismCard,
  engine: AccountEngine,
  options: readonly string[] | null,
): ShownMechanism {
  const { name, title, holds, description, source, example, parameters } = card;
  return {
    name,
    title,
    holds,
    description,
    source,
    usersMean: countedUsers(card),
    example,
    parameters: parameters.map((spec) => shownParameter(spec, card, example)),
    configOptions: options,
    engine,
  };
}

export function shownParameter(
  spec: ParameterSpec,
  { example }: MechanismCard,
  given: ParameterValues,
): ShownParameter {
  const { name, description, low, high, integer, kind, required, unit } = spec;
  const least = endOfRange(low.value, given) ?? 0;
  return {
    name,
    description,
    low: least,
    high: endOfRange(high.value, given) ?? Infinity,
    lowOpen: low.open,
    highOpen: high.open,
    integer,
    ...(kind === undefined ? {} : { kind }),
    required,
    ...(unit === undefined ? {} : { unit }),
    range: rangeText(spec, given),
    example: example[name] ?? Math.max(least, 1),
  };
}
