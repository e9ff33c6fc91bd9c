/**
 * The (d, s)-Collision mechanism for sets: a random function sorts the items into buckets, and the user sends a bucket,
 * more likely one that holds an own item. S. Wang, J. Li, Y. Qian, J. Du, W. Lin, W. Yang, "Hiding Numerical Vectors in Local
 * Private and Shuffled Messages", IJCAI 2021. Vectors with entries -1 and 1 are sets of pairs of coordinate and sign.
 */
import {
  checkParameter,
  EACH_USER,
  EPSILON0,
  from,
  integer,
  modelOf,
  optional,
  type Given,
  type MechanismCard,
  type RandomStream,
  type SetValuedData,
  type UserMessages,
} from '@shuffle-dp/core';
import { hitBuckets } from './covered-share.ts';
import { SUPPORT_FORMULA } from '../categories/pure-frequency-protocol.ts';
import {
  ANY_DOMAIN,
  hashedSetOf,
  hashedSetProfile,
  hashedSetSupport,
  ITEMS,
  requireHashedSet,
  type HashedSetParameters,
} from './hashed-set.ts';
import { hashItem } from './mixing-hash.ts';
import { setFrequencyEstimator, sumOfVariances, type SetFrequencyOracle } from './set-frequency-oracle.ts';

export interface CollisionParameters extends HashedSetParameters {
  /** Number of buckets, itemsPerUser + 1 to 2^21; default the one with the least sum of variances. */
  readonly buckets?: number;
}

/** The function's seed and a bucket. */
export type CollisionColumns = { readonly seed: Uint32Array; readonly bucket: Uint32Array };

export interface Collision extends SetFrequencyOracle<CollisionColumns> {
  readonly buckets: number;
}

const TWO_NEG_32 = 2 ** -32;

const BUCKETS = optional(
  integer(
    'buckets',
    from(({ items }) => items && items + 1, 'items + 1'),
    from(2 ** 21),
    'number of buckets; default the best for one user',
  ),
);

export const COLLISION: MechanismCard = {
  name: 'collision',
  title: 'Collision',
  holds: 'a set of items',
  description: 'A random function sorts items into buckets; the user sends rather a bucket with an own item.',
  source: 'Wang et al., IJCAI 2021',
  citation: 'wang2021',
  parameters: [EPSILON0, ITEMS, BUCKETS, ANY_DOMAIN],
  usersMean: EACH_USER,
  ratios: { p: 'e^epsilon0', beta: 's (p - 1) / (s p + l - s) for l >= 2 s buckets', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with ps = p / (s p + l - s), ps' = 1/l; a message supports the items in its bucket`,
  example: { epsilon0: 1, items: 4, buckets: 20 },
  model(given: Given<'epsilon0' | 'items'>) {
    const { buckets } = given;
    const randomizer = collision({ ...hashedSetOf(given), ...(buckets === undefined ? {} : { buckets }) });
    return modelOf(randomizer, { ...given, buckets: randomizer.buckets });
  },
};

/** @throws ParameterError */
export function collision(parameters: CollisionParameters): Collision {
  requireHashedSet(parameters);
  const { domain, itemsPerUser, epsilon0 } = parameters;
  const buckets = parameters.buckets ?? bestBuckets(parameters);
  checkParameter(BUCKETS, buckets, { items: itemsPerUser });
  const support = hashedSetSupport(parameters, 1 / buckets);
  return Object.freeze({
    name: 'collision',
    epsilon0,
    domain,
    itemsPerUser,
    buckets,
    ...setFrequencyEstimator(support),
    bitsPerMessage: 32 + Math.log2(buckets),
    allocate: (users: number) => ({
      columns: { seed: new Uint32Array(users), bucket: new Uint32Array(users) },
      count: 0,
    }),
    randomizeInto(data, messages, stream) {
      sendBuckets(data, itemsPerUser, buckets, support.own, messages, stream);
    },
    supportCounts({ columns: { seed, bucket }, count }) {
      const counts = new Float64Array(domain);
      for (let i = 0; i < count; i++) {
        for (let item = 0; item < domain; item++)
          if (bucketOf(seed[i]!, item, buckets) === bucket[i]) counts[item]!++;
      }
      return counts;
    },
    logProbability([seed, bucket], items) {
      const own = new Set(items.map((item) => bucketOf(seed!, item, buckets)));
      const rest = (1 - own.size * support.own) / (buckets - own.size);
      return Math.log(own.has(bucket!) ? support.own : rest) - 32 * Math.LN2;
    },
    amplification: () => hashedSetProfile(parameters, 1 / buckets, hitBuckets(itemsPerUser, buckets)),
  } satisfies Collision);
}

/** The high part of a product: buckets differ in probability by at most 2^-32. */
function bucketOf(seed: number, item: number, buckets: number): number {
  return Math.floor(hashItem(seed, item) * buckets * TWO_NEG_32);
}

/** Bisection on the sign of the step to one bucket more: the error has one valley. */
function bestBuckets(parameters: HashedSetParameters): number {
  const { domain, itemsPerUser } = parameters;
  const error = (buckets: number): number =>
    sumOfVariances(domain, itemsPerUser, hashedSetSupport(parameters, 1 / buckets));
  let [low, high] = [itemsPerUser + 1, 2 ** 21];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (error(middle) <= error(middle + 1)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function sendBuckets(
  data: SetValuedData,
  itemsPerUser: number,
  buckets: number,
  own: number,
  messages: UserMessages<CollisionColumns>,
  stream: RandomStream,
): void {
  const { seed, bucket } = messages.columns;
  const held = new Uint32Array(itemsPerUser);
  /** The last user, counted from 1, with an item in each bucket. */
  const lastIn = new Uint32Array(buckets);
  for (let user = 0; user < data.users; user++) {
    const key = stream.nextUint32();
    let distinct = 0;
    for (let i = 0; i < itemsPerUser; i++) {
      const b = bucketOf(key, data.items[user * itemsPerUser + i]!, buckets);
      if (lastIn[b] === user + 1) continue;
      lastIn[b] = user + 1;
      held[distinct++] = b;
    }
    const truthful = stream.next() < distinct * own;
    seed[user] = key;
    bucket[user] = truthful ? held[stream.integerBelow(distinct)]! : bucketWithout(user + 1, lastIn, stream);
  }
  messages.count = data.users;
}

/** A uniform bucket without an item of this user, counted from 1. */
function bucketWithout(user: number, lastIn: Uint32Array, stream: RandomStream): number {
  for (;;) {
    const bucket = stream.integerBelow(lastIn.length);
    if (lastIn[bucket] !== user) return bucket;
  }
}
