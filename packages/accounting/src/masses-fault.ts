/**
 * Whether hand-made masses can be what they are said to be: those of two values of the victim, and what every
 * other user is sure to send, or the law of one value that all others hold. Formula F1 gives a number for any
 * masses, and it bounds nothing where these are no laws, or no blanket.
 */
import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { MASS_ROUNDING } from './require-masses.ts';

/** Of masses, and of their ratios. */
const TOLERANCE = 1e-9;
/** Rounding of a mass, such as that of 1 - p for p near 1. */
const ROUNDING = 1e-15;

/**
 * What `others` are: what every other user is sure to send, the law of one value, or messages that depend on
 * nobody's data, which no mass of the victim's bounds.
 */
export type OthersAre = 'blanket' | 'law' | 'messages';

/**
 * What is wrong with masses, as what they must have: 'masses in [0, 1], not …'. Null where nothing is.
 *
 * @example massesFault({ label: '', victim0: Float64Array.of(0.7, 0.3), victim1: Float64Array.of(0.3, 0.7), others: Float64Array.of(0.4, 0.3), symmetric: true }, 'blanket') // 'others no larger than the victim's masses, not 0.4 beside 0.7 and 0.3'
 */
export function massesFault(atoms: LikelihoodAtoms, othersAre: OthersAre): string | null {
  const { victim0, victim1, others, symmetric, cellEnds } = atoms ?? {};
  const isBlanket = othersAre === 'blanket';
  for (const [name, masses] of Object.entries({ victim0, victim1, others })) {
    if (!(masses instanceof Float64Array) || masses.length === 0 || masses.length !== victim0.length)
      return 'victim0, victim1 and others as Float64Arrays of one length';
    let sum = 0;
    for (const mass of masses) {
      if (!(mass >= 0 && mass <= 1 + TOLERANCE)) return `masses in [0, 1], not ${mass} in ${name}`;
      sum += mass;
    }
    const atMost = othersAre !== 'law' && name === 'others';
    if (atMost ? sum > 1 + MASS_ROUNDING : Math.abs(sum - 1) > MASS_ROUNDING)
      return `masses ${name} that sum to ${atMost ? 'at most ' : ''}1, not ${sum}`;
  }
  for (let i = 0; i < victim0.length; i++) {
    const [first, second] = [victim0[i]!, victim1[i]!];
    // Others may hold the victim's values too. Within a cell of a continuous output space the infimum may be
    // anywhere.
    if (isBlanket && !cellEnds && others[i]! > Math.min(first, second) * (1 + TOLERANCE) + ROUNDING)
      return `others no larger than the victim's masses, not ${others[i]} beside ${first} and ${second}`;
  }
  if (isBlanket && symmetric && !cellEnds && !looksSymmetric(atoms))
    return 'symmetric only where exchanging the victim’s values permutes the atoms';
  return null;
}

type ProductOf = (first: number, second: number, others: number) => number;

/** Products of an atom's masses: of the victim's values, and of what others send. */
const PRODUCTS: readonly ProductOf[] = [
  (a) => a * a,
  (a, b) => a * a * b,
  (a, _b, w) => a * w,
  (a, _b, w) => a * w * w,
  (a, _b, w) => a * a * w,
  (a, b, w) => a * a * b * w,
];

/**
 * Whether sums of products stay when the victim's values are exchanged, as they do where that but permutes
 * the atoms.
 */
function looksSymmetric({ victim0, victim1, others }: LikelihoodAtoms): boolean {
  return PRODUCTS.every((product) => {
    let [sum, exchanged] = [0, 0];
    for (let i = 0; i < victim0.length; i++) {
      const [a, b, w] = [victim0[i]!, victim1[i]!, others[i]!];
      sum += product(a, b, w);
      exchanged += product(b, a, w);
    }
    return Math.abs(sum - exchanged) <= 1e-6 * Math.max(sum, exchanged);
  });
}
