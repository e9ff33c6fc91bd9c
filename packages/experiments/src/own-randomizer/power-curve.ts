/** What the best test of two laws can do (Neyman and Pearson). */

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
    let low = 0;
    let high = sizes.length - 1;
    if (size >= sizes[high]!) return powers[high]!;
    // The last corner that is no larger than `size`.
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sizes[middle]! <= size) low = middle;
      else high = middle;
    }
    const width = sizes[high]! - sizes[low]!;
    return powers[low]! + ((size - sizes[low]!) / width) * (powers[high]! - powers[low]!);
  };
}
