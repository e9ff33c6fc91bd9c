/**
 * Holders of each item, where users hold s items that were drawn one after another without replacement by
 * weights, at a cost that follows the items alone: for sets that are too many to list, of more users than can
 * be drawn one by one.
 *
 * Let every item ring once, at an exponential time of its weight as rate: the first s that ring are such a
 * set (P. Efraimidis and P. Spirakis, IPL 97(5), 2006). Given the time t at which the last of them rings,
 * items are met one by one, and what has been chosen so far enters by two facts alone: how many there are,
 * and whether the last one is among them. So users are counted by these two, a binomial draw decides how many
 * of each state hold the next item, and the exact joint law of all counts follows. The times themselves are
 * summed over a lattice in log t, by the trapezoidal rule, which decision 0020 proves to err by less than
 * rounding does.
 */
import { Real, sampleBinomial, sampleMultinomial, type RandomStream } from '@shuffle-dp/core';

/** Times at which the last item of a set may ring, their masses, and how wide their steps are. */
export interface RingingTimes {
  readonly times: Float64Array;
  /** Sum to 1 but for roundoff. */
  readonly masses: Float64Array;
}

/** Of the error of the trapezoidal rule, and of each of the two tails that are cut, the logarithm. */
const LOG_ERROR = -40;
/** Angles of the strip on which the integrand is looked at, in this many steps up to a right angle. */
const ANGLES = 64;

/**
 * The lattice in log t for sets of s items.
 *
 * @param probabilities of the items at the first draw; sum to 1, at least s of them positive
 */
export function ringingTimes(probabilities: Float64Array, s: number): RingingTimes {
  const step = latticeStep(s);
  const tables = new ChoiceTables(probabilities, s);
  // No set is complete before t with more probability than t^s / s!.
  let logFactorial = 0;
  for (let i = 2; i <= s; i++) logFactorial += Real.log(i);
  const first = Math.floor((LOG_ERROR + logFactorial) / s / step);
  const times: number[] = [];
  const masses: number[] = [];
  for (let place = first; ; place++) {
    const time = Real.exp(place * step);
    tables.set(time);
    times.push(time);
    masses.push(step * tables.density);
    if (tables.late < Real.exp(LOG_ERROR)) break;
  }
  return { times: Float64Array.from(times), masses: Float64Array.from(masses) };
}

/** The widest step whose error, (cos a)^-s e^(-2 pi a / step) at the best angle a, is small enough. */
function latticeStep(s: number): number {
  let widest = 0;
  for (let k = 1; k < ANGLES; k++) {
    const angle = (k * Math.PI) / (2 * ANGLES);
    widest = Math.max(widest, (2 * Math.PI * angle) / (-LOG_ERROR - s * Real.log(Real.cos(angle))));
  }
  return widest;
}

/** Sets of so many items, drawn one after another. */
export interface SuccessiveSets {
  /** Of the items at the first draw; sum to 1. */
  readonly probabilities: Float64Array;
  readonly items: number;
  /** `ringingTimes` of both. */
  readonly times: RingingTimes;
}

/**
 * The holders of each item among so many users of each level, from their joint law.
 *
 * @param members users of each level
 * @returns level by level
 * @example drawSuccessiveCounts({ probabilities: Float64Array.of(0.5, 0.5), items: 2, times: ringingTimes(Float64Array.of(0.5, 0.5), 2) }, [7], RandomStream.fromSeed('example')) // [[7, 7]]
 */
export function drawSuccessiveCounts(
  { probabilities, items, times: { times, masses } }: SuccessiveSets,
  members: ArrayLike<number>,
  stream: RandomStream,
): Float64Array[] {
  const usersOfTime = Array.from(members, (users) => {
    const drawn = new Float64Array(times.length);
    sampleMultinomial(users, masses, drawn, stream);
    return drawn;
  });
  const holders = usersOfTime.map(() => new Float64Array(probabilities.length));
  const tables = new ChoiceTables(probabilities, items);
  times.forEach((time, place) => {
    if (usersOfTime.every((users) => users[place] === 0)) return;
    tables.set(time);
    usersOfTime.forEach((users, level) => tables.draw(users[place]!, holders[level]!, stream));
  });
  return holders;
}

