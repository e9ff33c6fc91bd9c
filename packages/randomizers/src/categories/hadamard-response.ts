/**
 * Hadamard response: a user sends an index y of a Hadamard matrix of order K; indices where the row of the
 * own value is +1 are e^epsilon0 times as likely as the others. J. Acharya, Z. Sun, H. Zhang, "Hadamard
 * Response", AISTATS 2019. Counts of support for all values come from one fast Walsh-Hadamard transform.
 */
import {
  Real,
  requireInteger,
  requirePositive,
  sampleBinomial,
  sampleUniformMultinomial,
  type AmplificationProfile,
  type FrequencyOracle,
  type RandomStream,
} from '@shuffle-dp/core';
import { categoryColumn, countCategories, type CategoryColumns } from '../columns/category-column.ts';
import { interchangeableValues, type ThirdValue } from '../laws/interchangeable-values.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { frequencyEstimator, totalUsers, type CategoryParameters } from './pure-frequency-protocol.ts';
import type { TypedAtom } from '../laws/typed-inputs.ts';

export interface HadamardResponse extends FrequencyOracle<CategoryColumns> {
  /** K, the least power of two above the domain. */
  readonly order: number;
}

/**
 * Hadamard response, as a frequency oracle.
 *
 * @throws ParameterError
 * @example hadamardResponse({ domain: 8, epsilon0: 1 }).supportProbability.own // 0.731059
 */
export function hadamardResponse({ domain, epsilon0 }: CategoryParameters): HadamardResponse {
  requireInteger('domain', domain, 2, 2 ** 20);
  requirePositive('epsilon0', epsilon0);
  const order = 2 ** Math.ceil(Math.log2(domain + 1));
  const own = 1 / (1 + Real.exp(-epsilon0));
  const disagreeing = 1 / (1 + Real.exp(epsilon0));
  const support = { own, other: 0.5 };
  /** Probability of an own index on top of a uniform one: (p-1)/(p+1). */
  const truthful = Real.tanh(epsilon0 / 2);
  return Object.freeze({
    name: 'hadamard',
    epsilon0,
    domain,
    order,
    ...frequencyEstimator(support),
    bitsPerMessage: Math.log2(order),
    allocate: (users: number) => ({ columns: { value: categoryColumn(order, users) }, count: 0 }),
    randomizeInto(values, messages, stream) {
      const { value } = messages.columns;
      for (let start = 0; start < values.length; start += BLOCK) {
        const block = values.subarray(start, start + BLOCK);
        randomizeBlock(block, order, own, stream);
        value.set(made.subarray(0, block.length), start);
      }
      messages.count = values.length;
    },
    supportCounts: ({ columns, count }) =>
      supportFromIndices(countCategories(columns.value, count, order), domain, count),
    jointSupportCounts: true,
    /**
     * True answers of a value are uniform over its half of the indices, all else is uniform: the exact joint
     * law.
     */
    sampleSupportCounts(histogram, stream) {
      const users = totalUsers(histogram);
      const indices = new Float64Array(order);
      const half = new Float64Array(order / 2);
      let untruthful = users;
      for (let v = 0; v < domain; v++) {
        const kept = sampleBinomial(histogram[v]!, truthful, stream);
        if (kept === 0) continue;
        untruthful -= kept;
        half.fill(0);
        sampleUniformMultinomial(kept, half, stream);
        for (let y = 0, place = 0; y < order; y++)
          if (parity(y & (v + 1)) === 0) indices[y]! += half[place++]!;
      }
      sampleUniformMultinomial(untruthful, indices, stream);
      return supportFromIndices(indices, domain, users);
    },
    logProbability: ([message], value) =>
      Real.log(((parity(message! & (value + 1)) === 0 ? own : disagreeing) * 2) / order),
    amplification: () => profile(domain, epsilon0),
  } satisfies HadamardResponse);
}

const BLOCK = 8192;

/** Messages of a block, whatever the type of the column: a loop over one type of array is compiled better. */
const made = new Uint32Array(BLOCK);
/** Users of a block whose coins are undecided. */
const undecided = new Uint16Array(BLOCK);
const words = new Uint32Array(BLOCK);

