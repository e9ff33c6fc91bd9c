/**
 * The exact law of a sum of independent coins of different probabilities (Poisson-binomial): how many users
 * send a clone of the victim's message, where every user has an own probability.
 *
 * Laws of about as many coins are convolved with each other, in a window beyond which every mass is below
 * 1e-80. All terms are positive, so masses are relatively accurate down to about 1e-60, where Fourier
 * transforms end at 1e-15. Time: the square of the window, some 38 deviations wide, times the logarithm of
 * the users.
 */
import { binomialPmf, requireInteger, requireProbability } from '@shuffle-dp/core';

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
 * @param smallestMass masses below this are left out and counted in `omitted`: less depth is a narrower
 * window
 * @throws ParameterError for a probability outside [0, 1] or a number of coins that is not a whole number
 */
export function cloneCountLaw(groups: Iterable<CoinGroup>, smallestMass = 1e-80): CloneCountLaw {
  let certain = 0;
  /** Laws of ever fewer coins: each has more than the one after it. */
  const laws: CountedLaw[] = [];
  const add = (law: CountedLaw): void => {
    let sum = law;
    while (laws.length > 0 && laws.at(-1)!.coins <= sum.coins) sum = sumOf(laws.pop()!, sum, smallestMass);
    laws.push(sum);
  };
  let single: { probability: number; complement: number }[] = [];
  const addSingle = (): void => {
    if (single.length > 0) add(lawOfCoins(single, smallestMass));
    single = [];
  };
  for (const { coins, probability, complement = 1 - probability } of groups) {
    requireInteger('coins', coins, 0);
    requireProbability('probability', probability);
    if (coins === 0 || probability === 0) continue;
    if (complement === 0) certain += coins;
    else if (coins > 1) add({ coins, ...binomialWindow(coins, probability, complement, smallestMass) });
    else if (single.push({ probability, complement }) === MOST_SINGLE) addSingle();
  }
  addSingle();
  const last = laws.pop() ?? NO_COINS;
  const whole = laws.reduceRight((sum, law) => sumOf(law, sum, smallestMass), last);
  return { first: certain + whole.first, masses: whole.masses, omitted: whole.omitted };
}

/**
 * So many coins of their own are added one by one; laws of so many, and of more, are convolved in pairs of
 * about one size.
 */
const MOST_SINGLE = 64;

interface CountedLaw extends CloneCountLaw {
  readonly coins: number;
}

const NO_COINS: CountedLaw = { coins: 0, first: 0, masses: Float64Array.of(1), omitted: 0 };

function lawOfCoins(
  coins: readonly { readonly probability: number; readonly complement: number }[],
  smallestMass: number,
): CountedLaw {
  const window = new Float64Array(coins.length + 1);
  window[0] = 1;
  coins.forEach(({ probability, complement }, i) => addCoin(window, i + 1, probability, complement));
  return trimmed({ coins: coins.length, first: 0, masses: window, omitted: 0 }, smallestMass);
}

function sumOf(a: CountedLaw, b: CountedLaw, smallestMass: number): CountedLaw {
  const sum = {
    coins: a.coins + b.coins,
    first: a.first + b.first,
    masses: convolvedInWindow(a.masses, b.masses),
    omitted: a.omitted + b.omitted,
  };
  return trimmed(sum, smallestMass);
}

/** Without the masses at both ends that are too small. */
function trimmed({ coins, first, masses, omitted }: CountedLaw, smallestMass: number): CountedLaw {
  let [start, end] = [0, masses.length];
  let lost = omitted;
  while (masses[start]! < smallestMass && start < end - 1) lost += masses[start++]!;
  while (masses[end - 1]! < smallestMass && end > start + 1) lost += masses[--end]!;
  return { coins, first: first + start, masses: masses.slice(start, end), omitted: lost };
}

/** One coin more: window[0..length] becomes the law of the sum. */
function addCoin(window: Float64Array, length: number, probability: number, complement: number): void {
  window[length] = window[length - 1]! * probability;
  for (let k = length - 1; k > 0; k--) window[k] = window[k]! * complement + window[k - 1]! * probability;
  window[0]! *= complement;
}

/** Four masses by four sums at a time: each is then read and written a quarter as often. */
function convolvedInWindow(law: Float64Array, added: Float64Array): Float64Array {
  const places = law.length + 3;
  const padded = new Float64Array(places + 7);
  padded.set(law, 3);
  const factors = new Float64Array(added.length + 3);
  factors.set(added);
  const sum = new Float64Array(places + added.length + 6);
  for (let j = 0; j < added.length; j += 4) {
    const a = factors[j]!;
    const b = factors[j + 1]!;
    const c = factors[j + 2]!;
    const d = factors[j + 3]!;
    let before3 = padded[0]!;
    let before2 = padded[1]!;
    let before1 = padded[2]!;
    for (let k = 0, i = j; k < places; k += 4, i += 4) {
      const p = padded[k + 3]!;
      const q = padded[k + 4]!;
      const r = padded[k + 5]!;
      const s = padded[k + 6]!;
      sum[i]! += a * p + b * before1 + c * before2 + d * before3;
      sum[i + 1]! += a * q + b * p + c * before1 + d * before2;
      sum[i + 2]! += a * r + b * q + c * p + d * before1;
      sum[i + 3]! += a * s + b * r + c * q + d * p;
      before3 = q;
      before2 = r;
      before1 = s;
    }
  }
  return sum.slice(0, law.length + added.length - 1);
}

function binomialWindow(
  coins: number,
  probability: number,
  complement: number,
  smallestMass: number,
): CloneCountLaw {
  const mode = Math.min(coins, Math.floor((coins + 1) * probability));
  const odds = probability / complement;
  const peak =
    probability < 0.5 ? binomialPmf(mode, coins, probability) : binomialPmf(coins - mode, coins, complement);
  const below = masses(mode, peak, smallestMass, (i) => (mode - i) / ((coins - mode + i + 1) * odds));
  const above = masses(coins - mode, peak, smallestMass, (i) => ((coins - mode - i) * odds) / (mode + i + 1));
  const window = new Float64Array(below.length + 1 + above.length);
  window.set(below.reverse());
  window[below.length] = peak;
  window.set(above, below.length + 1);
  return {
    first: mode - below.length,
    masses: window,
    omitted: coins * smallestMass,
  };
}

/** The masses beside a peak, at most so many, while they are not too small. */
function masses(
  most: number,
  peak: number,
  smallestMass: number,
  ratioAt: (step: number) => number,
): Float64Array {
  let room = new Float64Array(Math.min(most, 256));
  let length = 0;
  for (let mass = peak; length < most;) {
    mass *= ratioAt(length);
    if (mass < smallestMass) break;
    if (length === room.length) {
      const wider = new Float64Array(2 * length);
      wider.set(room);
      room = wider;
    }
    room[length++] = mass;
  }
  return room.subarray(0, length);
}
