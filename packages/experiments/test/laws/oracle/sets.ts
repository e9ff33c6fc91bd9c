/** Randomizers of a set of items. */
import { lawsFrom, range, sameInputs, subsetsOf, wordsOf } from './finite-mechanism.ts';
import {
  claim,
  type Claim,
  epsilon0Nats,
  FIRST_VALUE,
  listed,
  THIRD_VALUE,
  type Definition,
  type MechanismOracle,
  type Parameters,
} from './mechanism-oracle.ts';
import { disjointSets, wheel } from './wheel.ts';

const meets = (first: readonly number[], second: readonly number[]): boolean =>
  first.some((item) => second.includes(item));

/** Wang et al. 2018 (PrivSet): subsets that meet the own set are p times as likely. */
const subsetExponential: Definition = ({ epsilon0, domain, items, subsetSize }, arithmetic) => {
  const likely = arithmetic.exp(epsilon0!);
  return sameInputs(
    lawsFrom(
      subsetsOf(domain!, items!),
      subsetsOf(domain!, subsetSize!),
      (held, subset) => (meets(held, subset) ? likely : arithmetic.one),
      arithmetic,
    ),
  );
};

/**
 * Wang et al. 2021 with a random function of the items, which is sent along: a bucket with an own item has
 * probability p / (s p + l - s) each, the rest is shared by the others.
 */
const collision: Definition = ({ epsilon0, domain, items, buckets }, arithmetic) => {
  const { one, over } = arithmetic;
  const likely = arithmetic.exp(epsilon0!);
  const own = over(likely, BigInt(items!) * likely + BigInt(buckets! - items!) * one);
  const sets = disjointSets(domain!, items!);
  const outputs = wordsOf(items! * sets.length, buckets!).flatMap((hashes) =>
    range(buckets!).map((bucket) => ({ hashes, bucket })),
  );
  return sameInputs(
    lawsFrom(
      sets,
      outputs,
      (held, { hashes, bucket }) => {
        const hit = new Set(held.map((item) => hashes[item]!));
        return hit.has(bucket) ? own : (one - BigInt(hit.size) * own) / BigInt(buckets! - hit.size);
      },
      arithmetic,
    ),
  );
};

/**
 * Qin et al. 2016: an item of the set padded to the domain, or padding, as a row of which every bit is kept
 * with sqrt(p) / (1 + sqrt(p)).
 */
const sampledRappor: Definition = ({ epsilon0, domain, items }, arithmetic) => {
  const kept = arithmetic.exp(epsilon0! / 2);
  return sameInputs(
    lawsFrom(
      subsetsOf(domain!, items!),
      wordsOf(domain!, 2),
      (held, word) =>
        range(domain!)
          .map((place) => held[place] ?? -1)
          .reduce(
            (sum, sent) =>
              sum +
              word.reduce(
                (weight, bit, v) => (bit === Number(v === sent) ? arithmetic.times(weight, kept) : weight),
                arithmetic.one,
              ),
            0n,
          ),
      arithmetic,
    ),
  );
};

interface KeyValueInput {
  readonly keys: readonly number[];
  readonly values: readonly number[];
}

/** Both signs of every key; of one key also the value 0, which mixes them. */
function keyValueInputs(domain: number, items: number): KeyValueInput[] {
  return subsetsOf(domain, items).flatMap((keys) =>
    [...wordsOf(items, 2).map((word) => word.map((bit) => 2 * bit - 1)), ...(items === 1 ? [[0]] : [])].map(
      (values) => ({ keys, values }),
    ),
  );
}

/** The pairs of key and sign that an input has; with a value of 0 none. */
function keySigns(input: number, { domain, items }: Parameters): number[] {
  const { keys, values } = keyValueInputs(domain!, items!)[input]!;
  return keys.map((key, i) => 2 * key + (values[i]! + 1) / 2);
}

/** Users without a pair of key and sign in common. */
const OTHER_PAIRS: Claim['admits'] = (first, second, others, parameters) => {
  const distinct = [first, second, ...others.slice(0, 1)].flatMap((input) => keySigns(input, parameters));
  return (
    THIRD_VALUE(first, second, others) &&
    distinct.every(Number.isInteger) &&
    new Set(distinct).size === distinct.length
  );
};

