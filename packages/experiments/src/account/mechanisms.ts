/** The mechanisms that `account` knows, by their cards. */
import {
  groupBy,
  ParameterError,
  type MechanismCard,
  type MechanismModel,
  type ParameterSpec,
  type ParameterValues,
} from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS, NUMBER_RANDOMIZERS } from '@shuffle-dp/randomizers';
import { nearestName } from '../words/nearest-name.ts';
import { checkParameters, flagName } from './mechanism-parameters.ts';
import { MECHANISMS } from './registry.ts';

export { MECHANISMS } from './registry.ts';

/**
 * The card of a mechanism, by its name.
 *
 * @param among names that may be asked for; by default all
 * @throws ParameterError for any other name
 * @example mechanismCard('grr').title // 'Generalized randomized response'
 */
export function mechanismCard(name: string, among: readonly string[] = ALL): MechanismCard {
  const card = MECHANISMS.find((known) => known.name === name);
  if (card && among.includes(name)) return card;
  const near = nearestName(name, among);
  throw new ParameterError(
    'mechanism',
    name,
    `one of ${among.join(', ')}${near ? `; did you mean ${near}?` : ''}`,
  );
}

const ALL = MECHANISMS.map(({ name }) => name);

/** Those that can be audited: their messages are drawn one by one. */
// A call that bundlers know to be without effect: an engine of fewer mechanisms leaves it out.
export const AUDITED_MECHANISMS: readonly string[] = /* @__PURE__ */ (() =>
  [...CATEGORY_RANDOMIZERS, ...NUMBER_RANDOMIZERS].map(({ name }) => name))();

/** What accountants need of a mechanism. @throws ParameterError for parameters that it does not take */
export function mechanismModel(name: string, given: ParameterValues): MechanismModel {
  const card = mechanismCard(name);
  return card.model(checkParameters(card, given));
}

/** A parameter of some mechanisms, as a flag of a command. */
export interface ListedParameter {
  readonly name: string;
  /** What it is of the mechanisms that take it here; empty where none does. */
  readonly description: string;
}

/**
 * Every mechanism's parameters, each once, for the flags of a command.
 *
 * @param isTaken whether the command takes it of this mechanism; by default always
 */
export function allParameters(
  isTaken: (card: MechanismCard, spec: ParameterSpec) => boolean = () => true,
): ListedParameter[] {
  const all = MECHANISMS.flatMap((card) =>
    card.parameters.map((spec) => ({ mechanism: card.name, taken: isTaken(card, spec), ...spec })),
  );
  return [...groupBy(all, ({ name }) => name)].map(([name, uses]) => ({
    name,
    description: [
      ...groupBy(
        uses.filter(({ taken }) => taken),
        ({ description }) => description,
      ),
    ]
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
