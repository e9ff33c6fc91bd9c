/**
 * Balls into bins for one category of many: a bin is a hash function with one of its buckets, and every
 * category has for its special bins its own bucket of each function. A data message goes to a random special
 * bin, blanket messages to any bin; the number of blankets does not grow with the domain, but with the
 * buckets. Q. Luo, Y. Wang, K. Yi, "Frequency Estimation in the Shuffle Model with Almost a Single Message",
 * ACM CCS 2022.
 *
 * Where we differ: the functions are inner products over a prime field, of which there are few, as in local
 * hashing; and the number of blankets is the least by exact accounting of the victim's message among them.
 */
import { integerField } from '../protocol-card.ts';
import {
  from,
  integer,
  isPrime,
  nearestPrime,
  optional,
  ParameterError,
  requireInteger,
  sampleBinomial,
  type Given,
  type MechanismCard,
  setByTarget,
} from '@shuffle-dp/core';
import { fillIntegersBelow, LinearHashFamily, type HashColumns } from '@shuffle-dp/randomizers';
import { histogramCard, type HistogramSpecFields } from './blanket-histogram.ts';
import {
  BINS,
  BLANKETS_AND_VICTIM,
  hashedBinsProfile,
  hiddenByBlankets,
  uniformBinsProfile,
} from './blanket-profiles.ts';
import type { MessageScheme } from './message-scheme.ts';

export interface BallsIntoBinsHistogramSpec extends HistogramSpecFields {
  readonly kind: 'balls-into-bins-histogram';
  /** Buckets of the hash functions, a prime; default the prime nearest to the domain, up to 101. */
  readonly hashRange?: number;
}

export const BALLS_INTO_BINS_HISTOGRAM = /* @__PURE__ */ histogramCard<
  BallsIntoBinsHistogramSpec,
  'hashRange'
>({
  kind: 'balls-into-bins-histogram',
  title: 'Balls into hashed bins',
  description: 'One of the bins that are special to the own category, at random, among uniform bins.',
  fields: [
    integerField('hashRange', 2, 'Buckets, a prime; default the prime nearest to the domain, up to 101.'),
  ],
  messages(spec, { domain }) {
    const hashRange = spec.hashRange ?? nearestPrime(Math.min(domain, MOST_DEFAULT_BUCKETS));
    return { scheme: hashedCategories(domain, hashRange), parameters: { hashRange } };
  },
});

export const BALLS_INTO_BINS: MechanismCard = {
  name: 'balls-into-bins',
  title: 'Balls into bins',
  holds: 'a category',
  description: 'Data in the clear, in one of the bins that are special to its value, among uniform messages.',
  source: 'Luo, Wang and Yi, CCS 2022',
  citation: 'luo2022',
  parameters: [
    setByTarget(BINS, ({ special = 1 }) => 2 * special, 2 ** 32),
    optional(
      integer(
        'special',
        from(1),
        from(({ bins }) => bins && bins / 2, 'bins / 2'),
        'bins of a value s; default 1',
      ),
    ),
  ],
  usersMean: BLANKETS_AND_VICTIM,
  ratios: { p: 'inf', beta: '1', q: 'd / s' },
  estimator: 'for one special bin n_v = C_v - N / d, for N blanket messages',
  example: { bins: 16 },
  model(given: Given<'bins'>) {
    const { special = 1 } = given;
    return hiddenByBlankets(uniformBinsProfile(given.bins, special), { ...given, special });
  },
};

/** More buckets collide less, but take as many times the blankets. */
const MOST_DEFAULT_BUCKETS = 101;

function hashedCategories(domain: number, buckets: number): MessageScheme<HashColumns> {
  requireInteger('domain', domain, 2, 2 ** 20);
  requireInteger('hashRange', buckets, 2, 2 ** 16);
  if (!isPrime(buckets)) throw new ParameterError('hashRange', buckets, 'a prime number');
  const family = new LinearHashFamily(domain, buckets);
  const collision = 1 / buckets;
  return Object.freeze({
    bitsPerMessage: Math.log2(family.size) + Math.log2(buckets),
    support: { own: 1, other: collision, blanket: new Float64Array(domain).fill(collision) },
    amplification: hashedBinsProfile(buckets),
    epsilon0: Infinity,
    // So many categories do not fit a plane: a third one has a bucket that is independent of the victim's
    // two.
    othersAsSlots: (users: number) => (domain > buckets + 1 ? users - 1 : null),
    send(values, blankets, stream) {
      const users = values.length;
      const count = users + blankets;
      const seed = new Uint32Array(count);
      const bucket = new Uint16Array(count);
      const hashed = new Uint32Array(users);
      family.hashWithRandomSeeds(values, seed.subarray(0, users), hashed, stream);
      bucket.set(hashed);
      fillIntegersBelow(family.size, seed, users, count, stream);
      fillIntegersBelow(buckets, bucket, users, count, stream);
      return { columns: { seed, bucket }, count };
    },
    supportCounts: ({ columns, count }) => family.supportCounts(columns.seed, columns.bucket, count),
    /** Of families too large for a joint law each count has its own, as if functions were independent. */
    sampleSupportCounts(histogram, blankets, stream) {
      if (family.jointCounts) return family.sampleSupportCounts(histogram, blankets, stream);
      const users = histogram.reduce((sum, holders) => sum + holders, 0);
      return histogram.map(
        (holders) => holders + sampleBinomial(users - holders + blankets, collision, stream),
      );
    },
    jointSupportCounts: family.jointCounts,
  } satisfies MessageScheme<HashColumns>);
}