/** The victim's inputs share no pair, and the others' has as many of the one as of the other, or one more. */
const HALF_LIKE_EACH: Claim['admits'] = (first, second, others, parameters) => {
  const [one, other] = [first, second].map((input) => new Set(keySigns(input, parameters)));
  const held = others.slice(0, 1).flatMap((input) => keySigns(input, parameters));
  const common = (input: ReadonlySet<number>): number => held.filter((pair) => input.has(pair)).length;
  return (
    THIRD_VALUE(first, second, others) &&
    [...one!].every((pair) => !other!.has(pair)) &&
    Math.abs(common(one!) - common(other!)) <= 1
  );
};

/**
 * Gu et al. 2020: a uniform own pair, its value rounded to -1 or 1, is sent by randomized response over the 2
 * d pairs, in which it is (s p - s + 1) times as likely as any other; so every own pair has p times the
 * weight of a foreign one.
 */
const pckv: Definition = ({ epsilon0, domain, items }, arithmetic) => {
  const own = BigInt(items!) * (arithmetic.exp(epsilon0!) - arithmetic.one) + arithmetic.one;
  const inputs = keyValueInputs(domain!, items!);
  const outputs = range(domain!).flatMap((key) => [-1, 1].map((sign) => ({ key, sign })));
  return sameInputs(
    lawsFrom(
      inputs,
      outputs,
      ({ keys, values }, { key, sign }) => {
        // Twice the items times the average over what is sampled and rounded.
        const chance = keys.reduce((sum, held, i) => sum + (held === key ? 1 + sign * values[i]! : 0), 0);
        return BigInt(chance) * own + BigInt(2 * items! - chance) * arithmetic.one;
      },
      arithmetic,
    ),
  );
};

const sets = (
  define: Definition,
  settings: readonly Parameters[],
  claims: MechanismOracle['claims'],
  nats = epsilon0Nats,
): MechanismOracle => ({
  settings: (epsilon0) => settings.map((rest) => ({ epsilon0, ...rest })),
  nats,
  ...listed(define),
  claims,
  missing: 0,
});

export const SET_ORACLES: Readonly<Record<string, MechanismOracle>> = {
  'subset-exponential': sets(
    subsetExponential,
    [
      { domain: 3, items: 1, subsetSize: 1 },
      { domain: 3, items: 1, subsetSize: 2 },
      { domain: 4, items: 2, subsetSize: 1 },
      { domain: 4, items: 2, subsetSize: 2 },
      { domain: 3, items: 2, subsetSize: 1 },
      { domain: 6, items: 2, subsetSize: 1 },
    ],
    {
      'all others hold a third, disjoint set': claim(THIRD_VALUE, false),
      "all others hold the victim's first set": claim(FIRST_VALUE),
    },
  ),
  wheel: sets(
    wheel,
    [
      { domain: 2, items: 1, length: 0.25 },
      { domain: 3, items: 1, length: 0.25 },
      { domain: 3, items: 1, length: 0.5 },
      { domain: 4, items: 2, length: 0.125 },
      { domain: 4, items: 2, length: 0.25 },
    ],
    {
      'all others hold a third, disjoint set': claim(THIRD_VALUE, false),
      "all others hold the victim's first set": claim(FIRST_VALUE, false),
    },
  ),
  collision: sets(
    collision,
    [
      { domain: 2, items: 1, buckets: 2 },
      { domain: 3, items: 1, buckets: 3 },
      { domain: 4, items: 2, buckets: 3 },
      { domain: 4, items: 2, buckets: 4 },
      { domain: 6, items: 2, buckets: 3 },
    ],
    {
      'all others hold a third, disjoint set': claim(THIRD_VALUE, false),
      "all others hold the victim's first set": claim(FIRST_VALUE, false),
    },
  ),
  'sampled-rappor': sets(
    sampledRappor,
    [
      { domain: 2, items: 1 },
      { domain: 3, items: 1 },
      { domain: 3, items: 2 },
      { domain: 4, items: 2 },
      { domain: 5, items: 2 },
    ],
    {
      'all others hold a third, disjoint set': claim(THIRD_VALUE),
      'all others hold a third set, half like each of the victim': claim(THIRD_VALUE),
      "all others hold the victim's first set": claim(FIRST_VALUE),
    },
    ({ epsilon0, domain }) => epsilon0! * domain!,
  ),
  'pckv-grr': sets(
    pckv,
    [
      { domain: 2, items: 1 },
      { domain: 3, items: 1 },
      { domain: 2, items: 2 },
      { domain: 3, items: 2 },
      { domain: 4, items: 2 },
    ],
    {
      'all others hold other pairs than either of the victim': claim(OTHER_PAIRS),
      "all others hold what pairs the victim leaves, and as many of either input's": claim(HALF_LIKE_EACH),
      "all others hold the victim's first pairs": claim(FIRST_VALUE),
    },
  ),
};
