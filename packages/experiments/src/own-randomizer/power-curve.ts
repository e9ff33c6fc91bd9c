/** What the best test of two laws can do (Neyman and Pearson). */
import { lastWhere } from '@shuffle-dp/core';

/**
 * Of all tests that reject `second` with a given probability, the largest probability under `first`. Both are
 * masses of the same atoms.
 */
export function powerCurve(first: Float64Array, second: Float64Array): (size: number) => number {
  // An atom without mass has no ratio by which it could be put in order.
  const order = Array.from(first.keys())
    .filter((atom) => first[atom]! > 0 || second[atom]! > 0)
    .sort((a, b) => first[b]! * second[a]! - first[a]! * second[b]!);
  // Corners of the curve, by size; between them tests are mixed.
  const sizes = [0];
  const powers = [0];
  for (const atom of order) {
    sizes.push(sizes.at(-1)! + second[atom]!);
    powers.push(powers.at(-1)! + first[atom]!);
  }
  return (size) => {
    const last = sizes.length - 1;
    if (size >= sizes[last]!) return powers[last]!;
    const corner = lastWhere(0, last, (i) => sizes[i]! <= size);
    const share = (size - sizes[corner]!) / (sizes[corner + 1]! - sizes[corner]!);
    return powers[corner]! + share * (powers[corner + 1]! - powers[corner]!);
  };
}
