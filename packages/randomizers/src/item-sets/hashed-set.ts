/**
 * What the Wheel and Collision mechanisms share: a public random function gives every item a share of the
 * outputs, and those of the user's items are e^epsilon0 times as likely as the least likely output.
 */
import {
  domainUpTo,
  from,
  integer,
  optional,
  Real,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type Given,
  type LikelihoodAtoms,
  type TypedInputs,
} from '@shuffle-dp/core';
import { usualOverlap, type CoveringClass } from './covered-share.ts';
import { PolynomialHash } from './polynomial-hash.ts';
import { MOST_TYPED_ITEMS } from './typed-sets.ts';
import { likelihoodAtoms, type Atom } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { profileOnDemand } from '../laws/profile-on-demand.ts';
import type { SupportProbability } from '../categories/pure-frequency-protocol.ts';
import { largestVariation, lowBlanket, twoLevelLaw, type TwoLevelLaw } from '../laws/two-level-law.ts';

export interface HashedSetParameters {
  /** Number of items that exist, up to 65536. */
  readonly domain: number;
  /** Items that every user holds, 1 to domain - 1. */
  readonly items: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
}

/** Without a domain the largest: users then may hold disjoint sets. */
const MOST_ITEMS = 2 ** 16;

export const ANY_DOMAIN = optional(domainUpTo(MOST_ITEMS, 'number of items; default 65536'));

/** Items that every user holds. */
export const ITEMS = integer(
  'items',
  from(1),
  from(({ domain = MOST_ITEMS }) => domain - 1, 'domain - 1'),
  'items a user',
);

/** What a hashed set's randomizer calls them. */
export function hashedSetOf(given: Given<'epsilon0' | 'items'>): HashedSetParameters {
  const { epsilon0, items, domain = MOST_ITEMS } = given;
  return { epsilon0, items, domain };
}

/** @throws ParameterError */
export function requireHashedSet({ domain, items, epsilon0 }: HashedSetParameters): void {
  requireInteger('domain', domain, 2, MOST_ITEMS);
  requireInteger('items', items, 1, domain - 1);
  requirePositive('epsilon0', epsilon0);
}

/**
 * The law where the items' shares do not overlap.
 * @param part of `whole`, the share of an item: of whole numbers what is left of 1 has all its digits
 */
export function separateLaw({ items, epsilon0 }: HashedSetParameters, part: number, whole = 1): TwoLevelLaw {
  const all = items * part;
  return twoLevelLaw(all / whole, epsilon0, (whole - 2 * all) / whole, (whole - all) / whole);
}

export function hashedSetSupport(parameters: HashedSetParameters, itemShare: number): SupportProbability {
  return Object.freeze({ own: itemShare * separateLaw(parameters, itemShare).high, other: itemShare });
}

/**
 * The random function of a message: the items of any three sets of up to 6 have independent values, which is
 * all that accounts ask for. For larger sets any 18 items have, and that more are independent is the usual
 * idealisation.
 */
export function itemHash({ domain, items }: HashedSetParameters): PolynomialHash {
  return new PolynomialHash(domain, Math.min(domain, 3 * Math.min(items, MOST_TYPED_ITEMS)));
}

/** How a random function covers the outputs. */
export interface ItemShares {
  /** Whole numbers of which the share of the outputs that an item has is the ratio. */
  readonly parts: readonly [part: number, whole: number];
  /** Probability that an item has none. */
  readonly none: number;
  /** Probability that a given output is an item's: that share, where every item has one. */
  readonly chance: number;
  /** The law of the share that one set covers. */
  readonly coverings: readonly CoveringClass[];
  /** Every set that the others may hold; of sets up to MOST_TYPED_ITEMS. */
  types(separate: TwoLevelLaw): TypedInputs;
}

/**
 * Where shares of items overlap, the rest is likelier and the victim better hidden: the blanket's atoms are
 * those of separate shares and hold whatever the function. Lower bounds and types take the values of the
 * items of three sets as independent: an output belongs to a set with the probability that one of its items
 * has it, and disjoint sets are independent.
 */
