/**
 * What the Wheel and Collision mechanisms share: a public random function gives every item a share of the outputs, and
 * those of the user's items are e^epsilon0 times as likely as the least likely output.
 */
import { requireInteger, requirePositive, type AmplificationProfile } from '@shuffle-dp/core';
import { localRatios } from './local-ratios.ts';
import type { SupportProbability } from './pure-frequency-protocol.ts';
import {
  independentRegions,
  largestVariation,
  leastOverlapBlanket,
  pairRegions,
  regionAtoms,
  twoLevelLaw,
  type TwoLevelLaw,
} from './two-level-law.ts';

export interface HashedSetParameters {
  /** Number of items that exist, up to 65536. */
  readonly domain: number;
  /** Items that every user holds, 1 to domain - 1. */
  readonly itemsPerUser: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
}

/** @throws ParameterError */
export function requireHashedSet({ domain, itemsPerUser, epsilon0 }: HashedSetParameters): void {
  requireInteger('domain', domain, 2, 2 ** 16);
  requireInteger('itemsPerUser', itemsPerUser, 1, domain - 1);
  requirePositive('epsilon0', epsilon0);
}

/** The law where the items' shares do not overlap. */
export function separateLaw({ itemsPerUser, epsilon0 }: HashedSetParameters, itemShare: number): TwoLevelLaw {
  return twoLevelLaw(itemsPerUser * itemShare, epsilon0);
}

export function hashedSetSupport(parameters: HashedSetParameters, itemShare: number): SupportProbability {
  return Object.freeze({ own: itemShare * separateLaw(parameters, itemShare).high, other: itemShare });
}

/**
 * Where shares of items overlap, the rest is likelier and the victim better hidden: the blanket's atoms are those of
 * separate shares and hold whatever the function. The lower bounds take the function as random: an output belongs to a
 * set with the probability that one of its items has it, and disjoint sets are independent.
 */
export function hashedSetProfile(parameters: HashedSetParameters, itemShare: number): AmplificationProfile {
  const { domain, itemsPerUser, epsilon0 } = parameters;
  const separate = separateLaw(parameters, itemShare);
  /** Probability that an output belongs to at least one of so many items. */
  const hit = (items: number): number =>
    items === 1 ? itemShare : -Math.expm1(items * Math.log1p(-itemShare));
  const share = hit(itemsPerUser);
  // (1 - share high) / (1 - share), where one item's is as small as e^-epsilon0.
  const overlap = separate.share - share;
  const random: TwoLevelLaw = {
    share,
    high: separate.high,
    low: ((1 - separate.share) * separate.low + overlap * separate.high) / (1 - share),
    rise: (separate.rise * (1 - separate.share)) / (1 - share),
  };
  const inEither = hit(Math.min(2 * itemsPerUser, domain));
  return {
    variationRatio: localRatios(epsilon0, largestVariation(separate)),
    blanket: [leastOverlapBlanket('two sets without a common output', separate)],
    homogeneous: [
      ...(3 * itemsPerUser <= domain
        ? [regionAtoms('all others hold a third, disjoint set', random, independentRegions(share))]
        : []),
      regionAtoms(
        "all others hold the victim's first set",
        random,
        pairRegions(share, (first) => first, 2 * share - inEither),
        false,
      ),
    ],
  };
}
