/**
 * The original analysis of randomized response over D levels of which a user sends a uniform one with
 * probability g (B. Balle, J. Bell, A. Gascón, K. Nissim, "The Privacy Blanket of the Shuffle Model", CRYPTO
 * 2019, Theorem 3.1): after shuffling it is (epsilon, delta)-DP for epsilon <= 1 where
 *
 *     g >= max(14 D log(2/delta) / ((n-1) epsilon^2), 27 D / ((n-1) epsilon)) .
 *
 * It holds. Let the victim tell the truth, which is the worst (the divergence is convex and vanishes where
 * the level is uniform). The uniform levels of the others are A, B ~ Bin(n-1, g/D) at the victim's two
 * levels, of mean c >= max(14 L / epsilon^2, 27 / epsilon), L = log(2/delta); the others' own levels are
 * given away. The loss exceeds epsilon only where (A+1)/B > e^epsilon, so that
 *
 *     B < c e^(-epsilon/2), below its mean by a share of at least 0.393 epsilon: of probability at most e^(-c (0.393 epsilon)^2 / 2), or
 *     A > c e^(epsilon/2) - 1, above its mean by a share t >= epsilon/2 - epsilon/27 = 0.4629 epsilon: by Bernstein's inequality of
 *     probability at most e^(-c t^2 / (2 + 2t/3)), t <= 0.4629 being the worst.
 *
 * The exponents are at least 1.08 L and 1.29 L: each is at most delta/2.
 */
import { Real } from '@shuffle-dp/core';
import { condition, provedBound, shown, type ClosedForm, type PublishedBound } from './published-bound.ts';

const OF_SQUARE = 14;
const OF_FIRST_POWER = 27;

/** As a bound of randomized response with this local budget over so many levels. */
export function fixedPointBound(levels: number, epsilon0: number): PublishedBound {
  const inverse = Real.exp(-epsilon0);
  const uniform = (levels * inverse) / (1 + (levels - 1) * inverse);
  const epsilonAt = (users: number, delta: number): number => {
    // Uniform levels of one kind that the others send, on average.
    const mean = ((users - 1) * uniform) / levels;
    return Math.max(Math.sqrt((OF_SQUARE * Real.log(2 / delta)) / mean), OF_FIRST_POWER / mean);
  };
  const form: ClosedForm = {
    conditions: ({ users }, delta) => {
      const epsilon = epsilonAt(users, delta);
      return [condition('epsilon <= 1', `epsilon = ${shown(epsilon)}`, epsilon <= 1)];
    },
    epsilon: ({ users }, delta) => epsilonAt(users, delta),
  };
  return provedBound(
    { name: 'fixed-point-original', source: 'Balle et al. 2019, Theorem 3.1', citation: 'bbgn2019' },
    form,
  );
}