export function hashedSetProfile(
  parameters: HashedSetParameters,
  { parts, none, chance, coverings, types }: ItemShares,
): AmplificationProfile {
  const { domain, items, epsilon0 } = parameters;
  const separate = separateLaw(parameters, ...parts);
  const views = viewsOf(coverings, separate);
  const first = "the victim's first set";
  return profileOnDemand(localRatios(epsilon0, largestVariation(separate)), {
    blanket: () => [lowBlanket('two sets without a common output', separate)],
    homogeneous: () => [
      ...(3 * items <= domain
        ? [likelihoodAtoms('all others hold a third, disjoint set', thirdSet(views))]
        : []),
      2 * items <= domain
        ? likelihoodAtoms(`all others hold ${first}`, firstSet(views), false)
        : overlappingSets(first, parameters, { chance, none }, separate),
    ],
    ...(items <= MOST_TYPED_ITEMS &&
      epsilon0 <= LARGEST_TYPED_BUDGET && {
        typed: () => (epsilon0 <= USUAL_BUDGET ? types(separate) : whereManyHide(types(separate))),
      }),
  });
}

/**
 * Beyond the first, few messages are the blanket's unless users are many; beyond the second they would have
 * to be millions.
 */
const [USUAL_BUDGET, LARGEST_TYPED_BUDGET] = [4.5, 9];
/** Where epsilon is larger after all, buffers are as large as all users, and the blanket is no worse. */
const MOST_EPSILON = 1;

function whereManyHide(typed: TypedInputs): TypedInputs {
  return {
    get pairs() {
      return typed.pairs;
    },
    pairsNear: (epsilon) => (epsilon > MOST_EPSILON ? [] : (typed.pairsNear?.(epsilon) ?? typed.pairs)),
    takesLong: true,
  };
}

/**
 * What a message says of one set: by the class of the function, and whether its output is one of the set's.
 */
interface View {
  /** Probability for a user with the set. */
  readonly own: number;
  /** Probability for a user with a disjoint set. */
  readonly other: number;
}

/**
 * Own outputs are `high` times as likely as to others in every class: one view. Outside, a user with the set
 * shows what is left: the law of separate shares, and what items that overlap give up. Not as
 * 1 - high * covered, which has no digits left at budgets of 30 and more.
 */
function viewsOf(coverings: readonly CoveringClass[], { share, high, low, rest }: TwoLevelLaw): View[] {
  const covered = coverings.reduce(
    (sum, { probability, overlap }) => sum + (probability * share - overlap),
    0,
  );
  return [
    { own: high * covered, other: covered },
    ...coverings.map(({ probability, overlap }) => ({
      own: probability * rest * low + overlap * high,
      other: probability * rest + overlap,
    })),
  ];
}

function thirdSet(views: readonly View[]): Atom[] {
  return views.flatMap((v) =>
    views.flatMap((w) =>
      views.map((x): Atom => [
        v.own * w.other * x.other,
        v.other * w.own * x.other,
        v.other * w.other * x.own,
      ]),
    ),
  );
}

function firstSet(views: readonly View[]): Atom[] {
  return views.flatMap((v) => views.map((w): Atom => [v.own * w.other, v.other * w.own, v.own * w.other]));
}

/** The victim's two sets have common items: by whether an output belongs to them, in all classes together. */
function overlappingSets(
  label: string,
  { domain, items }: HashedSetParameters,
  { chance, none }: Pick<ItemShares, 'chance' | 'none'>,
  { share, high, low, rest }: TwoLevelLaw,
): LikelihoodAtoms {
  /** Probabilities that an output belongs to none, or to some, of so many items. */
  const missed = (count: number): number => Real.exp(count * Real.log1p(-chance));
  const hit = (count: number): number => (count === 1 ? chance : -Real.expm1(count * Real.log1p(-chance)));
  const common = 2 * items - domain;
  const only = missed(items) * hit(domain - items);
  const both = hit(common) + missed(common) * hit(items - common) ** 2;
  const neither = missed(domain);
  // (1 - hit high) / (1 - hit), where one item's share is as small as e^-epsilon0.
  const overlap = none * share + usualOverlap(items, chance);
  const outside = (rest * low + overlap * high) / missed(items);
  return likelihoodAtoms(
    `all others hold ${label}`,
    [
      [only * high, only * outside, only * high],
      [only * outside, only * high, only * outside],
      [both * high, both * high, both * high],
      [neither * outside, neither * outside, neither * outside],
    ],
    false,
  );
}
