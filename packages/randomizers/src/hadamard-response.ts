/**
 * Hadamard response: a user sends an index y of a Hadamard matrix of order K; indices where the row of the own value is
 * +1 are e^epsilon0 times as likely as the others. J. Acharya, Z. Sun, H. Zhang, "Hadamard Response", AISTATS 2019.
 * Counts of support for all values come from one fast Walsh-Hadamard transform.
 */
import {
  requireInteger,
  requirePositive,
  sampleBinomial,
  sampleUniformMultinomial,
  type AmplificationProfile,
  type FrequencyOracle,
} from '@shuffle-dp/core';
import { categoryColumn, countCategories, type CategoryColumns } from './category-column.ts';
import { likelihoodAtoms, type Atom } from './likelihood-atoms.ts';
import { estimateFrequencies, frequencyVariance, totalUsers } from './pure-frequency-protocol.ts';

export interface HadamardResponseParameters {
  /** Number of categories, at least 2. */
  readonly domain: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
}

export interface HadamardResponse extends FrequencyOracle<CategoryColumns> {
  /** K, the least power of two above the domain. */
  readonly order: number;
}

/** @throws ParameterError */
export function hadamardResponse({ domain, epsilon0 }: HadamardResponseParameters): HadamardResponse {
  requireInteger('domain', domain, 2, 2 ** 20);
  requirePositive('epsilon0', epsilon0);
  const order = 2 ** Math.ceil(Math.log2(domain + 1));
  const own = 1 / (1 + Math.exp(-epsilon0));
  const support = Object.freeze({ own, other: 0.5 });
  /** Probability of an own index on top of a uniform one: (p-1)/(p+1). */
  const truthful = Math.tanh(epsilon0 / 2);
  return Object.freeze({
    name: 'hadamard',
    epsilon0,
    domain,
    order,
    supportProbability: support,
    bitsPerMessage: Math.log2(order),
    allocate: (users: number) => ({ columns: { value: categoryColumn(order, users) }, count: 0 }),
    randomizeInto(values, messages, stream) {
      const threshold = own * 9007199254740992;
      const words = new Uint32Array(3 * BLOCK);
      for (let start = 0; start < values.length; start += BLOCK) {
        const end = Math.min(values.length, start + BLOCK);
        stream.fillUint32(words, 0, 3 * (end - start));
        randomizeBlock(values, messages.columns.value, start, end, order - 1, threshold, words);
      }
      messages.count = values.length;
    },
    supportCounts: ({ columns, count }) =>
      supportFromIndices(countCategories(columns.value, count, order), domain, count),
    estimate: (counts, users) => estimateFrequencies(counts, users, support),
    variance: (users, frequency) => frequencyVariance(users, frequency, support),
    /** True answers of a value are uniform over its half of the indices, all else is uniform: the exact joint law. */
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
      Math.log(((parity(message! & (value + 1)) === 0 ? own : 1 - own) * 2) / order),
    amplification: () => profile(domain, epsilon0),
  } satisfies HadamardResponse);
}

const BLOCK = 8192;

/** A uniform index whose agreement with the own row is then set right by flipping the row's lowest bit. */
function randomizeBlock(
  values: Uint32Array,
  out: Uint8Array | Uint16Array | Uint32Array,
  start: number,
  end: number,
  mask: number,
  threshold: number,
  words: Uint32Array,
): void {
  let draw = 0;
  for (let i = start; i < end; i++) {
    const row = values[i]! + 1;
    const index = words[draw]! & mask;
    const number = (words[draw + 1]! >>> 5) * 67108864 + (words[draw + 2]! >>> 6);
    draw += 3;
    const wanted = number < threshold ? 0 : 1;
    out[i] = parity(index & row) === wanted ? index : index ^ (row & -row);
  }
}

function parity(word: number): number {
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
 * (p, beta, q) of Wang et al. 2024, Table 2. Atoms by the signs of the rows of x0 and x1; a third row is independent of
 * them unless it is their product, which hides the victim less well.
 */
function profile(domain: number, epsilon0: number): AmplificationProfile {
  const p = Math.exp(epsilon0);
  const high = p / (p + 1) / 2;
  const low = 1 / (p + 1) / 2;
  const mass = (plus: boolean): number => (plus ? high : low);
  const cells = (others: (first: boolean, second: boolean) => number): Atom[] =>
    [true, false].flatMap((first) =>
      [true, false].map((second): Atom => [mass(first), mass(second), others(first, second)]),
    );
  const independent: Atom[] = cells(() => 0).flatMap(([a, b]) =>
    [high, low].map((c): Atom => [a / 2, b / 2, c / 2]),
  );
  // Values 0, 1 and 2 have rows 1, 2 and 3, and 3 = 1 xor 2.
  return {
    variationRatio: { p, beta: Math.tanh(epsilon0 / 2) / 2, q: p },
    blanket: [
      likelihoodAtoms(
        'any two inputs',
        cells(() => low),
      ),
    ],
    homogeneous: [
      ...(domain >= 3
        ? [
            likelihoodAtoms(
              "all others hold the value whose row is the product of the victim's",
              cells((a, b) => mass(a === b)),
            ),
          ]
        : []),
      ...(domain >= 4
        ? [likelihoodAtoms('all others hold a value with an independent row', independent)]
        : []),
      likelihoodAtoms(
        "all others hold the victim's first value",
        cells((first) => mass(first)),
        false,
      ),
    ],
  };
}