/**
 * The low bits of a random word are a uniform index, whose agreement with the own row is then set right by
 * flipping the row's lowest bit. The other bits, at least 11, are a coin of probability `own`; where they
 * equal its first digits, its further digits decide.
 */
function randomizeBlock(values: Uint32Array, order: number, own: number, stream: RandomStream): void {
  const digits = own * (2 ** 32 / order);
  const threshold = Math.floor(digits);
  const count = flipBlock(values, order, threshold, stream);
  for (let k = 0; k < count; k++) {
    const row = values[undecided[k]!]! + 1;
    // So far the index disagrees with the row.
    if (stream.next() < digits - threshold) made[undecided[k]!]! ^= row & -row;
  }
}

/** Fills `made` and `undecided` and returns the length of the latter. */
function flipBlock(values: Uint32Array, order: number, threshold: number, stream: RandomStream): number {
  const mask = order - 1;
  const indexBits = 31 - Math.clz32(order);
  let count = 0;
  stream.fillUint32(words, 0, values.length);
  for (let i = 0; i < values.length; i++) {
    const x = words[i]!;
    const row = (values[i]! + 1) | 0;
    const index = x & mask;
    const below = ((x >>> indexBits) - threshold) | 0;
    // The sign says whether to agree: an even number of ones in common.
    const wrong = parity(index & row) ^ 1 ^ (below >>> 31);
    made[i] = index ^ (row & -row & -wrong);
    if (below === 0) undecided[count++] = i;
  }
  return count;
}

/** Whether the number of ones is odd: 1, or 0. */
export function parity(word: number): number {
  let x = word ^ (word >>> 16);
  x ^= x >>> 8;
  x ^= x >>> 4;
  return (0x6996 >>> (x & 15)) & 1;
}

/** C_v = (n + sum over y of H(v+1, y) counts[y]) / 2. */
function supportFromIndices(indices: Float64Array, domain: number, users: number): Float64Array {
  walshHadamard(indices);
  return Float64Array.from({ length: domain }, (_, v) => (users + indices[v + 1]!) / 2);
}

/** The unnormalised transform in place; length a power of two. */
export function walshHadamard(values: Float64Array): void {
  for (let span = 1; span < values.length; span *= 2) {
    for (let block = 0; block < values.length; block += 2 * span) {
      for (let i = block; i < block + span; i++) {
        const a = values[i]!;
        const b = values[i + span]!;
        values[i] = a + b;
        values[i + span] = a - b;
      }
    }
  }
}

/**
 * (p, beta, q) of Wang et al. 2024, Table 2. Atoms by the signs of the rows of x0 and x1; a third row is
 * independent of them unless it is their product, which hides the victim less well.
 */
function profile(domain: number, epsilon0: number): AmplificationProfile {
  const p = Real.exp(epsilon0);
  const high = p / (p + 1) / 2;
  const low = 1 / (p + 1) / 2;
  const signs = [true, false] as const;
  const mass = (plus: boolean): number => (plus ? high : low);
  const cells = (third: (first: boolean, second: boolean) => number): TypedAtom[] =>
    signs.flatMap((first) =>
      signs.map((second): TypedAtom => [mass(first), mass(second), third(first, second), low]),
    );
  const halves = signs.flatMap((third) =>
    cells(() => mass(third)).map(([a, b, own, low]): TypedAtom => [a / 2, b / 2, own / 2, low / 2]),
  );
  // Values 0, 1 and 2 have rows 1, 2 and 3, and 3 = 1 xor 2.
  const thirds: ThirdValue[] = [
    ["the value whose row is the product of the victim's", cells((a, b) => mass(a === b))],
    ['a value with an independent row', halves],
  ];
  return {
    variationRatio: localRatios(epsilon0, Real.tanh(epsilon0 / 2) / 2),
    ...interchangeableValues({
      domain,
      silent: Real.tanh(epsilon0 / 2),
      pair: cells(() => 0).map(([first, second, , blanket]) => [first, second, blanket]),
      thirds: thirds.slice(0, domain - 2),
    }),
  };
}
