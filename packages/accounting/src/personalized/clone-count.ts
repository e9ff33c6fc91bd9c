/**
 * The exact law of a sum of independent coins of different probabilities (Poisson-binomial): how many users send a clone
 * of the victim's message, where every user has an own probability.
 *
 * Groups of equal coins are convolved one after the other, in a window beyond which every mass is below 1e-80. All terms
 * are positive, so masses are relatively accurate down to about 1e-60, where Fourier transforms end at 1e-15. Time: users
 * times window, some 38 deviations wide.
 */
import { ParameterError, binomialPmf, requireInteger, requireProbability } from '@shuffle-dp/core';

export interface CoinGroup {
  readonly coins: number;
  /** Probability of each coin, in [0, 1]. */
  readonly probability: number;
  /** 1 - probability, where the caller knows more of its digits than are left of the probability. */
  readonly complement?: number;
}

export interface CloneCountLaw {
  /** The count that masses[0] belongs to. */
  readonly first: number;
  readonly masses: Float64Array;
  /** Bound of all mass outside the window. */
  readonly omitted: number;
}

/**
 * The exact law of the number of successes of independent coins, group by group.
 *
 * @param smallestMass masses below this are left out and counted in `omitted`: less depth is a narrower window
 * @throws ParameterError for a probability outside [0, 1] or a number of coins that is not a whole number
 */
export function cloneCountLaw(groups: Iterable<CoinGroup>, smallestMass = 1e-80): CloneCountLaw {
  let window = new Float64Array(1024);
  window[0] = 1;
  let first = 0;
  let length = 1;
  let omitted = 0;
  for (const group of groups) {
    const { coins, probability, complement = 1 - probability } = group;
    requireInteger('coins', coins, 0);
    requireProbability('probability', probability);
    if (coins === 0 || probability === 0) continue;
    if (complement === 0) {
      first += coins;
      continue;
    }
    const added = coins === 1 ? null : binomialWindow(coins, probability, complement, smallestMass);
    const needed = length + (added ? added.masses.length - 1 : 1);
    if (needed > window.length) {
      const larger = new Float64Array(2 * needed);
      larger.set(window.subarray(0, length));
      window = larger;
    }
    if (added) {
      omitted += added.omitted;
      first += added.first;
      window.set(convolvedInWindow(window.subarray(0, length), added.masses));
    } else addCoin(window, length, probability, complement);
    length = needed;
    let start = 0;
    while (window[start]! < smallestMass && start < length - 1) omitted += window[start++]!;
    while (window[length - 1]! < smallestMass && length > start + 1) omitted += window[--length]!;
    if (start > 0) {
      window.copyWithin(0, start, length);
      first += start;
      length -= start;
    }
  }
  return { first, masses: window.slice(0, length), omitted };
}

/** One coin more: window[0..length] becomes the law of the sum. */
function addCoin(window: Float64Array, length: number, probability: number, complement: number): void {
  window[length] = window[length - 1]! * probability;
  for (let k = length - 1; k > 0; k--) window[k] = window[k]! * complement + window[k - 1]! * probability;
  window[0]! *= complement;
}

function convolvedInWindow(law: Float64Array, added: Float64Array): Float64Array {
  const sum = new Float64Array(law.length + added.length - 1);
  for (let j = 0; j < added.length; j++) {
    const mass = added[j]!;
    for (let k = 0; k < law.length; k++) sum[j + k]! += mass * law[k]!;
  }
  return sum;
}

function binomialWindow(
  coins: number,
  probability: number,
  complement: number,
  smallestMass: number,
): CloneCountLaw {
  const mode = Math.min(coins, Math.floor((coins + 1) * probability));
  const odds = probability / complement;
  const below: number[] = [];
  const peak =
    probability < 0.5 ? binomialPmf(mode, coins, probability) : binomialPmf(coins - mode, coins, complement);
  for (let k = mode, mass = peak; k > 0; k--) {
    mass *= k / ((coins - k + 1) * odds);
    if (mass < smallestMass) break;
    below.push(mass);
  }
  const above: number[] = [];
  for (let k = mode, mass = peak; k < coins; k++) {
    mass *= ((coins - k) * odds) / (k + 1);
    if (mass < smallestMass) break;
    above.push(mass);
  }
  return {
    first: mode - below.length,
    masses: Float64Array.from([...below.reverse(), peak, ...above]),
    omitted: coins * smallestMass,
  };
}

/** Equal values of a list counted, so that users of one budget are one group. */
export function countEqual(values: Float64Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (Number.isNaN(value)) throw new ParameterError('value', value, 'a number');
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
