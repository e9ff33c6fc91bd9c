/**
 * Generalized randomized response (k-ary randomized response, direct encoding): a user sends the own value with
 * probability p/(p+d-1), p = e^epsilon0, and each other value with probability 1/(p+d-1).
 * P. Kairouz, K. Bonawitz, D. Ramage, "Discrete Distribution Estimation under Local Privacy", ICML 2016.
 */
import {
  requireInteger,
  requirePositive,
  sampleBinomial,
  sampleUniformMultinomial,
  type AmplificationProfile,
  type FrequencyOracle,
  type RandomStream,
} from '@shuffle-dp/core';
import { likelihoodAtoms } from './likelihood-atoms.ts';
import { estimateFrequencies, frequencyVariance, totalUsers } from './pure-frequency-protocol.ts';

export interface GeneralizedRandomizedResponseParameters {
  /** Number of categories, at least 2. */
  readonly domain: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
}

export type CategoryColumns = { readonly value: Uint8Array | Uint16Array | Uint32Array };

/** The narrowest unsigned column that holds 0 to domain - 1. */
export function categoryColumn(domain: number, length: number): Uint8Array | Uint16Array | Uint32Array {
  if (domain <= 0x100) return new Uint8Array(length);
  return domain <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}

/** @throws ParameterError */
export function generalizedRandomizedResponse({
  domain,
  epsilon0,
}: GeneralizedRandomizedResponseParameters): FrequencyOracle<CategoryColumns> {
  requireInteger('domain', domain, 2, 2 ** 21);
  requirePositive('epsilon0', epsilon0);
  // Dividing by p keeps everything finite at large budgets: 1/(p+d-1) = e^-eps0 / (1 + (d-1) e^-eps0).
  const inverse = Math.exp(-epsilon0);
  const own = 1 / (1 + (domain - 1) * inverse);
  const other = inverse * own;
  /** Probability of the own value on top of a uniform draw: (p-1)/(p+d-1). */
  const truthful = -Math.expm1(-epsilon0) * own;
  const support = Object.freeze({ own, other });
  return Object.freeze({
    name: 'grr',
    epsilon0,
    domain,
    supportProbability: support,
    bitsPerMessage: Math.log2(domain),
    allocate: (users: number) => ({ columns: { value: categoryColumn(domain, users) }, count: 0 }),
    randomizeInto(values, messages, stream) {
      for (let start = 0; start < values.length; start += BLOCK) {
        randomizeBlock(
          values,
          messages.columns.value,
          start,
          Math.min(values.length, start + BLOCK),
          domain,
          truthful,
          stream,
        );
      }
      messages.count = values.length;
    },
    supportCounts({ columns, count }) {
      return countCategories(columns.value, count, domain);
    },
    estimate: (counts, users) => estimateFrequencies(counts, users, support),
    variance: (users, frequency) => frequencyVariance(users, frequency, support),
    /** True answers are binomial; all others together are one uniform multinomial: the exact joint law. */
    sampleSupportCounts(histogram, stream) {
      const counts = new Float64Array(domain);
      let untruthful = totalUsers(histogram);
      for (let v = 0; v < domain; v++) {
        const kept = sampleBinomial(histogram[v]!, truthful, stream);
        counts[v] = kept;
        untruthful -= kept;
      }
      sampleUniformMultinomial(untruthful, counts, stream);
      return counts;
    },
    logProbability: ([message], value) => Math.log(message === value ? own : other),
    amplification: () => profile(domain, epsilon0, own, other, truthful),
  } satisfies FrequencyOracle<CategoryColumns>);
}

const BLOCK = 8192;

const TWO_32 = 2 ** 32;

/**
 * With probability `truthful` the own value, else uniform over all: one random word a user. The words below `kept`, an even number, say to
 * be truthful, the next domain * width words name a value; the few words left, fewer than the domain, stand for what whole
 * words cannot say and are decided by further draws. Probabilities are exact to 2^-53 of that remainder.
 */
