/** A score that is learnt where no likelihood is stated: from what the victim's two inputs say, and from how much it varies. */
import { linearDiscriminant, meanOf } from './linear-discriminant.ts';

/**
 * The discriminant of features, their squares and their products, learnt from points of both worlds; it speaks for the first one. What it is worth
 * only other trials can tell.
 * @param first, second points of equally many features, at least two of each
 */
export function learnedScore(
  first: readonly Float64Array[],
  second: readonly Float64Array[],
): (features: Float64Array) => number {
  const all = [...first, ...second];
  const means = meanOf(all);
  const deviations = meanOf(all.map((point) => point.map((value, i) => (value - means[i]!) ** 2))).map(
    (square) => Math.sqrt(square) || 1,
  );
  const expanded = (features: Float64Array): Float64Array =>
    withProducts(features.map((value, i) => (value - means[i]!) / deviations[i]!));
  const weights = linearDiscriminant(first.map(expanded), second.map(expanded));
  return (features) => expanded(features).reduce((sum, value, i) => sum + value * weights[i]!, 0);
}

function withProducts(features: Float64Array): Float64Array {
  const products = Array.from(features).flatMap((value, i) =>
    Array.from(features.subarray(i), (other) => value * other),
  );
  return Float64Array.of(...features, ...products);
}
