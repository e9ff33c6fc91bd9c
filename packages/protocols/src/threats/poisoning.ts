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
  type FrequencyOracle,
  type RandomStream,
} from '@shuffle-dp/core';
import type { LocalHashing, SubsetSelection } from '@shuffle-dp/randomizers';

/**
 * 'maximal-gain': the message that supports most targets. 'random-item': the honest randomizer on a random
 * target. 'input': the same, the targets dealt in turn. 'random-message': a random message of the output
 * space.
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
  return answerOf(oracle).supported(attack, targets);
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
  const counts = new Float64Array(oracle.domain);
  if (oracle.name === 'grr') {
    // Each message supports one item: the joint law is as simple.
    const chosen = new Float64Array(attack === 'maximal-gain' ? targets.length : oracle.domain);
    sampleUniformMultinomial(fakes, chosen, stream);
    if (attack === 'random-message') return chosen;
    targets.forEach((target, i) => (counts[target] = chosen[i]!));
    return counts;
  }
  const { ofTarget, ofOther } = fakeSupport(oracle, attack, targets.length);
  counts.forEach((_, v) => (counts[v] = sampleBinomial(fakes, isTarget.has(v) ? ofTarget : ofOther, stream)));
  return counts;
}

/** Attacks whose messages no honest user would make of a target. */
export type CraftedAttack = (typeof CRAFTED_ATTACKS)[number];

export const CRAFTED_ATTACKS = [
  'maximal-gain',
  'random-message',
] as const satisfies readonly PoisoningAttack[];

/**
 * Probabilities that one fake message supports a given target of so many, and a given other category.
 * @throws ParameterError as `supportedTargets`
 */
export function fakeSupport(
  oracle: FrequencyOracle,
  attack: CraftedAttack,
  targets: number,
): { readonly ofTarget: number; readonly ofOther: number } {
  return answerOf(oracle).probabilities(attack, targets);
}

interface AttackedOracle {
  /** Targets that a message supports. */
  supported(attack: CraftedAttack, targets: number): number;
  /** Probabilities that a message supports a given target, and a given other item. */
  probabilities(
    attack: CraftedAttack,
    targets: number,
  ): { readonly ofTarget: number; readonly ofOther: number };
}

function answerOf(oracle: FrequencyOracle): AttackedOracle {
  const { name, domain, supportProbability } = oracle;
  /** Of messages that support so many items, all alike but for the targets, which come first. */
  const ofSets = (size: number): AttackedOracle => ({
    supported: (attack, targets) =>
      attack === 'maximal-gain' ? Math.min(size, targets) : (targets * size) / domain,
    probabilities(attack, targets) {
      const ofTarget = this.supported(attack, targets) / targets;
      const rest = size - ofTarget * targets;
      return { ofTarget, ofOther: domain === targets ? 0 : rest / (domain - targets) };
    },
  });
  /** Of messages that may support any items at once. */
  const ofRows = (random: number, ofOther: number): AttackedOracle => ({
    supported: (attack, targets) => (attack === 'maximal-gain' ? targets : targets * random),
    probabilities: (attack) =>
      attack === 'maximal-gain' ? { ofTarget: 1, ofOther } : { ofTarget: random, ofOther: random },
  });
  switch (name) {
    case 'grr':
      return ofSets(1);
    case 'subset':
      return ofSets((oracle as SubsetSelection).subsetSize);
    case 'binary-rr':
    case 'oue':
      // Other bits as an honest row has them, so that the number of ones does not tell.
      return ofRows(1 / 2, supportProbability.other);
    case 'local-hash': {
      const cell = 1 / (oracle as LocalHashing).hashRange;
      return ofRows(cell, cell);
    }
    default:
      throw new ParameterError(
        'randomizer',
        name,
        'grr, subset, binary-rr, oue or local-hash for this attack',
      );
  }
}
