/**
 * Unary encodings: the value as a row of d bits with a single one, each bit randomised on its own. Symmetric (basic
 * RAPPOR; U. Erlingsson et al., CCS 2014): both kinds of bit are flipped with equal probability. Optimised (OUE; T. Wang
 * et al., USENIX Security 2017): the one is kept with probability 1/2, zeros are flipped with 1/(p+1), p = e^epsilon0.
 */
import {
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type FrequencyOracle,
  type VariationRatio,
} from '@shuffle-dp/core';
import { bitColumns, countRows, fillRandomRows, wordsOf, type BitColumns } from './bit-rows.ts';
import { likelihoodAtoms, type Atom } from './likelihood-atoms.ts';
import {
  estimateFrequencies,
  frequencyVariance,
  sampleMarginalSupport,
  totalUsers,
  type SupportProbability,
} from './pure-frequency-protocol.ts';
import { randomBits } from './random-bits.ts';

export interface UnaryEncodingParameters {
  /** Number of categories, at least 2. */
  readonly domain: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
}

/** Basic RAPPOR: bits are kept with probability sqrt(p)/(1+sqrt(p)). @throws ParameterError */
export function symmetricUnaryEncoding({
  domain,
  epsilon0,
}: UnaryEncodingParameters): FrequencyOracle<BitColumns> {
  requirePositive('epsilon0', epsilon0);
  const flipped = 1 / (1 + Math.exp(epsilon0 / 2));
  const support = { own: 1 / (1 + Math.exp(-epsilon0 / 2)), other: flipped };
  return unaryEncoding('binary-rr', domain, epsilon0, support, () =>
    symmetricProfile(domain, epsilon0, support),
  );
}

/** OUE. @throws ParameterError */
export function optimizedUnaryEncoding({
  domain,
  epsilon0,
}: UnaryEncodingParameters): FrequencyOracle<BitColumns> {
  requirePositive('epsilon0', epsilon0);
  const support = { own: 0.5, other: 1 / (1 + Math.exp(epsilon0)) };
  return unaryEncoding('oue', domain, epsilon0, support, () => optimizedProfile(domain, epsilon0, support));
}

function unaryEncoding(
  name: string,
  domain: number,
  epsilon0: number,
  support: SupportProbability,
  amplification: () => AmplificationProfile,
): FrequencyOracle<BitColumns> {
  requireInteger('domain', domain, 2, 2 ** 16);
  const frozen = Object.freeze(support);
  return Object.freeze({
    name,
    epsilon0,
    domain,
    supportProbability: frozen,
    bitsPerMessage: domain,
    allocate: (users: number) => ({ columns: bitColumns(domain, users), count: 0 }),
    randomizeInto(values, messages, stream) {
      fillRandomRows(messages.columns, domain, values.length, support.other, stream);
      const columns = wordsOf(messages.columns, domain);
      const own = randomBits(support.own, stream);
      for (let i = 0; i < values.length; i++) {
        const value = values[i]!;
        const column = columns[value >>> 5]!;
        const bit = 1 << (value & 31);
        column[i] = own() ? column[i]! | bit : column[i]! & ~bit;
      }
      messages.count = values.length;
    },
    supportCounts: ({ columns, count }) => countRows(columns, domain, count),
    estimate: (counts, users) => estimateFrequencies(counts, users, frozen),
    variance: (users, frequency) => frequencyVariance(users, frequency, frozen),
    jointSupportCounts: true,
    /** Bits are independent, so the counts are too: the exact joint law of all counts. */
    sampleSupportCounts: (histogram, stream) =>
      sampleMarginalSupport(histogram, totalUsers(histogram), frozen, stream),
    logProbability(message, value) {
      let sum = 0;
      for (let v = 0; v < domain; v++) {
        const one = (message[v >>> 5]! >>> (v & 31)) & 1;
        const probability = v === value ? frozen.own : frozen.other;
        sum += Math.log(one ? probability : 1 - probability);
      }
      return sum;
    },
    amplification,
  } satisfies FrequencyOracle<BitColumns>);
}

/** The two bits that the victim's inputs differ in, as a cell (bit of x0, bit of x1), in this order. */
const CELLS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 0],
] as const;

const bit = (one: number, probability: number): number => (one ? probability : 1 - probability);

/** The four cells split by the third value's own bit, which tells others from the victim. */
function thirdValueAtoms(support: SupportProbability): Atom[] {
  const [first, second, third] = [
    cellMasses(support, 0),
    cellMasses(support, 1),
    cellMasses(support, 'third'),
  ];
  return [1, 0].flatMap((one) =>
    CELLS.map((_, cell): Atom => {
      const victim = bit(one, support.other);
      return [first[cell]! * victim, second[cell]! * victim, third[cell]! * bit(one, support.own)];
    }),
  );
}

/** Masses of the four cells under the input x0, x1 or any third value. */
function cellMasses({ own, other }: SupportProbability, input: 0 | 1 | 'third'): number[] {
  return CELLS.map(
    ([first, second]) => bit(first, input === 0 ? own : other) * bit(second, input === 1 ? own : other),
  );
}

function symmetricProfile(
  domain: number,
  epsilon0: number,
  support: SupportProbability,
): AmplificationProfile {
  const { own, other } = support;
  const p = Math.exp(epsilon0);
  const scale = other / own;
  // Infimum over inputs of a row's probability: (other/own) times the product with all bits drawn as for a third value.
  // The row of all ones has a slightly larger infimum for three values or more; leaving it out is sound.
  const blanket = [own * other, own * other, other * other, own * own].map((mass) => mass * scale);
  return unaryProfile(domain, support, { p, beta: own - other, q: p }, blanket);
}

function optimizedProfile(
  domain: number,
  epsilon0: number,
  support: SupportProbability,
): AmplificationProfile {
  const { other: u } = support;
  const p = Math.exp(epsilon0);
  const scale = 1 / (2 * (1 - u));
  const blanket = [u * (1 - u), u * (1 - u), u * u, (1 - u) * (1 - u)].map((mass) => mass * scale);
  return unaryProfile(domain, support, { p, beta: 0.5 - u, q: p }, blanket);
}

/** (p, beta, q) of Wang et al. 2024, Table 2. */
function unaryProfile(
  domain: number,
  support: SupportProbability,
  variationRatio: VariationRatio,
  blanket: readonly number[],
): AmplificationProfile {
  const zip = (others: readonly number[]): Atom[] => {
    const first = cellMasses(support, 0);
    const second = cellMasses(support, 1);
    return others.map((mass, cell) => [first[cell]!, second[cell]!, mass]);
  };
  return {
    variationRatio,
    blanket: [likelihoodAtoms('any two inputs', zip(blanket))],
    homogeneous: [
      ...(domain > 2 ? [likelihoodAtoms('all others hold a third value', thirdValueAtoms(support))] : []),
      likelihoodAtoms("all others hold the victim's first value", zip(cellMasses(support, 0)), false),
    ],
  };
}
