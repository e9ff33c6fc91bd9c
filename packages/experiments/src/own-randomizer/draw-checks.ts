/**
 * What a frequency oracle that somebody else wrote draws, compared with what it says of itself: counts,
 * estimates and their variance, the number of messages, how well messages tell two values apart, and that
 * equal streams give equal messages. A right oracle is refused with probability at most 1e-9 over its own
 * randomness. The power is in docs/own-randomizers.md.
 */
import { normalQuantile, RandomStream, type CategoricalData, type FrequencyOracle } from '@shuffle-dp/core';
import { countingProtocol } from './counting-protocol.ts';
import { leakFault } from './leak-check.ts';
import { arrayFault } from './oracle-checks.ts';
import { repetitionFault } from './repetition-check.ts';

/** Shared by all tests of one oracle, of which there are fewer than `TESTS`. */
const FALSE_ALARM = 1e-9;
const TESTS = 16;
const EACH = FALSE_ALARM / TESTS;
/** Rounding of estimates. */
const TOLERANCE = 1e-9;

/** Messages are checked at a budget at which they say much of the value: there a fault stands out most. */
export function clearBudget(domain: number): number {
  return Math.min(20, Math.log(domain) + 3);
}

/**
 * What is wrong with the counts drawn without messages, with the messages of a few users, or with a module
 * that does not repeat itself, as what it must be: 'one whose …'; null where nothing is. @throws what the
 * oracle throws
 */
export function drawnFault(oracle: FrequencyOracle): string | null {
  const stream = RandomStream.fromSeed('check of an own randomizer').fork('budget of the run');
  return (
    repetitionFault(oracle, stream.fork('repetition')) ??
    countsFault(oracle, aggregatedDraws(oracle, stream.fork('aggregated'))) ??
    leakFault(oracle, stream.fork('leak'), EACH)
  );
}

/**
 * What is wrong with messages, shuffled and counted, as `drawnFault`; best at `clearBudget`. @throws what the
 * oracle throws
 */
export function messagesFault(oracle: FrequencyOracle): string | null {
  const stream = RandomStream.fromSeed('check of an own randomizer').fork('clear budget');
  return (
    repetitionFault(oracle, stream.fork('repetition')) ??
    countsFault(oracle, messageDraws(oracle, stream.fork('messages'))) ??
    leakFault(oracle, stream.fork('leak'), EACH)
  );
}

/** Counts of several data sets in which half of the users have category 0. */
interface Draws {
  readonly method: 'supportCounts' | 'sampleSupportCounts';
  readonly users: number;
  readonly histogram: Float64Array;
  /** Of equal size, each with its counts. */
  readonly sets: readonly Float64Array[];
}

/** Small batches, so that one message that is missing from each is noticed. */
const BATCH_USERS = 64;
/** Batches that are one data set for the variance: enough for a normal law. */
const BATCHES_PER_SET = 16;
const MOST_MESSAGES = 2 ** 19;
const LEAST_MESSAGES = 2 ** 11;
const MESSAGE_WORK = 2 ** 23;

function messageDraws(oracle: FrequencyOracle, stream: RandomStream): Draws {
  const { domain } = oracle;
  const messages = Math.min(MOST_MESSAGES, Math.max(LEAST_MESSAGES, MESSAGE_WORK / domain));
  const users = BATCH_USERS * BATCHES_PER_SET;
  const counting = countingProtocol(oracle, BATCH_USERS);
  const total = new Float64Array(domain);
  const sets = Array.from({ length: Math.max(2, Math.floor(messages / users)) }, (_, set) => {
    const counts = new Float64Array(domain);
    for (let batch = 0; batch < BATCHES_PER_SET; batch++) {
      const first = (set * BATCHES_PER_SET + batch) * BATCH_USERS;
      const data = batchData(first, domain);
      for (let category = 0; category < domain; category++) total[category]! += data.histogram[category]!;
      const drawn = counting.run(data, stream.fork(first), 'messages');
      for (let category = 0; category < domain; category++) counts[category]! += drawn[category] ?? NaN;
    }
    return counts;
  });
  return { method: 'supportCounts', users, histogram: total, sets };
}

/** Every second user has category 0, the others have the rest in turn. */
function batchData(first: number, domain: number): CategoricalData & { readonly values: Uint32Array } {
  const values = Uint32Array.from({ length: BATCH_USERS }, (_, user) =>
    user % 2 === 0 ? 0 : 1 + (((first + user) >> 1) % (domain - 1)),
  );
  const histogram = new Float64Array(domain);
  for (const value of values) histogram[value]!++;
  return { kind: 'categories', users: BATCH_USERS, domain, histogram, values };
}

const MOST_DRAWS = 512;
const LEAST_DRAWS = 32;
const DRAW_WORK = 2 ** 20;
/** So many users that an estimate that is this share too large stands out by so many standard deviations. */
const BIAS_FOUND = 0.02;
const DEVIATIONS = 16;
const LEAST_VARIANCE = 100;
const MOST_USERS = 1e12;

function aggregatedDraws(oracle: FrequencyOracle, stream: RandomStream): Draws {
  const { domain, supportProbability } = oracle;
  const { own, other } = supportProbability;
  const draws = Math.max(LEAST_DRAWS, Math.min(MOST_DRAWS, Math.floor(DRAW_WORK / domain)));
  const variance = (own * (1 - own) + other * (1 - other)) / 2;
  const forBias = (DEVIATIONS / ((BIAS_FOUND / 2) * (own - other))) ** 2 * variance;
  const wanted = Math.max(2 * domain, forBias / draws, LEAST_VARIANCE / variance);
  // Twice a multiple of the other categories: all of them get the same whole number.
  const each = Math.ceil(Math.min(MOST_USERS, wanted) / (2 * (domain - 1)));
  const histogram = new Float64Array(domain).fill(each);
  histogram[0] = each * (domain - 1);
  const sets = Array.from({ length: draws }, (_, draw) =>
    oracle.sampleSupportCounts(histogram.slice(), stream.fork(draw)),
  );
  const users = 2 * histogram[0]!;
  return { method: 'sampleSupportCounts', users, histogram: histogram.map((count) => count * draws), sets };
}

