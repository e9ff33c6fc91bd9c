/**
 * Sampled vector randomized response: of d bits a user sends s, chosen uniformly and openly, each kept with probability
 * r = e^(epsilon0/s) / (1 + e^(epsilon0/s)) and flipped otherwise. Privacy parameters: S. Wang et al., "Numerical Composition
 * for the Shuffle Model", 2025, Theorem 1. Its sum starts at floor(s/2) + 1; the printed s/2 + 1 omits the floor.
 */
import {
  beyond,
  EACH_USER,
  from,
  integer,
  logBinomialCoefficient,
  ParameterError,
  real,
  requireInteger,
  requirePositive,
  sampleSubset,
  type AmplificationProfile,
  type Given,
  type LikelihoodAtoms,
  type LocalRandomizer,
  type MechanismCard,
  type MechanismModel,
  type OtherInput,
  type ShuffledMessages,
  type TypedInputs,
  type TypedPair,
  setByTarget,
} from '@shuffle-dp/core';
import { likelihoodAtoms, type Atom } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { fillRandomBits } from '../columns/random-bits.ts';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';

export interface VectorRandomizedResponseParameters {
  /** Number of bits d of a user's vector, at least 1. */
  readonly dimensions: number;
  /** Number of bits s that are sent, 1 to 32 and at most d. */
  readonly sampled: number;
  /** Local budget in nats of the whole message, positive. */
  readonly epsilon0: number;
}

/**
 * `bits` holds the s sent bits, the first in the lowest place; `coordinate0`, `coordinate1`, … (Uint32Array) say, increasing,
 * where they belong. Without sampling (s = d) there are no coordinates.
 */
export type VectorColumns = { readonly bits: Uint32Array; readonly [coordinate: string]: Uint32Array };

export interface VectorRandomizedResponse extends LocalRandomizer<Uint8Array, VectorColumns> {
  readonly dimensions: number;
  readonly sampled: number;
  /** Probability r that a sent bit is the user's. */
  readonly keep: number;
  /** Unbiased estimates of the fractions of users whose bit is 1, by coordinate; may leave [0, 1]. */
  estimateMeans(messages: ShuffledMessages<VectorColumns>): Float64Array;
  /** Exact variance of the estimate of a coordinate that is 1 for the fraction `frequency` of `users` users. */
  variance(users: number, frequency: number): number;
  /** log Pr[message | row of d bits]; the message is the bits, then the coordinates. */
  logProbability(message: readonly number[], row: ArrayLike<number>): number;
}

export const VECTOR_RR: MechanismCard = {
  name: 'vector-rr',
  title: 'Vector randomized response',
  holds: 'a vector',
  description: 'A vector of bits, each kept or flipped on its own; with sampling, the bits that are sent.',
  source: 'Warner, JASA 1965, on every bit',
  citation: 'warner1965',
  parameters: [
    integer('bits', from(1), from(32), 'bits in a message'),
    setByTarget(
      real('keepProbability', beyond(0.5, '1/2'), beyond(1), 'probability r that a bit is sent as it is'),
      0.5,
      1,
    ),
  ],
  usersMean: EACH_USER,
  ratios: { p: '(r / (1 - r))^s', beta: 'Pr[Bin(s, r) > s/2] - Pr[Bin(s, r) < s/2]', q: 'p' },
  estimator: 'per bit (C / n - (1 - r)) / (2 r - 1)',
  example: { bits: 8, keepProbability: 0.6 },
  model: modelOfBits,
};

function modelOfBits(given: Given<'bits' | 'keepProbability'>): MechanismModel {
  const { bits, keepProbability: keep } = given;
  // Both differences are exact, and the logarithm keeps its digits where the ratio is near 1.
  const epsilon0 = bits * Math.log1p((2 * keep - 1) / (1 - keep));
  // Not by way of the budget, whose rounding would be that of another probability.
  return {
    epsilon0,
    amplification: vectorResponseProfile(bits, bits, epsilon0, keep, 1 - keep),
    parameters: given,
  };
}

/**
 * Values are rows of d bytes, 0 or 1, one row after the other.
 * @throws ParameterError
 * @example vectorRandomizedResponse({ dimensions: 8, sampled: 2, epsilon0: 1 }).epsilon0 // 1
 */
