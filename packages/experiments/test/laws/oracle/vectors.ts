/** Randomizers of vectors: directions on the circle, and words of bits. */
import { lawsFrom, range, sameInputs, wordsOf } from './finite-mechanism.ts';
import {
  budgeted,
  claim,
  FIRST_VALUE,
  listed,
  THIRD_VALUE,
  type Definition,
  type MechanismOracle,
} from './mechanism-oracle.ts';

/**
 * Bhowmick et al. 2018 on the circle: the cap is an arc, and directions that differ by whole sectors cut the
 * circle into arcs on which all laws are constant.
 */
const privUnit: Definition = ({ epsilon0, cap }, arithmetic) => {
  const likely = arithmetic.exp(epsilon0!);
  // Wide caps span several of eight sectors; narrow ones are a sector each, and most of the circle is in no
  // cap.
  const width = cap! > 0.3 ? cap! * 8 : 1;
  const sectors = cap! > 0.3 ? 8 : Math.min(5, Math.floor(1 / cap!));
  const sizes = range(sectors).map(() => arithmetic.of(cap! / width));
  const measures = [...sizes, arithmetic.one - sizes.reduce((sum, size) => sum + size, 0n)];
  return sameInputs(
    lawsFrom(
      range(sectors),
      range(measures.length),
      (start, y) => {
        const inside = y < sectors && (y - start + sectors) % sectors < width;
        return inside ? arithmetic.times(measures[y]!, likely) : measures[y]!;
      },
      arithmetic,
    ),
  );
};

/** Warner 1965 on every bit. */
const vectorResponse: Definition = ({ bits, keepProbability }, arithmetic) => {
  const keep = arithmetic.of(keepProbability!);
  const words = wordsOf(bits!, 2);
  return sameInputs(
    lawsFrom(
      words,
      words,
      (x, y) =>
        x.reduce(
          (weight, bit, i) => arithmetic.times(weight, bit === y[i] ? keep : arithmetic.one - keep),
          arithmetic.one,
        ),
      arithmetic,
    ),
  );
};

/** Bits in which two words differ, which are numbered by their bits. */
const distance = (first: number, second: number): number =>
  (first ^ second).toString(2).match(/1/gu)?.length ?? 0;

export const VECTOR_ORACLES: Readonly<Record<string, MechanismOracle>> = {
  'priv-unit': budgeted(
    privUnit,
    {
      // Named for narrow caps only: those of the listed sectors do not meet.
      'all others hold a third vector, its cap apart': claim(THIRD_VALUE),
      // Of wide caps: at angles that are no whole sectors.
      "all others are opposite to the middle of the victim's vectors": claim(THIRD_VALUE, false),
      "all others hold the victim's first vector": claim(FIRST_VALUE),
    },
    0,
    [{ cap: 0.25 }, { cap: 0.5 }, { cap: 0.125 }, { cap: 0.375 }, { cap: 1e-3 }, { cap: 1e-12 }],
  ),
  'vector-rr': {
    settings: (budget) =>
      [1, 2, 3]
        .map((bits) => ({ bits, keepProbability: 1 / (1 + Math.exp(-budget / bits)) }))
        .filter(({ keepProbability }) => keepProbability > 0.5 && keepProbability < 1),
    nats: ({ bits, keepProbability }) => -2 * bits! * Math.log1p(-keepProbability!),
    ...listed(vectorResponse),
    claims: {
      "all others agree with the victim's first vector on half of the coordinates": claim(
        (first, second, others, { bits }) =>
          distance(first, second) === bits &&
          others.every(
            (x) => x === others[0] && [distance(first, x), distance(second, x)].includes(bits >> 1),
          ),
      ),
      "all others hold the victim's first vector": claim(FIRST_VALUE),
    },
    missing: 0,
  },
};
