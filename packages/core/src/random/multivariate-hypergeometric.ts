/** Exact multivariate hypergeometric draws by conditional ones: one a category, whatever the draws. */
import { sampleHypergeometric } from './hypergeometric.ts';
import type { RandomStream } from './random-stream.ts';

/**
 * Of which category so many items are, taken without replacement.
 *
 * @param counts items of each category, whole numbers of at least 0
 * @throws ParameterError for more draws than items
 * @example sampleMultivariateHypergeometric([30, 70], 10, RandomStream.fromSeed('example')) // [1, 9]
 */
export function sampleMultivariateHypergeometric(
  counts: ArrayLike<number>,
  draws: number,
  stream: RandomStream,
): Float64Array {
  const taken = new Float64Array(counts.length);
  let others = 0;
  for (let i = 0; i < counts.length; i++) others += counts[i]!;
  let left = draws;
  for (let i = 0; i < counts.length && left > 0; i++) {
    others -= counts[i]!;
    taken[i] = sampleHypergeometric(counts[i]!, others, left, stream);
    left -= taken[i]!;
  }
  return taken;
}

/**
 * Items dealt by lot into groups of these sizes, group after group of those that are left: of which category
 * each group's items are.
 *
 * @param counts as of `sampleMultivariateHypergeometric` @param sizes add up to at most all items
 * @throws ParameterError where they add up to more
 * @example dealCounts([30, 70], [10, 90], RandomStream.fromSeed('example')) // [[1, 9], [29, 61]]
 */
export function dealCounts(
  counts: ArrayLike<number>,
  sizes: readonly number[],
  stream: RandomStream,
): Float64Array[] {
  const left = Float64Array.from(counts);
  return sizes.map((size) => {
    const dealt = sampleMultivariateHypergeometric(left, size, stream);
    dealt.forEach((count, i) => (left[i]! -= count));
    return dealt;
  });
}
