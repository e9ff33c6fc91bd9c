/** The exact divergence of a sum with discrete Laplace noise that one user moves. */
import { Real, requireInteger, requireNonNegative, requirePositive } from '@shuffle-dp/core';

/**
 * D(N + k, N) at epsilon for noise of mass proportional to e^(-design |v| / k), k = `shift`: both orders are
 * alike, smaller shifts have less, and at `design` it is 0. The loss at v is design (2 v - k) / k between 0
 * and k, so that with w the least v of a loss above epsilon it is [1 - e^epsilon a^w + a
 * (1 - a^(k-w))] / (1 + a), a = e^(-design / k).
 * @throws ParameterError
 * @example discreteLaplaceDivergence(1, 1, 0.5) // 0.287649
 */
export function discreteLaplaceDivergence(design: number, shift: number, epsilon: number): number {
  requirePositive('design', design);
  requireInteger('shift', shift, 1);
  requireNonNegative('epsilon', epsilon);
  if (epsilon >= design) return 0;
  const least = Math.min(shift, Math.floor((shift * (1 + epsilon / design)) / 2) + 1);
  const step = design / shift;
  const ratio = Real.exp(-step);
  const first = -Real.expm1(epsilon - step * least);
  const rest = -ratio * Real.expm1(-step * (shift - least));
  return (first + rest) / (1 + ratio);
}
