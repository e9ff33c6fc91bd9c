/**
 * Named clean-ups of unbiased estimates. They bias, which is why a config must ask for them and every row
 * says so.
 */
import type { Postprocessing } from '../config/schema.ts';
import type { EstimateLimits } from '../kinds/data-kind.ts';

/**
 * 'clip': every estimate to the nearer limit, as frequencies into [0, 1]. 'project-simplex': the nearest
 * vector (in squared distance) with frequencies in [0, infinity) and the sum of the true ones. A new array,
 * or the given one for 'none'.
 */
export function postprocessEstimate(
  estimate: Float64Array,
  step: Postprocessing,
  { low, high, sum = 1, missed }: EstimateLimits,
): Float64Array {
  switch (step) {
    case 'none':
      return estimate;
    case 'clip':
      return estimate.map((value, i) =>
        value === missed ? value : Math.min(limitOf(high, i), Math.max(limitOf(low, i), value)),
      );
    case 'project-simplex':
      return projectToSimplex(estimate, sum);
  }
}

function limitOf(limit: EstimateLimits['low'], i: number): number {
  return typeof limit === 'number' ? limit : limit[i]!;
}

/** Subtracts from all entries the one threshold that leaves the positive parts with the given sum. */
function projectToSimplex(estimate: Float64Array, sum: number): Float64Array {
  const sorted = estimate.toSorted().reverse();
  let total = 0;
  let threshold = 0;
  for (let i = 0; i < sorted.length; i++) {
    total += sorted[i]!;
    const candidate = (total - sum) / (i + 1);
    if (sorted[i]! > candidate) threshold = candidate;
  }
  return estimate.map((frequency) => Math.max(0, frequency - threshold));
}
