/**
 * The (d, s)-Collision mechanism for sets: a random function sorts the items into buckets, and the user sends
 * a bucket, more likely one that holds an own item. S. Wang, J. Li, Y. Qian, J. Du, W. Lin, W. Yang, "Hiding
 * Numerical Vectors in Local Private and Shuffled Messages", IJCAI 2021. Vectors with entries -1 and 1 are
 * sets of pairs of coordinate and sign.
 */
import {
  checkParameter,
  EPSILON0,
  from,
  integer,
  modelOf,
  optional,
  Real,
  type Given,
  type MechanismCard,
  type RandomStream,
  type HeldSets,
  type UserMessages,
} from '@shuffle-dp/core';
import { bucketTypes } from './bucket-types.ts';
import { hitBuckets } from './covered-share.ts';
import { SUPPORT_FORMULA, type SupportProbability } from '../categories/pure-frequency-protocol.ts';
import {
  ANY_DOMAIN,
  hashedSetOf,
  hashedSetProfile,
  hashedSetSupport,
  ITEMS,
  itemHash,
  requireHashedSet,
  type HashedSetParameters,
} from './hashed-set.ts';
import { FIELD, type FunctionColumns, type PolynomialHash } from './polynomial-hash.ts';
import { setFrequencyEstimator, sumOfVariances, type SetFrequencyOracle } from './set-frequency-oracle.ts';

export interface CollisionParameters extends HashedSetParameters {
  /** Number of buckets, items + 1 to 2^21; default the one with the least sum of variances. */
  readonly buckets?: number;
}

/** A bucket and the function. */
export type CollisionColumns = { readonly bucket: Uint32Array } & FunctionColumns;

export interface Collision extends SetFrequencyOracle<CollisionColumns> {
  readonly buckets: number;
}

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
  description:
    'A random function sorts items into buckets. The user sends a bucket; buckets with an own item are likelier.',
  source: 'Wang et al., IJCAI 2021',
  citation: 'wang2021',
  parameters: [EPSILON0, ITEMS, BUCKETS, ANY_DOMAIN],
  ratios: { p: 'e^epsilon0', beta: 's (p - 1) / (s p + l - s) for l >= 2 s buckets', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with ps = p / (s p + l - s), ps' = 1/l; a message supports the items in its bucket`,
  example: { epsilon0: 1, items: 4, buckets: 20 },
  model(given: Given<'epsilon0' | 'items'>) {
    const { buckets } = given;
    const randomizer = collision({ ...hashedSetOf(given), ...(buckets === undefined ? {} : { buckets }) });
    return modelOf(randomizer, { ...given, buckets: randomizer.buckets });
  },
};

/**
 * The collision mechanism for sets, with its unbiased estimator.
 *
 * @throws ParameterError
 * @example collision({ domain: 8, epsilon0: 1, items: 2 }).supportProbability.own // 0.237683
 */
export function collision(parameters: CollisionParameters): Collision {
  requireHashedSet(parameters);
  const { domain, items, epsilon0 } = parameters;
  const buckets = parameters.buckets ?? bestBuckets(parameters);
  checkParameter(BUCKETS, buckets, { items });
  const hash = itemHash(parameters);
  const { size, chance, none } = bucketsOfField(buckets);
  const separate = hashedSetSupport(parameters, 1 / buckets);
  /** An item that has no bucket supports nothing. */
  const support: SupportProbability = { own: separate.own * buckets * chance, other: chance };
  return Object.freeze({
    name: 'collision',
    epsilon0,
    domain,
    items,
    buckets,
    ...setFrequencyEstimator(support),
    bitsPerMessage: hash.bits + Math.log2(buckets),
    allocate: (users: number) => ({
      columns: { bucket: new Uint32Array(users), ...hash.allocate(users) },
      count: 0,
    }),
    randomizeInto(data, messages, stream) {
      sendBuckets(data, buckets, { own: separate.own, hash }, messages, stream);
    },
    supportCounts({ columns, count }) {
      const counts = new Float64Array(domain);
      const values = new Int32Array(domain);
      hash.forEach(columns, count, (i) => {
        hash.writeValues(values);
        const least = columns.bucket[i]! * size;
        for (let item = 0; item < domain; item++)
          if (values[item]! >= least && values[item]! < least + size) counts[item]!++;
      });
      return counts;
    },
    logProbability([bucket, ...coefficients], items) {
      hash.use(coefficients);
      const own = new Set(items.map((item) => bucketOf(hash.valueOf(item), size)));
      own.delete(buckets);
      const rest = (1 - own.size * separate.own) / (buckets - own.size);
      return Real.log(own.has(bucket!) ? separate.own : rest) - hash.bits * Math.LN2;
    },
    amplification: () =>
      hashedSetProfile(parameters, {
        parts: [1, buckets],
        none,
        chance,
        coverings: hitBuckets(items, buckets, chance, none),
        types: (separateLaw) => bucketTypes(domain, items, { buckets, chance, none }, separateLaw),
      }),
  } satisfies Collision);
}

/**
 * The field cut into buckets of one size. The few values that are left over are no bucket: so all buckets are
 * equally likely.
 */
function bucketsOfField(buckets: number): {
  readonly size: number;
  readonly chance: number;
  /** Probability of no bucket. */
  readonly none: number;
} {
  const size = Math.floor(FIELD / buckets);
  return { size, chance: size / FIELD, none: (FIELD - buckets * size) / FIELD };
}

/** The number of buckets where the value is left over. */
function bucketOf(value: number, size: number): number {
  return Math.floor(value / size);
}

/** Bisection on the sign of the step to one bucket more: the error has one valley. */
function bestBuckets(parameters: HashedSetParameters): number {
  const { domain, items } = parameters;
  const error = (buckets: number): number =>
    sumOfVariances(domain, items, hashedSetSupport(parameters, 1 / buckets));
  let [low, high] = [items + 1, 2 ** 21];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (error(middle) <= error(middle + 1)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function sendBuckets(
  { users, rows, items }: HeldSets,
  buckets: number,
  { own, hash }: { readonly own: number; readonly hash: PolynomialHash },
  messages: UserMessages<CollisionColumns>,
  stream: RandomStream,
): void {
  const { columns } = messages;
  const { size } = bucketsOfField(buckets);
  const held = new Uint32Array(items);
  /** The last user, counted from 1, with an item in each bucket. */
  const lastIn = new Uint32Array(buckets);
  hash.fill(columns, users, stream);
  hash.forEach(columns, users, (user) => {
    let distinct = 0;
    for (let i = 0; i < items; i++) {
      const b = bucketOf(hash.valueOf(rows[user * items + i]!), size);
      if (b === buckets || lastIn[b] === user + 1) continue;
      lastIn[b] = user + 1;
      held[distinct++] = b;
    }
    const truthful = stream.next() < distinct * own;
    columns.bucket[user] = truthful
      ? held[stream.integerBelow(distinct)]!
      : bucketWithout(user + 1, lastIn, stream);
  });
  messages.count = users;
}

/** A uniform bucket without an item of this user, counted from 1. */
function bucketWithout(user: number, lastIn: Uint32Array, stream: RandomStream): number {
  for (;;) {
    const bucket = stream.integerBelow(lastIn.length);
    if (lastIn[bucket] !== user) return bucket;
  }
}