export function vectorRandomizedResponse({
  dimensions,
  sampled,
  epsilon0,
}: VectorRandomizedResponseParameters): VectorRandomizedResponse {
  requireInteger('dimensions', dimensions, 1, 2 ** 31);
  requireInteger('sampled', sampled, 1, Math.min(32, dimensions));
  requirePositive('epsilon0', epsilon0);
  const perBit = epsilon0 / sampled;
  const keep = 1 / (1 + Math.exp(-perBit));
  const flip = 1 / (1 + Math.exp(perBit));
  /** 2r - 1. */
  const gap = Math.tanh(perBit / 2);
  const all = sampled === dimensions;
  const names = Array.from({ length: all ? 0 : sampled }, (_, i) => `coordinate${i}`);
  const coordinatesOf = (columns: VectorColumns): Uint32Array[] => names.map((name) => columns[name]!);
  const scale = dimensions / sampled;
  return Object.freeze({
    name: 'vector-rr',
    epsilon0,
    dimensions,
    sampled,
    keep,
    bitsPerMessage: sampled + (all ? 0 : sampled * Math.ceil(Math.log2(dimensions))),
    allocate: (users: number) => ({
      columns: {
        bits: new Uint32Array(users),
        ...Object.fromEntries(names.map((name) => [name, new Uint32Array(users)])),
      },
      count: 0,
    }),
    randomizeInto(values, messages, stream) {
      const { bits } = messages.columns;
      const users = values.length / dimensions;
      if (!Number.isInteger(users))
        throw new ParameterError('the number of bits', values.length, `a multiple of ${dimensions}`);
      // The flips stand in the column before the user's bits are added.
      fillRandomBits(bits, users, flip, sampled, stream);
      if (all) xorRows(values, bits, users, sampled);
      else {
        const coordinates = coordinatesOf(messages.columns);
        const chosen = new Uint32Array(sampled);
        for (let user = 0; user < users; user++) {
          sampleSubset(sampled, dimensions, chosen, 0, stream);
          let word = 0;
          for (let i = 0; i < sampled; i++) {
            const j = chosen[i]!;
            coordinates[i]![user] = j;
            word |= (values[user * dimensions + j]! & 1) << i;
          }
          bits[user]! ^= word;
        }
      }
      messages.count = users;
    },
    estimateMeans({ columns, count }) {
      requireInteger('the number of messages', count, 1);
      const { bits } = columns;
      const coordinates = coordinatesOf(columns);
      // Ones minus flips expected among the bits sent for each coordinate.
      const sums = new Float64Array(dimensions);
      for (let i = 0; i < sampled; i++) {
        const column = coordinates[i];
        for (let message = 0; message < count; message++) {
          const j = column ? column[message]! : i;
          sums[j]! += ((bits[message]! >>> i) & 1) - flip;
        }
      }
      return sums.map((sum) => (sum * scale) / (gap * count));
    },
    variance: (users, frequency) => (scale * ((keep * flip) / (gap * gap)) + (scale - 1) * frequency) / users,
    logProbability([bits, ...coordinates], row) {
      let flips = 0;
      for (let i = 0; i < sampled; i++)
        flips += (((bits! >>> i) & 1) ^ (row[all ? i : coordinates[i]!]! & 1)) === 1 ? 1 : 0;
      return (
        sampled * Math.log(keep) - flips * perBit - (all ? 0 : logBinomialCoefficient(dimensions, sampled))
      );
    },
    amplification: () => vectorResponseProfile(dimensions, sampled, epsilon0, keep, flip),
  } satisfies VectorRandomizedResponse);
}

function xorRows(values: Uint8Array, bits: Uint32Array, users: number, width: number): void {
  for (let user = 0, place = 0; user < users; user++) {
    let word = 0;
    for (let i = 0; i < width; i++) word |= (values[place++]! & 1) << i;
    bits[user]! ^= word;
  }
}

/**
 * The victim's two vectors differ everywhere. That is the worst pair: the message's ratio to the blanket has the same law
 * for every vector, and those of opposite vectors are opposed, which puts the loss above that of any other pair in
 * convex order. Atoms by the number of bits that agree with the first vector; the coordinates tell nothing.
 *
 * @param keep r. @param flip 1 - r, given beside it because one of them has few digits where the other is near 1 or the
 * budget was rounded. @param epsilon0 sampled * log(keep / flip)
 * @example vectorResponseProfile(8, 2, 1, 0.7, 0.3).variationRatio // { p: 2.71828, pMinusOne: 1.71828, beta: 0.309739, q: 2.71828 }
 */
export function vectorResponseProfile(
  dimensions: number,
  sampled: number,
  epsilon0: number,
  keep: number,
  flip: number,
): AmplificationProfile {
  const perBit = epsilon0 / sampled;
  const word = wordProbability(sampled, keep, flip);
  const law = Array.from({ length: sampled + 1 }, (_, k) => choices(sampled, k) * word(k));
  let beta = 0;
  for (let k = Math.floor(sampled / 2) + 1; k <= sampled; k++)
    beta += law[k]! * -Math.expm1(-(2 * k - sampled) * perBit);
  // Every word has probability at least (1-r)^s.
  const blanket = law.map((mass, k): Atom => [mass, law[sampled - k]!, choices(sampled, k) * word(0)]);
  const same = law.map((mass, k): Atom => [mass, law[sampled - k]!, mass]);
  return {
    variationRatio: localRatios(epsilon0, beta),
    // The blanket has the mass (2 flip)^s = (1 - (keep - flip))^s.
    blanket: [
      likelihoodAtoms(
        'opposite vectors',
        blanket,
        true,
        -Math.expm1(sampled * Math.log1p(-Math.tanh(perBit / 2))),
      ),
    ],
    homogeneous: [
      ...(dimensions > 1 ? [halfAgreeing(dimensions, sampled, word)] : []),
      likelihoodAtoms("all others hold the victim's first vector", same, false),
    ],
    ...(sampled === dimensions && dimensions <= MOST_TYPED_BITS && { typed: typedInputs(dimensions, word) }),
  };
}

