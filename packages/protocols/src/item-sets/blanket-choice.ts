/** How blanket messages are counted out, as a spec says it and with what it leaves open filled in. */
import { ParameterError, requireInteger } from '@shuffle-dp/core';
import type { BlanketKind, PoissonRandomizerParameters } from '@shuffle-dp/randomizers';

export interface BlanketSpec {
  /** Default 'paper', but 'poisson' with the exact accounting. */
  readonly blankets?: BlanketKind;
  /**
   * For negative-binomial blankets, in [0.01, 1), default 0.5: the variance of an item's blankets is their
   * mean over this. The smaller, the fewer messages, and the more noise.
   */
  readonly successProbability?: number;
}

export interface BlanketChoice {
  readonly blankets: BlanketKind;
  /** Below 1 for negative-binomial blankets alone: their variance is their mean over this. */
  readonly successProbability: number;
  /** Of coin-flip blankets: slots of a user where m needs fewer; 0 leaves ceil(m). */
  readonly slots: number;
}

const DEFAULT_SUCCESS = 0.5;
const LEAST_SUCCESS = 0.01;
const MOST_SLOTS = 1000;

/**
 * @param exact whether whole sets are accounted for, which needs blankets that are independent from item to
 * item
 * @param ownSlots of a protocol that lets its users have more of them, and accounts for them
 * @throws ParameterError
 */
export function chooseBlankets(spec: BlanketSpec, exact: boolean, ownSlots?: number): BlanketChoice {
  const blankets = spec.blankets ?? (exact ? 'poisson' : 'paper');
  if (exact && blankets === 'paper') {
    throw new ParameterError(
      'blankets',
      blankets,
      "'poisson' or 'negative-binomial' for the exact accounting",
    );
  }
  const slots = ownSlots === undefined ? 0 : requireInteger('slots', ownSlots, 1, MOST_SLOTS);
  if (slots > 0 && blankets !== 'paper') {
    throw new ParameterError('slots', slots, "left out, except for the paper's blankets");
  }
  if (blankets === 'negative-binomial') {
    if (!exact)
      throw new ParameterError('blankets', blankets, "'paper' or 'poisson', except for the exact accounting");
    const success = spec.successProbability ?? DEFAULT_SUCCESS;
    if (!(success >= LEAST_SUCCESS && success < 1)) {
      throw new ParameterError('successProbability', success, `in [${LEAST_SUCCESS}, 1)`);
    }
    return { blankets, successProbability: success, slots };
  }
  if (spec.successProbability !== undefined) {
    throw new ParameterError(
      'successProbability',
      spec.successProbability,
      'left out, except for negative-binomial blankets',
    );
  }
  return { blankets, successProbability: 1, slots };
}

/** What reports print of a choice: numbers that do not apply are left out. */
export type BlanketParameters = Pick<
  PoissonRandomizerParameters,
  'blankets' | 'successProbability' | 'slots'
>;

/** The choice as rows of a protocol's parameters. */
export function describeBlankets({ blankets, successProbability, slots }: BlanketChoice): BlanketParameters {
  return {
    blankets,
    ...(blankets === 'negative-binomial' ? { successProbability } : {}),
    ...(slots > 0 ? { slots } : {}),
  };
}
