/** Randomizers of one category, by the weights that their authors print. */
import { lawsFrom, range, sameInputs, subsetsOf, wordsOf, type FiniteMechanism } from './finite-mechanism.ts';
import type { FixedPoint } from './fixed-point.ts';
import {
  claim,
  FIRST_VALUE,
  listed,
  THIRD_VALUE,
  type Definition,
  type MechanismOracle,
} from './mechanism-oracle.ts';

/** Kairouz, Bonawitz and Ramage 2016: e^epsilon0 for the own value, 1 for any other. */
export function randomizedResponse(
  epsilon0: number,
  domain: number,
  inputs: number,
  arithmetic: FixedPoint,
): FiniteMechanism {
  const likely = arithmetic.exp(epsilon0);
  return sameInputs(
    lawsFrom(range(inputs), range(domain), (x, y) => (x === y ? likely : arithmetic.one), arithmetic),
  );
}

/** Shvets 2026: the same of those who answer, and one output for all others. */
const augmented: Definition = ({ epsilon0, domain, informative }, arithmetic) => {
  const { one, times, of, over } = arithmetic;
  const likely = arithmetic.exp(epsilon0!);
  const total = likely + BigInt(domain! - 1) * one;
  const answers = of(informative!);
  return sameInputs(
    lawsFrom(
      range(domain!),
      range(domain! + 1),
      (x, y) => (y === domain ? one - answers : times(answers, over(x === y ? likely : one, total))),
      arithmetic,
    ),
  );
};

/** Erlingsson et al. 2014: of the bits of a one-hot row each is kept with sqrt(p) / (1 + sqrt(p)). */
const symmetricUnary: Definition = ({ epsilon0, domain }, arithmetic) => {
  const kept = arithmetic.exp(epsilon0! / 2);
  return sameInputs(
    lawsFrom(
      range(domain!),
      wordsOf(domain!, 2),
      (x, word) =>
        word.reduce(
          (weight, bit, v) => (bit === Number(v === x) ? arithmetic.times(weight, kept) : weight),
          arithmetic.one,
        ),
      arithmetic,
    ),
  );
};

/** Wang et al. 2017: the own bit is a fair coin, all others are zero with p / (p + 1). */
const optimizedUnary: Definition = ({ epsilon0, domain }, arithmetic) => {
  const zero = arithmetic.exp(epsilon0!);
  return sameInputs(
    lawsFrom(
      range(domain!),
      wordsOf(domain!, 2),
      (x, word) =>
        word.reduce(
          (weight, bit, v) => (v !== x && bit === 0 ? arithmetic.times(weight, zero) : weight),
          arithmetic.one,
        ),
      arithmetic,
    ),
  );
};

/** Ye and Barg 2018: all subsets of one size, those with the own value p times as likely. */
const subsetSelection: Definition = ({ epsilon0, domain, subsetSize }, arithmetic) => {
  const likely = arithmetic.exp(epsilon0!);
  return sameInputs(
    lawsFrom(
      range(domain!),
      subsetsOf(domain!, subsetSize!),
      (x, subset) => (subset.includes(x) ? likely : arithmetic.one),
      arithmetic,
    ),
  );
};

/**
 * Wang et al. 2017 with the functions of the project: a vector s over the field of l elements sends value v
 * to the bucket <s, g(v)>, and g(0), g(1), … are the vectors whose last digit but zeros is 1, of as few
 * digits as will do.
 */
const localHashing: Definition = ({ epsilon0, domain, hashRange }, arithmetic) => {
  const field = hashRange!;
  let digits = 1;
  const directions = (): number[][] =>
    wordsOf(digits, field).filter((vector) => vector.findLast((digit) => digit > 0) === 1);
  while (directions().length < domain!) digits++;
  const points = directions();
  const likely = arithmetic.exp(epsilon0!);
  const outputs = wordsOf(digits, field).flatMap((seed) => range(field).map((bucket) => ({ seed, bucket })));
  return sameInputs(
    lawsFrom(
      range(domain!),
      outputs,
      (x, { seed, bucket }) => {
        const product = seed.reduce((sum, digit, i) => sum + digit * points[x]![i]!, 0);
        return product % field === bucket ? likely : arithmetic.one;
      },
      arithmetic,
    ),
  );
};

/** Sign of an entry of Sylvester's matrix: +1 where the numbers have an even number of ones in common. */
function agree(row: number, column: number): boolean {
  return ((row & column).toString(2).match(/1/gu)?.length ?? 0) % 2 === 0;
}

