/** The oracles of single-message frequencies, as a spec names them. */
import { requireOneOf, type CategoryCard, type FrequencyOracle } from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import type { SingleMessageChoice } from '../local-budget.ts';

export interface SingleMessageFrequencySpec extends SingleMessageChoice {
  readonly kind: 'frequency';
  /** A name of CATEGORY_RANDOMIZERS. */
  readonly randomizer: string;
  /** What the randomizer's card lists as its options: subsetSize, hashRange. */
  readonly [option: string]: unknown;
}

/** The oracle that a spec names. @throws ParameterError */
export function frequencyOracle(
  spec: SingleMessageFrequencySpec,
  domain: number,
  epsilon0: number,
): FrequencyOracle {
  const card = categoryRandomizer(spec.randomizer);
  const options = card.options.flatMap(({ name }) =>
    spec[name] === undefined ? [] : [[name, spec[name] as number] as const],
  );
  return card.make({ ...Object.fromEntries(options), domain, epsilon0 });
}

/** The card of a randomizer of categories. @throws ParameterError */
export function categoryRandomizer(name: string): CategoryCard {
  const names = CATEGORY_RANDOMIZERS.map((card) => card.name);
  requireOneOf('randomizer', name, names);
  return CATEGORY_RANDOMIZERS.find((card) => card.name === name)!;
}
