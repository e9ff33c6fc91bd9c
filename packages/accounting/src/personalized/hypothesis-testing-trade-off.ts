/**
 * The trade-off function of "HPS": Liu, Liu, Xiong, Gu and Chen (CIKM 2024), Theorem 1. A test of the two
 * neighbouring data sets that rejects the first one with probability `typeOne` when it is true accepts it
 * with probability at least `typeTwo` when it is false.
 *
 * Where we differ: the printed second sum is of F_i, with which the function would rise; 1 - F_i is meant,
 * from which Theorem 2 follows by duality, delta(epsilon) = sup 1 - typeTwo - e^epsilon typeOne.
 *
 * Not a bound: its clone probabilities are errors of a test (see the verdict of hypothesis-testing-bound.ts).
 */
import { binomialTail, requireProbability } from '@shuffle-dp/core';
import { cloneCountLaw, type CloneCountLaw } from './clone-count.ts';
import type { CloneCoins } from './clone-divergence.ts';
import { cloneCoins } from './hypothesis-testing-bound.ts';
import { countedSetting, type PersonalizedSetting } from './personalized-bound.ts';

export interface TestErrors {
  readonly typeOne: number;
  readonly typeTwo: number;
}

/**
 * The curve by its parameter: the test rejects where more than `share` of the clones and the victim's message
 * are of the second kind. share = 1/(t + 1) in the paper's t; at share = r/(1 + r) with r as in Theorem 2 the
 * tangent has the slope -e^epsilon.
 * @returns errors at one share in [0, 1]; `typeOne` falls with the share
 * @throws ParameterError for a setting or share out of range
 */
export function hypothesisTestingTradeOff(setting: PersonalizedSetting): (share: number) => TestErrors {
  const clones = cloneCoins(countedSetting(setting), 'classical');
  const law = cloneCountLaw(
    Array.from(clones.users, (coins, i) => ({ coins, probability: clones.probabilities[i]! })),
  );
  return (share) => errorsAt(clones, law, requireProbability('share', share));
}

function errorsAt(
  { confusion, failure }: CloneCoins,
  { first, masses }: CloneCountLaw,
  share: number,
): TestErrors {
  let typeOne = 0;
  let power = 0;
  for (let i = 0; i < masses.length; i++) {
    const count = first + i;
    const least = Math.floor((count + 1) * share) + 1;
    typeOne += masses[i]! * atLeast(least, count);
    power += masses[i]! * atLeast(least - 1, count);
  }
  const mixed = 2 * confusion * (1 - typeOne) + (1 - 2 * confusion) * (1 - power);
  return { typeOne, typeTwo: (1 - failure) * mixed + failure * (1 - typeOne) };
}

/** Pr[A >= k] for A ~ Bin(count, 1/2). */
function atLeast(k: number, count: number): number {
  if (k <= 0) return 1;
  return k > count ? 0 : binomialTail(k, count, 0.5);
}
