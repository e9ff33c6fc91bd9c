/**
 * Users who send what they like, to promote some items: what they gain, as a formula and simulated. X. Cao,
 * J. Jia, N. Z. Gong, "Data Poisoning Attacks to Local Differential Privacy Protocols", USENIX Security 2021.
 * The shuffler changes nothing: estimators do not see who sent what. For privacy a poisoner is a user who
 * colludes (docs/threats.md).
 */
import {
  ParameterError,
  requireInteger,
  requireNonNegative,
  sampleBinomial,
  sampleUniformMultinomial,
  requireShare,
  type CategoryCard,
  type CraftedAttack,
  type CraftedMessages,
  type FrequencyOracle,
  type RandomStream,
} from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';

/**
 * Crafted messages, or those of the honest randomizer: of a random target ('random-item'), or of the targets
 * in turn ('input').
 */
export type PoisoningAttack = (typeof POISONING_ATTACKS)[number];

export const POISONING_ATTACKS = ['maximal-gain', 'random-item', 'input', 'random-message'] as const;

/**
 * Targets that one fake message supports on average, of r. Local hashing is given its best case, a seed that
 * puts all targets into one cell; to find one takes a search.
 * @throws ParameterError for an oracle of which the best message is not known here
 */
export function supportedTargets(oracle: FrequencyOracle, attack: PoisoningAttack, targets: number): number {
  requireInteger('targets', targets, 1, oracle.domain);
  const { own, other } = oracle.supportProbability;
  if (attack === 'random-item' || attack === 'input') return own + (targets - 1) * other;
  return targets * fakeSupport(oracle, attack, targets).ofTarget;
}

/**
 * Expected change of the sum of the targets' estimated frequencies, where a share B of all users is fake: B
 * ((s - r q) / (p - q) - f_T), s the targets that a fake message supports, p and q the probabilities of
 * support.
 *
 * @param fraction B, in [0, 1)
 * @param targetFrequency f_T: the honest users' frequency of the targets, together
 * @throws ParameterError
 */
export function poisoningGain(
  oracle: FrequencyOracle,
  attack: PoisoningAttack,
  { fraction, targets, targetFrequency }: { fraction: number; targets: number; targetFrequency: number },
): number {
  requireShare('fraction', fraction);
  requireNonNegative('targetFrequency', targetFrequency);
  const { own, other } = oracle.supportProbability;
  const supported = supportedTargets(oracle, attack, targets);
  return fraction * ((supported - targets * other) / (own - other) - targetFrequency);
}

/**
 * Support counts of so many fake messages, to be added to those of the honest users: each count from its
 * exact law, those of randomized response together.
 * @param targets categories, each once
 * @throws ParameterError
 */
export function sampleFakeSupport(
  oracle: FrequencyOracle,
  attack: PoisoningAttack,
  targets: readonly number[],
  fakes: number,
  stream: RandomStream,
): Float64Array {
  requireInteger('fakes', fakes, 0);
  requireInteger('targets', targets.length, 1, oracle.domain);
  const isTarget = new Set<number>();
  targets.forEach((target, i) => {
    requireInteger(`targets[${i}]`, target, 0, oracle.domain - 1);
    if (isTarget.has(target)) throw new ParameterError(`targets[${i}]`, target, 'another than those before');
    isTarget.add(target);
  });
  if (attack === 'random-item' || attack === 'input') {
    const held = new Float64Array(targets.length);
    if (attack === 'input') held.forEach((_, i) => (held[i] = Math.floor((fakes + i) / targets.length)));
    else sampleUniformMultinomial(fakes, held, stream);
    const histogram = new Float64Array(oracle.domain);
    targets.forEach((target, i) => (histogram[target] = held[i]!));
    return oracle.sampleSupportCounts(histogram, stream);
  }
  const { ofTarget, ofOther } = fakeSupport(oracle, attack, targets.length);
  const counts = new Float64Array(oracle.domain);
  if (oracle.supports === 'at-most-one') {
    // Each message supports one category: the joint law is as simple.
    const chosen = new Float64Array(attack === 'maximal-gain' ? targets.length : oracle.domain);
    sampleUniformMultinomial(fakes, chosen, stream);
    if (attack === 'random-message') return chosen;
    targets.forEach((target, i) => (counts[target] = chosen[i]!));
    return counts;
  }
  counts.forEach((_, v) => (counts[v] = sampleBinomial(fakes, isTarget.has(v) ? ofTarget : ofOther, stream)));
  return counts;
}

/**
 * Probabilities that one fake message supports a given target of so many, and a given other category.
 * @throws ParameterError for an oracle of which the best message is not known here
 */
export function fakeSupport(
  oracle: FrequencyOracle,
  attack: CraftedAttack,
  targets: number,
): { readonly ofTarget: number; readonly ofOther: number } {
  return craftedMessages(oracle).support(attack, targets);
}

/** Of each randomizer, to ask what is known of it. */
const SMALL = { domain: 16, epsilon0: 1 };

/** @throws ParameterError for an oracle of which the best message is not known here */
export function craftedMessages({ name, crafted }: FrequencyOracle): CraftedMessages {
  if (crafted) return crafted;
  const known = CATEGORY_RANDOMIZERS.filter(({ make }) => make(SMALL).crafted);
  throw new ParameterError('randomizer', name, `${oneOf(known)} for this attack`);
}

/** 'grr, subset or oue' */
function oneOf(cards: readonly CategoryCard[]): string {
  const names = cards.map(({ name }) => name);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
