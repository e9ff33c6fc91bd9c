/**
 * Local hashing: a user hashes the own value to one of l buckets by a random public hash function, randomises
 * the bucket by generalized randomized response, and sends function and bucket. T. Wang et al., USENIX
 * Security 2017 (BLH: l = 2; OLH: l near e^epsilon0 + 1).
 *
 * The functions are inner products over the field of l elements, l prime: h_s(v) = <s, g(v)>, with g(v)
 * pairwise independent vectors, so that for every two values the pair of buckets is exactly uniform. Pairwise
 * uniformity is all that mean and variance rest on, and there are only about d (l-1) functions: the analyzer
 * counts messages by function and bucket once, and then needs no loop over users times values.
 */
import {
  checkParameter,
  domainUpTo,
  EPSILON0,
  from,
  integer,
  modelOf,
  nearestPrime,
  optional,
  Real,
  requirePositive,
  sampleBinomial,
  type CategoryCard,
  type FrequencyOracle,
  type RandomStream,
  type Given,
} from '@shuffle-dp/core';
import { LARGEST_FAMILY, hashResponse, respondWithHashes, type HashResponse } from './hash-response.ts';
import { LinearHashFamily } from './linear-hash-family.ts';
import { localHashProfile } from './local-hash-profile.ts';
import {
  estimateFrequencies,
  frequencyVariance,
  sampleMarginalSupport,
  SUPPORT_FORMULA,
  totalUsers,
} from './pure-frequency-protocol.ts';
import { responseSampler, type ResponseSampler } from './randomized-response-sampler.ts';

export interface LocalHashingParameters {
  /** Number of categories, at least 2. */
  readonly domain: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
  /**
   * Number of buckets, a prime; default the prime nearest to e^epsilon0 + 1, fewer for very large domains. 2
   * is binary local hashing.
   */
  readonly hashRange?: number;
}

/** The function's seed and the randomised bucket. */
export type HashColumns = { readonly seed: Uint32Array; readonly bucket: Uint16Array };

export interface LocalHashing extends FrequencyOracle<HashColumns> {
  /** Number of buckets. */
  readonly hashRange: number;
  /** The public functions. */
  readonly family: LinearHashFamily;
}

const DOMAIN = domainUpTo(2 ** 20, 'number of categories; default hash-range');
const HASH_RANGE = optional({
  ...integer(
    'hashRange',
    from(2),
    from(65_521),
    'number of buckets; default the prime nearest to e^epsilon0 + 1',
  ),
  kind: 'prime',
});

const PRINTED_BETA = '(p - 1) / (p + l - 1)';

export const LOCAL_HASH: CategoryCard = {
  name: 'local-hash',
  title: 'Local hashing',
  holds: 'a category',
  description: 'The category is hashed by a random function, and the hash sent by randomized response.',
  source: 'Wang, Blocki, Li and Jha, USENIX Security 2017',
  citation: 'wang2017',
  parameters: [EPSILON0, HASH_RANGE, optional(DOMAIN)],
  options: [HASH_RANGE],
  ratios: { p: 'e^epsilon0', beta: `(1 - 1/l) ${PRINTED_BETA}`, q: 'p', printedBeta: PRINTED_BETA },
  estimator: `${SUPPORT_FORMULA} with ps = p / (p + l - 1), ps' = 1/l; a message supports the categories in its bucket`,
  example: { epsilon0: 1, hashRange: 3, domain: 16 },
  make: localHashing,
  model(given: Given<'epsilon0'>) {
    const { hashRange = 2 } = given;
    const oracle = localHashing({ domain: Math.max(2, hashRange), ...given });
    return modelOf(oracle, { ...given, hashRange: oracle.hashRange });
  },
};

/**
 * Local hashing, as a frequency oracle.
 *
 * @throws ParameterError
 * @example localHashing({ domain: 8, epsilon0: 1 }).supportProbability.own // 0.576117
 */
export function localHashing({ domain, epsilon0, hashRange }: LocalHashingParameters): LocalHashing {
  checkParameter(DOMAIN, domain);
  requirePositive('epsilon0', epsilon0);
  // There are fewer than domain * range^2 functions, whose seeds are to fit 32 bits. Primes are dense enough
  // for a tenth.
  const most = Math.min(1000, 0.9 * Math.sqrt(2 ** 32 / domain));
  const range = hashRange ?? nearestPrime(Math.min(most, Real.exp(epsilon0) + 1));
  checkParameter(HASH_RANGE, range);
  const family = new LinearHashFamily(domain, range);
  const inverse = Real.exp(-epsilon0);
  const own = 1 / (1 + (range - 1) * inverse);
  const truthful = -Real.expm1(-epsilon0) * own;
  const support = Object.freeze({ own, other: 1 / range });
  const sample =
    family.size <= LARGEST_FAMILY
      ? tabledSampler(family, own)
      : twoStepSampler(family, responseSampler(range, truthful));
  return Object.freeze({
    name: 'local-hash',
    epsilon0,
    domain,
    hashRange: range,
    family,
    supportProbability: support,
    bitsPerMessage: Math.log2(family.size) + Math.log2(range),
    allocate: (users: number) => ({
      columns: { seed: new Uint32Array(users), bucket: new Uint16Array(users) },
      count: 0,
    }),
    randomizeInto(values, messages, stream) {
      sample(values, messages.columns, stream);
      messages.count = values.length;
    },
    supportCounts({ columns, count }) {
      return family.supportCounts(columns.seed, columns.bucket, count);
    },
    estimate: (counts, users) => estimateFrequencies(counts, users, support),
    variance: (users, frequency) => frequencyVariance(users, frequency, support),
    jointSupportCounts: family.jointCounts,
    /**
     * A bucket is the own one, or else uniform. Of larger families each count has its law, as if functions
     * were independent.
     */
    sampleSupportCounts(histogram, stream) {
      if (!family.jointCounts) {
        return sampleMarginalSupport(histogram, totalUsers(histogram), support, stream);
      }
      const kept = histogram.map((holders) => sampleBinomial(holders, truthful, stream));
      return family.sampleSupportCounts(kept, totalUsers(histogram) - totalUsers(kept), stream);
    },
    logProbability: ([seed, bucket], value) =>
      Real.log((family.hash(seed!, value) === bucket ? own : inverse * own) / family.size),
    amplification: () => localHashProfile(domain, range, epsilon0, own),
  } satisfies LocalHashing);
}

/** Writes one message for each of `values` to the front of the columns. */
type HashSampler = (values: Uint32Array, columns: HashColumns, stream: RandomStream) => void;

/** Few functions: one word a user. Tables are made when they are first needed. */
function tabledSampler({ domain, range, size }: LinearHashFamily, own: number): HashSampler {
  let response: HashResponse | undefined;
  return (values, { seed, bucket }, stream) => {
    response ??= hashResponse(domain, range, size, own);
    respondWithHashes(response, values, seed, bucket, stream);
  };
}

/** Users hashed in one call. */
const BLOCK = 8192;

/** Buckets first, then randomized response on them. */
function twoStepSampler(family: LinearHashFamily, perturb: ResponseSampler): HashSampler {
  return (values, { seed, bucket }, stream) => {
    const buckets = new Uint32Array(Math.min(BLOCK, values.length));
    for (let start = 0; start < values.length; start += BLOCK) {
      const block = values.subarray(start, start + BLOCK);
      const end = start + block.length;
      const hashed = buckets.subarray(0, block.length);
      family.hashWithRandomSeeds(block, seed.subarray(start, end), hashed, stream);
      perturb(hashed, bucket.subarray(start, end), stream);
    }
  };
}
