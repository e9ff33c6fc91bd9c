/**
 * Unary encodings: the value as a row of d bits with a single one, each bit randomised on its own. Symmetric
 * (basic RAPPOR; U. Erlingsson et al., CCS 2014): both kinds of bit are flipped with equal probability.
 * Optimised (OUE; T. Wang et al., USENIX Security 2017): the one is kept with probability 1/2, zeros are
 * flipped with 1/(p+1), p = e^epsilon0.
 */
import {
  checkParameter,
  domainUpTo,
  EPSILON0,
  modelOf,
  Real,
  requirePositive,
  type AmplificationProfile,
  type CategoryCard,
  type FrequencyOracle,
  type Given,
} from '@shuffle-dp/core';
import { bitColumns, countRows, fillRandomRows, wordsOf, type BitColumns } from '../columns/bit-rows.ts';
import { interchangeableValues } from '../laws/interchangeable-values.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { craftedRows } from './crafted-messages.ts';
import {
  frequencyEstimator,
  sampleMarginalSupport,
  SUPPORT_FORMULA,
  totalUsers,
  type CategoryParameters,
  type SupportProbability,
} from './pure-frequency-protocol.ts';
import { randomBits } from '../columns/random-bits.ts';
import type { TypedAtom } from '../laws/typed-inputs.ts';

const DOMAIN = domainUpTo(2 ** 16);

export const BINARY_RR: CategoryCard = {
  name: 'binary-rr',
  title: 'Symmetric unary encoding (RAPPOR)',
  holds: 'a category',
  description: 'One bit per category; every bit is flipped with probability 1 / (e^(epsilon0/2) + 1).',
  source: 'Erlingsson, Pihur and Korolova, CCS 2014; Duchi, Jordan and Wainwright, FOCS 2013',
  citation: 'erlingsson2014',
  parameters: [EPSILON0, DOMAIN],
  options: [],
  ratios: { p: 'e^epsilon0', beta: '(e^(epsilon0/2) - 1) / (e^(epsilon0/2) + 1)', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with ps = sqrt(p) / (sqrt(p) + 1), ps' = 1 - ps`,
  example: { epsilon0: 1, domain: 16 },
  make: symmetricUnaryEncoding,
  model: (given: Given<'epsilon0' | 'domain'>) => modelOf(symmetricUnaryEncoding(given), given),
};

export const OUE: CategoryCard = {
  ...BINARY_RR,
  name: 'oue',
  title: 'Optimized unary encoding',
  description:
    'One bit per category. The bit of the own category is a fair coin; every other bit is 1 with probability 1 / (e^epsilon0 + 1).',
  source: 'Wang, Blocki, Li and Jha, USENIX Security 2017',
  citation: 'wang2017',
  ratios: { p: 'e^epsilon0', beta: '(p - 1) / (2 (p + 1))', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with ps = 1/2, ps' = 1 / (p + 1)`,
  make: optimizedUnaryEncoding,
  model: (given: Given<'epsilon0' | 'domain'>) => modelOf(optimizedUnaryEncoding(given), given),
};

/**
 * Basic RAPPOR: bits are kept with probability sqrt(p)/(1+sqrt(p)).
 *
 * @throws ParameterError
 * @example symmetricUnaryEncoding({ domain: 8, epsilon0: 1 }).supportProbability.own // 0.622459
 */
export function symmetricUnaryEncoding({
  domain,
  epsilon0,
}: CategoryParameters): FrequencyOracle<BitColumns> {
  requirePositive('epsilon0', epsilon0);
  const kept = 1 / (1 + Real.exp(-epsilon0 / 2));
  const flipped = 1 / (1 + Real.exp(epsilon0 / 2));
  return unaryEncoding('binary-rr', domain, epsilon0, {
    own: [flipped, kept],
    other: [kept, flipped],
    beta: Real.tanh(epsilon0 / 4),
    silent: -Real.expm1(-epsilon0 / 2),
  });
}

/**
 * Optimized unary encoding (OUE), as a frequency oracle.
 *
 * @throws ParameterError
 * @example optimizedUnaryEncoding({ domain: 8, epsilon0: 1 }).supportProbability.own // 0.5
 */
export function optimizedUnaryEncoding({
  domain,
  epsilon0,
}: CategoryParameters): FrequencyOracle<BitColumns> {
  requirePositive('epsilon0', epsilon0);
  return unaryEncoding('oue', domain, epsilon0, {
    own: [0.5, 0.5],
    other: [1 / (1 + Real.exp(-epsilon0)), 1 / (1 + Real.exp(epsilon0))],
    beta: Real.tanh(epsilon0 / 2) / 2,
    silent: -Real.expm1(-epsilon0) / 2,
  });
}

/** Probabilities of a zero and of a one; both, because 1 minus one of them may have no digits. */
type BitLaw = readonly [zero: number, one: number];

/** The laws of the bit of the own value and of all others. */
interface BitLaws {
  readonly own: BitLaw;
  readonly other: BitLaw;
  /** Total variation between the rows of two values. */
  readonly beta: number;
  /** 1 less the ratio of a zero's probability among own bits to that among all others. */
  readonly silent: number;
}

function unaryEncoding(
  name: string,
  domain: number,
  epsilon0: number,
  laws: BitLaws,
): FrequencyOracle<BitColumns> {
  checkParameter(DOMAIN, domain);
  const support: SupportProbability = { own: laws.own[1], other: laws.other[1] };
  return Object.freeze({
    name,
    epsilon0,
    domain,
    ...frequencyEstimator(support, laws.own[0]),
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
    jointSupportCounts: true,
    supports: 'independently',
    /** Bits are independent, so the counts are too: the exact joint law of all counts. */
    sampleSupportCounts: (histogram, stream) =>
      sampleMarginalSupport(histogram, totalUsers(histogram), support, stream),
    crafted: craftedRows(domain, support.other),
    logProbability(message, value) {
      let sum = 0;
      for (let v = 0; v < domain; v++) {
        const one = (message[v >>> 5]! >>> (v & 31)) & 1;
        sum += Real.log((v === value ? laws.own : laws.other)[one ? 1 : 0]);
      }
      return sum;
    },
    amplification: () => profile(domain, epsilon0, laws),
  } satisfies FrequencyOracle<BitColumns>);
}

/** The two bits that the victim's inputs differ in, as a cell (bit of x0, bit of x1), in this order. */
const CELLS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 0],
] as const;

