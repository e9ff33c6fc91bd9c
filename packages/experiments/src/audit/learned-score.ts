/**
 * A score that is learnt where no likelihood is stated: from what the victim's two inputs say, and from how
 * much it varies.
 */

/**
 * The discriminant of features, their squares and their products, learnt from points of both worlds; it
 * speaks for the first one. What it is worth only other trials can tell.
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

/** Of the mean variance, added to every variance: directions in which nothing varies would decide alone. */
const RIDGE = 1e-3;

/**
 * The weights w of the score w·x that is large for points like the first ones: (S + r) w = m0 - m1 with the
 * clouds' pooled covariance S and a ridge r: the direction in which two clouds of points lie furthest apart
 * (R. A. Fisher, 1936).
 * @param first, second points of equally many coordinates, at least two of each
 */
export function linearDiscriminant(
  first: readonly Float64Array[],
  second: readonly Float64Array[],
): Float64Array {
  const size = first[0]!.length;
  const means = [first, second].map((points) => meanOf(points));
  const pooled = Array.from({ length: size }, () => new Float64Array(size));
  [first, second].forEach((points, world) => {
    for (const point of points)
      for (let i = 0; i < size; i++)
        for (let j = 0; j < size; j++)
          pooled[i]![j]! +=
            ((point[i]! - means[world]![i]!) * (point[j]! - means[world]![j]!)) / points.length;
  });
  const ridge = (RIDGE * pooled.reduce((sum, row, i) => sum + row[i]!, 0)) / size;
  pooled.forEach((row, i) => (row[i]! += ridge + Number.MIN_VALUE));
  const apart = means[0]!.map((mean, i) => mean - means[1]![i]!);
  return solvedSymmetric(pooled, apart);
}

function meanOf(points: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(points[0]!.length);
  for (const point of points) point.forEach((value, i) => (sums[i]! += value));
  return sums.map((sum) => sum / points.length);
}

/** By Cholesky's decomposition; what has no variance at all gets no weight. */
function solvedSymmetric(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const lower = matrix.map((row) => Float64Array.from(row));
  const solution = right.slice();
  for (let j = 0; j < size; j++) {
    let pivot = lower[j]![j]!;
    for (let k = 0; k < j; k++) pivot -= lower[j]![k]! ** 2;
    const root = pivot > 0 ? Math.sqrt(pivot) : Infinity;
    lower[j]![j] = root;
    for (let i = j + 1; i < size; i++) {
      let value = lower[i]![j]!;
      for (let k = 0; k < j; k++) value -= lower[i]![k]! * lower[j]![k]!;
      lower[i]![j] = value / root;
    }
  }
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) solution[i]! -= lower[i]![k]! * solution[k]!;
    solution[i]! /= lower[i]![i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) solution[i]! -= lower[k]![i]! * solution[k]!;
    solution[i]! /= lower[i]![i]!;
  }
  return solution;
}