/**
 * The counts of all data sets together, their estimate, and how far the estimates of the data sets are apart.
 */
function countsFault(oracle: FrequencyOracle, draws: Draws): string | null {
  const { domain } = oracle;
  const { method, users, histogram, sets } = draws;
  const total = new Float64Array(domain);
  for (const counts of sets as readonly unknown[]) {
    const wrong = arrayFault(counts, domain, 0);
    if (wrong !== null) return `one whose ${method} gives ${wrong}`;
    for (let category = 0; category < domain; category++)
      total[category]! += (counts as Float64Array)[category]!;
  }
  const all = { users: users * sets.length, histogram };
  const wrong = totalFault(total, all, oracle);
  if (wrong !== null) return `one whose ${method} gives ${wrong}`;
  const estimate: unknown = oracle.estimate(total, all.users);
  const off = arrayFault(estimate, domain, -Infinity) ?? estimateFault(estimate as Float64Array, all, oracle);
  if (off !== null) return `one whose estimate gives ${off}`;
  return spreadFault(oracle, draws);
}

interface TrialData {
  readonly users: number;
  readonly histogram: Float64Array;
}

function totalFault(
  counts: Float64Array,
  { users, histogram }: TrialData,
  oracle: FrequencyOracle,
): string | null {
  for (const [category, count] of counts.entries()) {
    const { mean, reach } = supportLaw(oracle, users, histogram[category]!);
    if (Math.abs(count - mean) > reach)
      return (
        `what supportProbability says: of ${users} users, ${histogram[category]} of them with category ${category}, ` +
        `${count} support it, where ${mean.toPrecision(6)} ± ${reach.toPrecision(2)} should${atBudget(oracle)}`
      );
  }
  return null;
}

/** An unbiased estimate that is linear in the counts is as near as they are. */
function estimateFault(
  estimate: Float64Array,
  { users, histogram }: TrialData,
  oracle: FrequencyOracle,
): string | null {
  const { own, other } = oracle.supportProbability;
  for (const [category, estimated] of estimate.entries()) {
    const frequency = histogram[category]! / users;
    const { reach } = supportLaw(oracle, users, histogram[category]!);
    const allowed = (reach * (1 + TOLERANCE)) / (users * (own - other)) + TOLERANCE;
    if (Math.abs(estimated - frequency) > allowed)
      return `${estimated.toPrecision(4)} where ${frequency.toPrecision(4)} ± ${allowed.toPrecision(2)} of the users have the category${atBudget(oracle)}`;
  }
  return null;
}

/**
 * Mean of a support count, and how far from it Bernstein's inequality allows: counts and estimates of all
 * categories share the false alarm.
 */
function supportLaw(
  { domain, supportProbability: { own, other } }: FrequencyOracle,
  users: number,
  holders: number,
): { readonly mean: number; readonly reach: number } {
  const mean = holders * own + (users - holders) * other;
  const variance = holders * own * (1 - own) + (users - holders) * other * (1 - other);
  const log = Math.log((2 * domain) / EACH);
  return { mean, reach: log / 3 + Math.sqrt((log / 3) ** 2 + 2 * variance * log) };
}

/** Fewer errors show little of a variance. */
const LEAST_SETS = 32;

/** Whether the estimates of category 0, which half of the users have, spread as `variance` says. */
function spreadFault(oracle: FrequencyOracle, { method, users, sets }: Draws): string | null {
  const { own, other } = oracle.supportProbability;
  const countVariance = (users * (own * (1 - own) + other * (1 - other))) / 2;
  if (sets.length < LEAST_SETS || countVariance < LEAST_COUNT_VARIANCE) return null;
  const stated = oracle.variance(users, 0.5);
  let squares = 0;
  for (const counts of sets) squares += (oracle.estimate(counts, users)[0]! - 0.5) ** 2;
  const ratio = squares / sets.length / stated;
  const { low, high } = spreadRange(sets.length, countVariance);
  if (ratio >= low && ratio <= high) return null;
  return (
    `one whose variance is that of its estimates: of ${users} users, half of them with the category, it states ${stated.toPrecision(4)}, ` +
    `where ${sets.length} estimates by ${method} spread by ${(squares / sets.length).toPrecision(4)}, ${ratio.toPrecision(3)} times as much, ` +
    `and ${low.toPrecision(3)} to ${high.toPrecision(3)} times is allowed${atBudget(oracle)}`
  );
}

/** From here on a sum of bits is near enough to normal. */
const LEAST_COUNT_VARIANCE = 12;

/**
 * What a mean of squared standard normal errors may be (Wilson and Hilferty's cube root). The fourth moment
 * of a sum of bits of variance v exceeds that of a normal law by at most 1/v, which counts as fewer errors.
 */
function spreadRange(count: number, variance: number): { readonly low: number; readonly high: number } {
  const spread = 2 / (9 * (count / (1 + 1 / (2 * variance))));
  const deviations = -normalQuantile(EACH / 2);
  const end = (sign: number): number => (1 - spread + sign * deviations * Math.sqrt(spread)) ** 3;
  return { low: Math.max(0, end(-1)), high: end(1) };
}

function atBudget({ epsilon0 }: FrequencyOracle): string {
  return `, at epsilon0 = ${Number(epsilon0.toPrecision(6))}`;
}
