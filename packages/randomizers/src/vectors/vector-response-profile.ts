/**
 * What the messages of sampled vector randomized response tell: their laws by how many bits agree with a
 * vector.
 */
import {
  binomialCoefficient,
  Real,
  type AmplificationProfile,
  type LikelihoodAtoms,
  type OtherInput,
  type TypedInputs,
  type TypedPair,
} from '@shuffle-dp/core';
import { likelihoodAtoms, type Atom } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { profileOnDemand } from '../laws/profile-on-demand.ts';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';

/**
 * The victim's two vectors differ everywhere. That is the worst pair: the message's ratio to the blanket has
 * the same law for every vector, and those of opposite vectors are opposed, which puts the loss above that of
 * any other pair in convex order. Atoms by the number of bits that agree with the first vector; the
 * coordinates tell nothing.
 *
 * @param keep r. @param flip 1 - r, given beside it because one of them has few digits where the other is
 * near 1 or the budget was rounded. @param epsilon0 sampled * log(keep / flip)
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
  const law = Array.from({ length: sampled + 1 }, (_, k) => binomialCoefficient(sampled, k) * word(k));
  let beta = 0;
  for (let k = Math.floor(sampled / 2) + 1; k <= sampled; k++)
    beta += law[k]! * -Real.expm1(-(2 * k - sampled) * perBit);
  // Every word has probability at least (1-r)^s.
  const blanket = law.map((mass, k): Atom => [
    mass,
    law[sampled - k]!,
    binomialCoefficient(sampled, k) * word(0),
  ]);
  const silent = -Real.expm1(sampled * Real.log1p(-Real.tanh(perBit / 2)));
  const same = law.map((mass, k): Atom => [mass, law[sampled - k]!, mass]);
  return profileOnDemand(localRatios(epsilon0, beta), {
    // The blanket has the mass (2 flip)^s = (1 - (keep - flip))^s.
    blanket: () => [likelihoodAtoms('opposite vectors', blanket, true, silent)],
    homogeneous: () => [
      ...(dimensions > 1 ? [halfAgreeing(dimensions, sampled, word)] : []),
      likelihoodAtoms("all others hold the victim's first vector", same, false),
    ],
    ...(sampled === dimensions &&
      dimensions <= MOST_TYPED_BITS && { typed: () => typedInputs(dimensions, word) }),
  });
}

/** More bits have hundreds of types. */
const MOST_TYPED_BITS = 8;

/**
 * Two vectors of the victim by how many bits they differ in, the worst first, and for the others a vector by
 * on how many of these it agrees with the first, and on how many of the rest with both. Atoms by how many
 * bits of the message agree with each of the three vectors.
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
 * @param regions numbers of bits on which the third vector agrees with the first of two only, with the second
 *   only, with both, and with neither
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
          const ways =
            binomialCoefficient(first, a) *
            binomialCoefficient(second, b) *
            binomialCoefficient(both, c) *
            binomialCoefficient(neither, d);
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

/**
 * Of a word that agrees with the sender's in so many bits, as powers: the exponential of a sum of logarithms
 * has fewer digits.
 */
function wordProbability(sampled: number, keep: number, flip: number): (agreeing: number) => number {
  return (agreeing) => Real.power(keep, agreeing) * Real.power(flip, sampled - agreeing);
}

/** Probability that of a + b different coordinates a are from the first so many and b from the second. */
function chanceOfSplit(first: number, second: number, a: number, b: number): number {
  let chance = binomialCoefficient(a + b, a);
  for (let i = 0; i < a; i++) chance *= (first - i) / (first + second - i);
  for (let j = 0; j < b; j++) chance *= (second - j) / (first + second - a - j);
  return chance;
}

/**
 * All others hold a vector that is the victim's first on half of the coordinates and the second elsewhere.
 * Atoms by how many of the sent coordinates are from the first half, and how many bits agree with the first
 * vector on either half.
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
    const chosen = chanceOfSplit(half, dimensions - half, a, b);
    for (let i = 0; i <= a; i++) {
      for (let j = 0; j <= b; j++) {
        const ways = chosen * binomialCoefficient(a, i) * binomialCoefficient(b, j);
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