/**
 * For one time, the probability from each item on that what is missing rings until then, and what else does
 * not. States are numbers of items that are chosen, twice: before the one that rings at that time, and with
 * it.
 */
class ChoiceTables {
  readonly #weights: Float64Array;
  readonly #s: number;
  /** Of an item: not chosen, chosen before, chosen last. */
  readonly #choice: Float64Array;
  /** Row by row from the first item to the end, `s + 1` states without the last item and as many with it. */
  readonly #rest: Float64Array;
  #late = 0;

  constructor(weights: Float64Array, s: number) {
    this.#weights = weights;
    this.#s = s;
    this.#choice = new Float64Array(3 * weights.length);
    this.#rest = new Float64Array((weights.length + 1) * 2 * (s + 1));
  }

  /** Of log t: that a set is complete then. */
  get density(): number {
    return this.#rest[0]!;
  }

  /** Probability that a set is not complete at the time. */
  get late(): number {
    return this.#late;
  }

  set(time: number): void {
    const [weights, s, choice, rest] = [this.#weights, this.#s, this.#choice, this.#rest];
    const width = s + 1;
    const chosen = new Float64Array(s);
    chosen[0] = 1;
    rest[rest.length - 1] = 1;
    for (let item = weights.length - 1; item >= 0; item--) {
      const x = weights[item]! * time;
      const out = Real.exp(-x);
      const before = -Real.expm1(-x);
      const last = x * out;
      choice.set([out, before, last], 3 * item);
      const row = item * 2 * width;
      const next = row + 2 * width;
      for (let k = 0; k <= s; k++) {
        const more = k < s ? rest[next + k + 1]! : 0;
        const done = k < s ? rest[next + width + k + 1]! : 0;
        rest[row + k] = out * rest[next + k]! + before * more + last * done;
        rest[row + width + k] = out * rest[next + width + k]! + before * done;
      }
      for (let k = s - 1; k >= 0; k--) chosen[k] = out * chosen[k]! + (k > 0 ? before * chosen[k - 1]! : 0);
    }
    this.#late = chosen.reduce((sum, p) => sum + p, 0);
  }

  /** Adds to `holders` those of so many users whose last item rings at this time. */
  draw(users: number, holders: Float64Array, stream: RandomStream): void {
    if (users === 0) return;
    const [s, choice, rest] = [this.#s, this.#choice, this.#rest];
    const width = s + 1;
    const inState = new Float64Array(2 * width);
    inState[0] = users;
    const items = this.#weights.length;
    for (let item = 0; item < items; item++) {
      const next = (item + 1) * 2 * width;
      const [before, last] = [choice[3 * item + 1]!, choice[3 * item + 2]!];
      // From the most items down, so that nobody is asked twice.
      for (let k = s - 1; k >= 0; k--) {
        for (const from of [width + k, k]) {
          const here = inState[from]!;
          if (here === 0) continue;
          const isOpen = from === k;
          const total = rest[next - 2 * width + from]!;
          const asBefore = before * rest[next + from + 1]!;
          const asLast = isOpen ? last * rest[next + width + k + 1]! : 0;
          const taken = sampleBinomial(here, Math.min(1, (asBefore + asLast) / total), stream);
          if (taken === 0) continue;
          const lastOnes = isOpen ? sampleBinomial(taken, asLast / (asBefore + asLast), stream) : 0;
          inState[from]! -= taken;
          inState[from + 1]! += taken - lastOnes;
          if (isOpen) inState[width + k + 1]! += lastOnes;
          holders[item]! += taken;
        }
      }
    }
  }
}
