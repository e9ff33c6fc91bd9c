/**
 * What can be checked of a frequency oracle that somebody else wrote: that it says what protocols and accountants ask, that what
 * it says fits together, and that what it draws fits what it says. It is no proof: the masses it states are believed where no
 * check contradicts them.
 */
import {
  RandomStream,
  type CategoricalData,
  type FrequencyOracle,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import { shuffledOracle } from '@shuffle-dp/protocols';
import { valueText } from '../config/config-error.ts';

/** Of sums of masses, and of ratios. */
const TOLERANCE = 1e-9;
/** Rounding of a mass, such as that of 1 - p for p near 1. */
const ROUNDING = 1e-15;

/** What protocols call. */
const METHODS = [
  'allocate',
  'randomizeInto',
  'amplification',
  'supportCounts',
  'estimate',
  'variance',
  'sampleSupportCounts',
] as const satisfies readonly (keyof FrequencyOracle)[];

/**
 * What is wrong with the numbers that an oracle states, as what it must be: 'one whose …'; null where nothing is. Cheap: a search
 * for a budget may ask it at every step.
 */
export function statedFault(oracle: FrequencyOracle, domain: number, epsilon0: number): string | null {
  const missing = METHODS.filter((method) => typeof oracle?.[method] !== 'function');
  if (missing.length > 0) return `one whose oracle has ${missing.join(', ')}`;
  if (oracle.domain !== domain || oracle.epsilon0 !== epsilon0)
    return 'one whose oracle has the domain and epsilon0 it was given';
  if (!(oracle.bitsPerMessage >= 0 && oracle.bitsPerMessage < Infinity))
    return `one whose bitsPerMessage is zero or a positive number, not ${valueText(oracle.bitsPerMessage)}`;
  return supportFault(oracle) ?? massesFault(oracle) ?? varianceFault(oracle);
}

function supportFault({ supportProbability, epsilon0 }: FrequencyOracle): string | null {
  const { own, other } = (supportProbability ?? {}) as Partial<FrequencyOracle['supportProbability']>;
  if (!(typeof own === 'number' && typeof other === 'number' && own <= 1 && other >= 0 && own > other))
    return `one whose supportProbability has own above other, both in [0, 1], not own = ${valueText(own)}, other = ${valueText(other)}`;
  if (exceeds(own, other, epsilon0) || exceeds(1 - other, 1 - own, epsilon0))
    return `one whose supportProbability, own = ${own}, other = ${other}, keeps to the budget epsilon0 = ${epsilon0}`;
  return null;
}

/** Whether one mass is more than e^epsilon0 times the other. */
function exceeds(mass: number, than: number, epsilon0: number): boolean {
  return mass * Math.exp(-epsilon0) > than * (1 + TOLERANCE) + ROUNDING;
}

function massesFault(oracle: FrequencyOracle): string | null {
  const profile = oracle.amplification() as unknown;
  const { blanket, homogeneous } = (profile ?? {}) as Record<string, unknown>;
  if (!Array.isArray(blanket) || !Array.isArray(homogeneous) || blanket.length === 0)
    return `one whose amplification() has lists of masses, blanket (at least one) and homogeneous, not ${valueText(profile)}`;
  for (const [list, entries] of Object.entries({ blanket, homogeneous })) {
    for (const [i, entry] of entries.entries()) {
      const fault = atomsFault(entry as LikelihoodAtoms, list === 'blanket', oracle);
      if (fault !== null) return `one whose amplification().${list}[${i}] has ${fault}`;
    }
  }
  return null;
}

/** @param blanket whether `others` is what every other user is sure to send, rather than the law of one value */
function atomsFault(atoms: LikelihoodAtoms, blanket: boolean, oracle: FrequencyOracle): string | null {
  const { epsilon0, supportProbability } = oracle;
  const { victim0, victim1, others, cellEnds } = atoms ?? {};
  const columns = { victim0, victim1, others };
  for (const [name, masses] of Object.entries(columns)) {
    if (!(masses instanceof Float64Array) || masses.length === 0 || masses.length !== victim0.length)
      return 'victim0, victim1 and others as Float64Arrays of one length';
    const wrong = masses.find((mass) => !(mass >= 0 && mass <= 1 + TOLERANCE));
    if (wrong !== undefined) return `masses in [0, 1], not ${wrong} in ${name}`;
    const sum = total(masses);
    if (blanket && name === 'others' ? sum > 1 + TOLERANCE : Math.abs(sum - 1) > TOLERANCE)
      return `masses ${name} that sum to ${blanket && name === 'others' ? 'at most ' : ''}1, not ${sum}`;
  }
  for (let i = 0; i < victim0.length; i++) {
    const [first, second] = [victim0[i]!, victim1[i]!];
    if (exceeds(Math.max(first, second), Math.min(first, second), epsilon0))
      return `masses of the victim within e^epsilon0 of each other, epsilon0 = ${epsilon0}, not ${first} and ${second}`;
    // Others may hold the victim's values too. Within a cell of a continuous output space the infimum may be anywhere.
    if (blanket && !cellEnds && others[i]! > Math.min(first, second) * (1 + TOLERANCE) + ROUNDING)
      return `others no larger than the victim's masses, not ${others[i]} beside ${first} and ${second}`;
  }
  // That a message supports the first value is one test of the victim's value: no test does better than the masses allow.
  const { own, other } = supportProbability;
  const size = other * (1 + TOLERANCE) + ROUNDING;
  if (Math.min(bestPower(victim0, victim1, size), bestPower(victim1, victim0, size)) < own - TOLERANCE)
    return `masses that tell the victim's values apart as well as supportProbability does, own = ${own}, other = ${other}`;
  return null;
}

/** Of all tests that reject `second` with probability `size`, the largest probability under `first` (Neyman and Pearson). */
function bestPower(first: Float64Array, second: Float64Array, size: number): number {
  const order = Array.from(first.keys()).sort((a, b) => first[b]! * second[a]! - first[a]! * second[b]!);
  let power = 0;
  let left = size;
  for (const atom of order) {
    if (second[atom]! >= left)
      return power + (second[atom]! > 0 ? (left / second[atom]!) * first[atom]! : first[atom]!);
    power += first[atom]!;
    left -= second[atom]!;
  }
  return power;
}

function varianceFault(oracle: FrequencyOracle): string | null {
  for (const frequency of [0.1, 0.5, 0.9]) {
    const variance: unknown = oracle.variance(1000, frequency);
    if (!(typeof variance === 'number' && variance > 0 && variance < Infinity))
      return `one whose variance(1000, ${frequency}) is positive, not ${valueText(variance)}`;
  }
  return null;
}

/** Users of the trial draw, fewer in large domains, where counting takes longer. */
const TRIAL_USERS = 10_000;
const LEAST_TRIAL_USERS = 500;
const TRIAL_WORK = 2 ** 19;
/** A right oracle is refused with at most this probability over its own randomness. */
const FALSE_ALARM = 1e-9;

/**
 * What is wrong with the messages and counts that an oracle draws, as `statedFault`. A few thousand users, half of them with
 * category 0: each category's counts must lie within Bernstein's inequality of what `supportProbability` says, by messages and
 * aggregated, and estimates of them near the frequencies. @throws what the oracle throws
 */
export function drawnFault(oracle: FrequencyOracle): string | null {
  const { domain, epsilon0 } = oracle;
  const users = Math.min(TRIAL_USERS, Math.max(LEAST_TRIAL_USERS, Math.floor(TRIAL_WORK / domain)));
  const values = Uint32Array.from({ length: users }, (_, user) =>
    user % 2 === 0 ? 0 : 1 + ((user >> 1) % (domain - 1)),
  );
  const histogram = new Float64Array(domain);
  for (const value of values) histogram[value]!++;
  const data: CategoricalData = { kind: 'categories', users, domain, histogram, values };
  // The protocol's own way of the messages, up to the counts.
  const counting = shuffledOracle(
    () => ({
      ...oracle,
      allocate: (count) => oracle.allocate(count),
      randomizeInto: (given, messages, stream) => oracle.randomizeInto(given, messages, stream),
      supportCounts: (messages) => oracle.supportCounts(messages),
      sampleSupportCounts: (given, stream) => oracle.sampleSupportCounts(given, stream),
      estimate: (counts) => counts,
    }),
    { title: oracle.name, randomizer: oracle.name, epsilon0 },
    { users, domain, delta: 0.5 },
  );
  const stream = RandomStream.fromSeed('trial draw of an own randomizer');
  for (const [path, method] of [
    ['messages', 'supportCounts'],
    ['aggregated', 'sampleSupportCounts'],
  ] as const) {
    const counts: unknown = counting.run(data, stream.fork(path), path);
    const wrong = arrayFault(counts, domain, 0) ?? countsFault(counts as Float64Array, data, oracle);
    if (wrong !== null) return `one whose ${method} gives ${wrong}`;
    const estimate: unknown = oracle.estimate(counts as Float64Array, users);
    const off =
      arrayFault(estimate, domain, -Infinity) ?? estimateFault(estimate as Float64Array, data, oracle);
    if (off !== null) return `one whose estimate gives ${off}`;
  }
  return null;
}

/** What an estimate must be at any data, as `statedFault`. */
export function estimateShapeFault(estimate: unknown, domain: number): string | null {
  const fault = arrayFault(estimate, domain, -Infinity);
  return fault === null ? null : `one whose estimate gives ${fault}`;
}

function arrayFault(values: unknown, length: number, least: number): string | null {
  if (!(values instanceof Float64Array)) return `a Float64Array, not ${valueText(values)}`;
  if (values.length !== length) return `one number for each of ${length} categories, not ${values.length}`;
  const wrong = values.find((value) => !(value >= least && Number.isFinite(value)));
  if (wrong === undefined) return null;
  return least === 0 ? `counts from 0, not ${wrong}` : `finite numbers, not ${wrong}`;
}

interface TrialData {
  readonly users: number;
  readonly histogram: Float64Array;
}

function countsFault(
  counts: Float64Array,
  { users, histogram }: TrialData,
  oracle: FrequencyOracle,
): string | null {
  for (const [category, count] of counts.entries()) {
    const { mean, reach } = supportLaw(oracle, users, histogram[category]!);
    if (Math.abs(count - mean) > reach)
      return (
        `what supportProbability says: of ${users} users, ${histogram[category]} of them with category ${category}, ` +
        `${count} support it, where ${mean.toPrecision(4)} ± ${reach.toPrecision(2)} should`
      );
  }
  return null;
}

/** An unbiased estimate that is linear in the counts is as near as they are, and so it is when it is clipped. */
function estimateFault(
  estimate: Float64Array,
  { users, histogram }: TrialData,
  oracle: FrequencyOracle,
): string | null {
  const { own, other } = oracle.supportProbability;
  for (const [category, estimated] of estimate.entries()) {
    const frequency = histogram[category]! / users;
    const reach =
      (supportLaw(oracle, users, histogram[category]!).reach * (1 + TOLERANCE)) / (users * (own - other));
    if (Math.abs(estimated - frequency) > reach)
      return `${estimated.toPrecision(4)} where ${frequency.toPrecision(4)} ± ${reach.toPrecision(2)} of the users have the category`;
  }
  return null;
}

/** Mean of a support count, and how far from it Bernstein's inequality allows: all categories and both paths share the false alarm. */
function supportLaw(
  { domain, supportProbability: { own, other } }: FrequencyOracle,
  users: number,
  holders: number,
): { readonly mean: number; readonly reach: number } {
  const mean = holders * own + (users - holders) * other;
  const variance = holders * own * (1 - own) + (users - holders) * other * (1 - other);
  const log = Math.log((4 * domain) / FALSE_ALARM);
  return { mean, reach: log / 3 + Math.sqrt((log / 3) ** 2 + 2 * variance * log) };
}

function total(masses: Float64Array): number {
  return masses.reduce((sum, mass) => sum + mass, 0);
}