/** Three values of a block, of whose rows one is the product of the others, and one whose is not. */
const valuesListed = (size: number): number => Math.min(4, size - 1);

/**
 * Acharya, Sun and Zhang 2019: of the indices of the own block, those where the own row is +1 are p times as
 * likely.
 */
const hadamard: Definition = ({ epsilon0, order, blocks = 1 }, arithmetic) => {
  const size = order! / blocks;
  const likely = arithmetic.exp(epsilon0!);
  const values = range(blocks).flatMap((block) =>
    range(valuesListed(size)).map((row) => ({ block, row: row + 1 })),
  );
  return sameInputs(
    lawsFrom(
      values,
      range(order!),
      ({ block, row }, index) =>
        Math.floor(index / size) === block && agree(row, index % size) ? likely : arithmetic.one,
      arithmetic,
    ),
  );
};

const thirdOrFirst = (thirdAttained = true): MechanismOracle['claims'] => ({
  'all others hold a third value': claim(THIRD_VALUE, thirdAttained),
  "all others hold the victim's first value": claim(FIRST_VALUE),
});

const categories = (
  define: Definition,
  settings: (epsilon0: number) => Record<string, number>[],
  claims: MechanismOracle['claims'] = thirdOrFirst(),
): MechanismOracle => ({
  settings: (epsilon0) => settings(epsilon0).map((rest) => ({ epsilon0, ...rest })),
  // Of a row of bits each may be the less likely one.
  nats: ({ epsilon0, domain }) => epsilon0! * Math.max(1, Math.min(domain ?? 1, 3)),
  ...listed(define),
  claims,
  missing: 0,
});

/** The rows of the first three values of a block are r, s and their product. */
const product = (a: number, b: number, c: number): boolean => ((a + 1) ^ (b + 1)) === c + 1;

export const CATEGORY_ORACLES: Readonly<Record<string, MechanismOracle>> = {
  grr: categories(
    ({ epsilon0, domain }, arithmetic) =>
      // Of a large domain four values: all others are alike to them.
      randomizedResponse(epsilon0!, domain!, Math.min(domain!, 4), arithmetic),
    () => [{ domain: 2 }, { domain: 3 }, { domain: 4 }, { domain: 1000 }],
  ),
  'augmented-rr': categories(augmented, () => [
    { domain: 2, informative: 0.5 },
    { domain: 3, informative: 0.75 },
    { domain: 3, informative: 1 },
    { domain: 4, informative: 0.125 },
  ]),
  'binary-rr': categories(symmetricUnary, () => [{ domain: 2 }, { domain: 3 }]),
  oue: categories(optimizedUnary, () => [{ domain: 2 }, { domain: 3 }]),
  subset: categories(subsetSelection, () => [
    { domain: 2, subsetSize: 1 },
    { domain: 3, subsetSize: 1 },
    { domain: 3, subsetSize: 2 },
    { domain: 4, subsetSize: 2 },
    { domain: 5, subsetSize: 4 },
  ]),
  'local-hash': categories(localHashing, () => [
    { domain: 2, hashRange: 2 },
    { domain: 3, hashRange: 2 },
    { domain: 3, hashRange: 3 },
    { domain: 3, hashRange: 5 },
  ]),
  hadamard: categories(
    hadamard,
    () => [
      { order: 4 },
      { order: 8 },
      { order: 8, blocks: 2 },
      { order: 8, blocks: 4 },
      { order: 16, blocks: 2 },
    ],
    {
      "all others hold the value whose row is the product of the victim's": claim(
        (first, second, others) =>
          THIRD_VALUE(first, second, others) && others.every((x) => product(first, second, x)),
      ),
      'all others hold a value with an independent row': claim(
        (first, second, others) =>
          THIRD_VALUE(first, second, others) && others.every((x) => !product(first, second, x)),
      ),
      'all others hold a value of a third block': claim(THIRD_VALUE, false),
      "all others hold another value of the block of the victim's first": claim(
        (first, second, others, { order, blocks }) => {
          const block = (value: number): number => Math.floor(value / valuesListed(order! / blocks!));
          return (
            THIRD_VALUE(first, second, others) &&
            block(first) !== block(second) &&
            others.every((value) => [block(first), block(second)].includes(block(value)))
          );
        },
      ),
      "all others hold the victim's first value": claim(FIRST_VALUE),
    },
  ),
};
