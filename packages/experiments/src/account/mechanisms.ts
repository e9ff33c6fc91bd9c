/** The mechanisms that `account` knows, by their cards. */
import {
  groupBy,
  ParameterError,
  type MechanismCard,
  type MechanismModel,
  type ParameterValues,
} from '@shuffle-dp/core';
import { nearestName } from '../words/nearest-name.ts';
import { checkParameters, flagName } from './mechanism-parameters.ts';
import { MECHANISMS } from './registry.ts';

export { MECHANISMS } from './registry.ts';

/**
 * The card of a mechanism, by its name.
 *
 * @throws ParameterError for a name that no mechanism has
 * @example mechanismCard('grr').title // 'Generalized randomized response'
 */
export function mechanismCard(name: string): MechanismCard {
  const card = MECHANISMS.find((known) => known.name === name);
  if (card) return card;
  const names = MECHANISMS.map((known) => known.name);
  const near = nearestName(name, names);
  throw new ParameterError(
    'mechanism',
    name,
    `one of ${names.join(', ')}${near ? `; did you mean ${near}?` : ''}`,
  );
}

/** What accountants need of a mechanism. @throws ParameterError for parameters that it does not take */
export function mechanismModel(name: string, given: ParameterValues): MechanismModel {
  const card = mechanismCard(name);
  return card.model(checkParameters(card, given));
}

/** Every mechanism's parameters, each once, for the flags of a command. */
export function allParameters(): { readonly name: string; readonly description: string }[] {
  const all = MECHANISMS.flatMap((card) =>
    card.parameters.map((spec) => ({ mechanism: card.name, ...spec })),
  );
  return [...groupBy(all, ({ name }) => name)].map(([name, uses]) => ({
    name,
    description: [...groupBy(uses, ({ description }) => description)]
      .map(([meaning, cards]) => `${meaning} (for ${cards.map(({ mechanism }) => mechanism).join(', ')})`)
      .join('; '),
  }));
}

/** A command that accounts the mechanism at its example. */
export function exampleCommand({ name, example }: Pick<MechanismCard, 'name' | 'example'>): string {
  const flags = Object.entries(example).map(
    ([parameterName, value]) => `--${flagName(parameterName)} ${value === Infinity ? 'inf' : value}`,
  );
  return `shuffle-dp account ${name} ${flags.join(' ')} --users 10000 --delta 1e-6`;
}
