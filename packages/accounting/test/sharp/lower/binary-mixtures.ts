import { binomialPmf } from '@shuffle-dp/core';

/**
 * The exact divergence of binary randomized response, the truth told with this probability, where so many of
 * the others hold one and the rest zero: the larger of both orders.
 */
export function mixtureDivergence(truth: number, zeros: number, ones: number, epsilon: number): number {
  const others = new Float64Array(zeros + ones + 1);
  const fromZeros = Float64Array.from({ length: zeros + 1 }, (_, k) => binomialPmf(k, zeros, 1 - truth));
  const fromOnes = Float64Array.from({ length: ones + 1 }, (_, k) => binomialPmf(k, ones, truth));
  for (let i = 0; i <= zeros; i++) {
    if (fromZeros[i]! < 1e-30) continue;
    for (let j = 0; j <= ones; j++) others[i + j]! += fromZeros[i]! * fromOnes[j]!;
  }
  // The victim's message is one with this probability.
  const countLaw = (one: number): Float64Array =>
    Float64Array.from(
      { length: others.length + 1 },
      (_, k) => (others[k] ?? 0) * (1 - one) + (k > 0 ? others[k - 1]! * one : 0),
    );
  const [zero, one] = [countLaw(1 - truth), countLaw(truth)];
  const growth = Math.exp(epsilon);
  let [forward, backward] = [0, 0];
  for (let k = 0; k < zero.length; k++) {
    forward += Math.max(0, zero[k]! - growth * one[k]!);
    backward += Math.max(0, one[k]! - growth * zero[k]!);
  }
  return Math.max(forward, backward);
}