function randomizeBlock(
  values: Uint32Array,
  out: Uint8Array | Uint16Array | Uint32Array,
  start: number,
  end: number,
  domain: number,
  truthful: number,
  stream: RandomStream,
): void {
  const half = Math.floor((truthful * TWO_32) / 2);
  const kept = 2 * half;
  const width = Math.floor((TWO_32 - Math.ceil(truthful * TWO_32)) / domain);
  const decided = kept + domain * width;
  const truthfulOfRest = (truthful * TWO_32 - kept) / (TWO_32 - decided);
  // Half a word is added so that rounding never crosses a whole quotient.
  const inverseWidth = width > 0 ? 1 / width : 0;
  const shift = 0.5 - kept;
  const threshold = half | 0;
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = start; i < end; i++) {
    let x = Math.imul(s1, 5);
    x = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    if (x < decided) {
      // All ones below `kept`, else zero: a branch here would be guessed wrong too often. The difference wraps at 2^31.
      const own = ((x >>> 1) - threshold) >> 31;
      out[i] = (values[i]! & own) | (((x + shift) * inverseWidth) & ~own);
    } else {
      s[0] = s0;
      s[1] = s1;
      s[2] = s2;
      s[3] = s3;
      out[i] = stream.next() < truthfulOfRest ? values[i]! : stream.integerBelow(domain);
      s0 = s[0]!;
      s1 = s[1]!;
      s2 = s[2]!;
      s3 = s[3]!;
    }
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}

/** Counts values 0 … domain - 1; four tables in turn, so that equal neighbours do not wait for each other. */
export function countCategories(
  values: Uint8Array | Uint16Array | Uint32Array,
  count: number,
  domain: number,
): Float64Array {
  const tables = new Uint32Array(4 * domain);
  for (let start = 0; start < count; start += BLOCK)
    countBlock(values, start, Math.min(count, start + BLOCK), domain, tables);
  return Float64Array.from(
    { length: domain },
    (_, v) => tables[v]! + tables[domain + v]! + tables[2 * domain + v]! + tables[3 * domain + v]!,
  );
}

function countBlock(
  values: Uint8Array | Uint16Array | Uint32Array,
  start: number,
  end: number,
  domain: number,
  tables: Uint32Array,
): void {
  let i = start;
  for (; i + 3 < end; i += 4) {
    const a = values[i]!;
    const b = values[i + 1]! + domain;
    const c = values[i + 2]! + 2 * domain;
    const d = values[i + 3]! + 3 * domain;
    tables[a] = tables[a]! + 1;
    tables[b] = tables[b]! + 1;
    tables[c] = tables[c]! + 1;
    tables[d] = tables[d]! + 1;
  }
  for (; i < end; i++) tables[values[i]!] = tables[values[i]!]! + 1;
}

/** (p, beta, q) of Wang et al. 2024, Table 2; atoms by value of the message: the victim's two, and the rest. */
function profile(
  domain: number,
  epsilon0: number,
  own: number,
  other: number,
  truthful: number,
): AmplificationProfile {
  const p = Math.exp(epsilon0);
  const rest = (count: number): [number, number, number] => [count * other, count * other, count * other];
  return {
    variationRatio: { p, beta: truthful, q: p },
    blanket: [
      likelihoodAtoms('any two inputs', [[own, other, other], [other, own, other], rest(domain - 2)]),
    ],
    homogeneous: [
      ...(domain > 2
        ? [
            likelihoodAtoms('all others hold a third value', [
              [own, other, other],
              [other, own, other],
              [other, other, own],
              rest(domain - 3),
            ]),
          ]
        : []),
      likelihoodAtoms(
        "all others hold the victim's first value",
        [[own, other, own], [other, own, other], rest(domain - 2)],
        false,
      ),
    ],
  };
}