/** More bits have hundreds of types. */
const MOST_TYPED_BITS = 8;

/**
 * Two vectors of the victim by how many bits they differ in, the worst first, and for the others a vector by on how many of these it agrees with
 * the first, and on how many of the rest with both. Atoms by how many bits of the message agree with each of the three vectors.
 */
function typedInputs(bits: number, word: (agreeing: number) => number): TypedInputs {
  const pairs: TypedPair[] = [];
  for (let differing = bits; differing >= 1; differing--) {
    const inputs: OtherInput[] = [];
    for (let first = 0; first <= differing; first++) {
      for (let both = 0; both <= bits - differing; both++) {
        const label = `a vector with ${first} of the differing bits of the first and ${both} of the common ones`;
        inputs.push(
          otherInput(label, agreementAtoms([first, differing - first, both, bits - differing - both], word)),
        );
      }
    }
    pairs.push({ label: `two vectors that differ in ${differing} bits`, inputs, symmetric: true });
  }
  return { pairs, domain: 2 ** bits };
}

/**
 * @param regions numbers of bits on which the third vector agrees with the first of two only, with the second only, with both, and with
 *   neither
 */
function agreementAtoms(
  [first, second, both, neither]: readonly [number, number, number, number],
  word: (agreeing: number) => number,
): TypedAtom[] {
  const bits = first + second + both + neither;
  /** Numbers of words, by those of bits that agree with each of the three vectors. */
  const words = new Map<number, number>();
  for (let a = 0; a <= first; a++) {
    for (let b = 0; b <= second; b++) {
      for (let c = 0; c <= both; c++) {
        for (let d = 0; d <= neither; d++) {
          // Bits that agree with the first vector, by region.
          const agree0 = a + b + c + d;
          const agree1 = first - a + second - b + c + d;
          const agree2 = a + second - b + c + neither - d;
          const key = (agree0 * (bits + 1) + agree1) * (bits + 1) + agree2;
          const ways = choices(first, a) * choices(second, b) * choices(both, c) * choices(neither, d);
          words.set(key, (words.get(key) ?? 0) + ways);
        }
      }
    }
  }
  return Array.from(words, ([key, ways]): TypedAtom => {
    const agree2 = key % (bits + 1);
    const rest = Math.floor(key / (bits + 1));
    const [agree0, agree1] = [Math.floor(rest / (bits + 1)), rest % (bits + 1)];
    return [ways * word(agree0), ways * word(agree1), ways * word(agree2), ways * word(0)];
  });
}

/** Of a word that agrees with the sender's in so many bits, as powers: the exponential of a sum of logarithms has fewer digits. */
function wordProbability(sampled: number, keep: number, flip: number): (agreeing: number) => number {
  return (agreeing) => keep ** agreeing * flip ** (sampled - agreeing);
}

/** The binomial coefficient C(n, k) for n up to 32, exact. */
function choices(n: number, k: number): number {
  let count = 1;
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i;
  return count;
}

/**
 * All others hold a vector that is the victim's first on half of the coordinates and the second elsewhere. Atoms by how many
 * of the sent coordinates are from the first half, and how many bits agree with the first vector on either half.
 */
function halfAgreeing(
  dimensions: number,
  sampled: number,
  word: (agreeing: number) => number,
): LikelihoodAtoms {
  const half = Math.floor(dimensions / 2);
  const atoms: Atom[] = [];
  for (let a = Math.max(0, sampled - (dimensions - half)); a <= Math.min(half, sampled); a++) {
    const b = sampled - a;
    const chosen = Math.exp(
      logBinomialCoefficient(half, a) +
        logBinomialCoefficient(dimensions - half, b) -
        logBinomialCoefficient(dimensions, sampled),
    );
    for (let i = 0; i <= a; i++) {
      for (let j = 0; j <= b; j++) {
        const ways = chosen * choices(a, i) * choices(b, j);
        atoms.push([ways * word(i + j), ways * word(sampled - i - j), ways * word(i + b - j)]);
      }
    }
  }
  return likelihoodAtoms(
    "all others agree with the victim's first vector on half of the coordinates",
    atoms,
    2 * half === dimensions,
  );
}