/** Masses of the four cells under the input x0, x1 or any third value. */
function cellMasses({ own, other }: BitLaws, input: 0 | 1 | 'third'): number[] {
  return CELLS.map(
    ([first, second]) => (input === 0 ? own : other)[first] * (input === 1 ? own : other)[second],
  );
}

/** (p, beta, q) of Wang et al. 2024, Table 2. */
function profile(domain: number, epsilon0: number, laws: BitLaws): AmplificationProfile {
  const [first, second, third] = [cellMasses(laws, 0), cellMasses(laws, 1), cellMasses(laws, 'third')];
  // The infimum over inputs of a row's probability is that of an input whose own bit is zero: the product
  // with all bits drawn as for a third value, times this. The row of all ones has a larger one; leaving that
  // out is sound.
  const zeroRatio = laws.own[0] / laws.other[0];
  /** The four cells split by the third value's own bit, which tells others from the victim. */
  const split = ([1, 0] as const).flatMap((bit) =>
    CELLS.map((_, cell): TypedAtom => {
      const victim = laws.other[bit];
      const blanket = third[cell]! * victim * zeroRatio;
      return [first[cell]! * victim, second[cell]! * victim, third[cell]! * laws.own[bit], blanket];
    }),
  );
  return {
    variationRatio: localRatios(epsilon0, laws.beta),
    ...interchangeableValues({
      domain,
      silent: laws.silent,
      pair: CELLS.map((_, cell) => [first[cell]!, second[cell]!, third[cell]! * zeroRatio]),
      thirds: domain > 2 ? [['a third value', split]] : [],
    }),
  };
}
