/**
 * The card of a mechanism: everything that is said of it, and how it is made. It stands in the mechanism's
 * own file; accounts, configs, pages, tests and the command line read it from a registry.
 */
import type { CitationKey } from '../bibliography.ts';
import type { Interval } from '../interval.ts';
import type { AmplificationProfile } from './amplification.ts';
import type { FrequencyOracle } from './local-randomizer.ts';
import type { MeanRandomizer } from './mean-randomizer.ts';
import type { Given, ParameterSpec, ParameterValues } from './parameter.ts';
import type { Target } from './privacy.ts';

/** What a user holds. */
export type UserData =
  | 'anything'
  | 'a category'
  | 'a number'
  | 'a set of items'
  | 'key-value pairs'
  | 'a vector'
  | 'a place'
  | 'a bit';

/** What accountants need of a mechanism at given parameters. */
export interface MechanismModel {
  /** Local budget in nats; infinity where one message alone is not pure-DP. */
  readonly epsilon0: number;
  readonly amplification: AmplificationProfile;
  /** Of normal noise, how many deviations the two values of a victim lie apart at most. */
  readonly localSeparation?: number;
  /** Messages that published bounds count, for this many users. */
  readonly slots?: (users: number) => number;
  /** The certified bracket of this many rounds, where it does not come from the profile's blanket. */
  readonly certified?: (users: number, target: Target, rounds?: number) => Interval;
  /** Its upper end at one epsilon and round, much faster. */
  readonly certifiedUpper?: (users: number, epsilon: number) => number;
  /** Parameters in effect, defaults filled in. */
  readonly parameters: ParameterValues;
  /** What the bracket is about, where it is not the mechanism's own privacy. */
  readonly pairOnly?: boolean;
  /** The atoms' others are messages that hide, not users: they hold none of the victim's inputs. */
  readonly othersHideOnly?: boolean;
  /** Other users may stay away: what is published of users who all send does not apply. */
  readonly othersMayBeAbsent?: boolean;
}

export interface MechanismCard {
  /** The field's short name, as in configs and on the command line: 'grr'. */
  readonly name: string;
  readonly title: string;
  readonly holds: UserData;
  /** One sentence: what is sent, and how it depends on what the user holds. */
  readonly description: string;
  /** The work it comes from, as people name it. */
  readonly source: string;
  readonly citation: CitationKey;
  readonly parameters: readonly ParameterSpec[];
  /** What --users counts; absent for all users, one message each. */
  readonly usersMean?: string;
  /** The variation-ratio parameters as formulas; null where there are none. */
  readonly ratios: {
    readonly p: string;
    readonly beta: string;
    readonly q: string;
    /** What the literature prints in place of beta, where that is valid but not the mechanism's own. */
    readonly printedBeta?: string;
  } | null;
  /** How the analyzer estimates, as a formula. */
  readonly estimator: string;
  /** Parameters to show it at. */
  readonly example: ParameterValues;
  /** @param given each in its range @throws ParameterError for what only the whole can tell */
  model(given: ParameterValues): MechanismModel;
}

/** A randomizer of one category a user: it also runs from a config. */
export interface CategoryCard extends MechanismCard {
  readonly holds: 'a category';
  /** What a config may set beside the budget and the domain. */
  readonly options: readonly ParameterSpec[];
  /** @param setting the budget, the domain, and of `options` what is given @throws ParameterError */
  make(setting: Given<'epsilon0' | 'domain'>): FrequencyOracle;
}

/** A randomizer of one number a user. */
export interface NumberCard extends MechanismCard {
  readonly holds: 'a number';
  /** @throws ParameterError */
  make(setting: ParameterValues): MeanRandomizer;
}

/**
 * What --users counts, also of a card that does not say.
 *
 * @example countedUsers({}) // 'all users, one message each'
 */
export function countedUsers({ usersMean }: Pick<MechanismCard, 'usersMean'>): string {
  return usersMean ?? 'all users, one message each';
}

/**
 * What accountants need of a randomizer that was made.
 *
 * @example modelOf(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }), { domain: 4 }).epsilon0 // 1
 */
export function modelOf(
  randomizer: { readonly epsilon0: number; amplification(): AmplificationProfile },
  parameters: ParameterValues,
): MechanismModel {
  return { epsilon0: randomizer.epsilon0, amplification: randomizer.amplification(), parameters };
}
