/**
 * The (d, s)-Collision mechanism for sets: a random function sorts the items into buckets, and the user sends a bucket,
 * more likely one that holds an own item. S. Wang, J. Li, Y. Qian, J. Du, W. Lin, W. Yang, "Hiding Numerical Vectors in Local
 * Private and Shuffled Messages", IJCAI 2021. Vectors with entries -1 and 1 are sets of pairs of coordinate and sign.
 */
import { requireInteger, type RandomStream, type SetValuedData, type UserMessages } from '@shuffle-dp/core';
import { hitBuckets } from './covered-share.ts';
import {
  hashedSetProfile,
  hashedSetSupport,
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

const MOST_BUCKETS = 2 ** 21;
const TWO_NEG_32 = 2 ** -32;

/** @throws ParameterError */
export function collision(parameters: CollisionParameters): Collision {
  requireHashedSet(parameters);
  const { domain, itemsPerUser, epsilon0 } = parameters;
  const buckets = parameters.buckets ?? bestBuckets(parameters);
  requireInteger('buckets', buckets, itemsPerUser + 1, MOST_BUCKETS);
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
  let [low, high] = [itemsPerUser + 1, MOST_BUCKETS];
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
