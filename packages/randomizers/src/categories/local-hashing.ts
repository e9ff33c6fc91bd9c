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
  type AmplificationProfile,
  type CategoryCard,
  type FrequencyOracle,
  type RandomStream,
  type Given,
} from '@shuffle-dp/core';
import { craftedBuckets } from './crafted-messages.ts';
import { LARGEST_FAMILY, hashResponse, respondWithHashes, type HashResponse } from './hash-response.ts';
import { interchangeableValues, type ThirdValue } from '../laws/interchangeable-values.ts';
import type { Atom } from '../laws/likelihood-atoms.ts';
import { LinearHashFamily } from './linear-hash-family.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { regionMasses } from '../laws/two-level-law.ts';
import {
  frequencyEstimator,
  sampleMarginalSupport,
  SUPPORT_FORMULA,
  totalUsers,
  type CategoryParameters,
} from './pure-frequency-protocol.ts';
import { responseSampler, type ResponseSampler } from './randomized-response-sampler.ts';
import type { TypedAtom } from '../laws/typed-inputs.ts';

export interface LocalHashingParameters extends CategoryParameters {
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
  description: 'A random function hashes the category, and the hash is sent by randomized response.',
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
  const support = { own, other: 1 / range };
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
    ...frequencyEstimator(support),
    bitsPerMessage: Math.log2(family.size) + Math.log2(range),
    allocate: (users: number) => ({
      columns: { seed: new Uint32Array(users), bucket: new Uint16Array(users) },
      count: 0,
    }),
    randomizeInto(values, messages, stream) {
      sample(values, messages.columns, stream);
      messages.count = values.length;
    },
    supportCounts: ({ columns, count }) => family.supportCounts(columns.seed, columns.bucket, count),
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
    crafted: craftedBuckets(family),
    logProbability: ([seed, bucket], value) =>
      Real.log((family.hash(seed!, value) === bucket ? own : inverse * own) / family.size),
    amplification: () => profile(domain, range, epsilon0, own),
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

/**
 * Of all functions, 1/l send the victim's two values to one bucket: only the others tell them apart, so the
 * total variation is (1 - 1/l) times that of randomized response. Wang et al. 2024, Table 2, omits the
 * factor.
 */
function profile(domain: number, range: number, epsilon0: number, own: number): AmplificationProfile {
  const p = Real.exp(epsilon0);
  const high = own;
  const low = own / p;
  const collide = 1 / range;
  const apart = 1 - collide;
  const pair: Atom[] = [
    [apart * high, apart * low, apart * low],
    [apart * low, apart * high, apart * low],
    [apart * (range - 2) * low, apart * (range - 2) * low, apart * (range - 2) * low],
    [collide * high, collide * high, collide * low],
    [collide * (range - 1) * low, collide * (range - 1) * low, collide * (range - 1) * low],
  ];
  return {
    variationRatio: localRatios(epsilon0, apart * own * -Real.expm1(-epsilon0)),
    printedVariationRatio: localRatios(epsilon0, own * -Real.expm1(-epsilon0)),
    ...interchangeableValues({
      domain,
      // The blanket has the mass l low, and high + (l - 1) low = 1.
      silent: own * -Real.expm1(-epsilon0),
      pair,
      thirds: thirdValues(domain, range, high, low),
    }),
  };
}

/**
 * A third value v. Where g(v) is not on the line through g(0) and g(1), whether the three buckets are the
 * message's are independent events. On it, h(v) is a mean of h(0) and h(1): the message's bucket as well
 * where both are, never where one is, and with chance 1/(l-1) where neither is.
 */
function thirdValues(domain: number, range: number, high: number, low: number): ThirdValue[] {
  const thirds: ThirdValue[] = [];
  if (domain > 2) thirds.push(['a third value', thirdValue(range, high, low)]);
  if (hasLines(domain, range))
    thirds.push(["a third value in line with the victim's", valueInLine(range, high, low)]);
  return thirds;
}

/**
 * Values 1, 2 and 3 are mapped to (0, 1), (1, 1) and (2, 1), which lie in line where there are that many
 * buckets.
 */
function hasLines(domain: number, range: number): boolean {
  return domain > 3 && range > 2;
}

/** As `thirdValue`, for a value in line with the victim's two: h(v) is a mean of theirs. */
function valueInLine(range: number, high: number, low: number): TypedAtom[] {
  const met = 1 / range;
  // Chances over a uniform bucket times l.
  const neither = range * (1 - met) * (1 - met);
  return regionMasses({ high, low }, [
    [met, true, true, true],
    [1 - met, true, false, false],
    [1 - met, false, true, false],
    [neither / (range - 1), false, false, true],
    [(neither * (range - 2)) / (range - 1), false, false, false],
  ]);
}

/**
 * The victim holds value 0 or 1 and everyone else value 2, so that g(2) = g(0) + g(1). Whether the message's
 * bucket is h(0), h(1) or h(0) + h(1) are independent events of chance 1/l each, as the two coefficients do
 * not add up to one.
 */
function thirdValue(range: number, high: number, low: number): TypedAtom[] {
  const met = 1 / range;
  const events = [
    { chance: met, likelihood: high },
    { chance: 1 - met, likelihood: low },
  ];
  // Chances are over a uniform bucket, likelihoods those of one bucket: hence the factor l.
  return events.flatMap((first) =>
    events.flatMap((second) =>
      events.map((third): TypedAtom => {
        const cells = range * first.chance * second.chance * third.chance;
        const own = cells * third.likelihood;
        return [cells * first.likelihood, cells * second.likelihood, own, (own / third.likelihood) * low];
      }),
    ),
  );
}
