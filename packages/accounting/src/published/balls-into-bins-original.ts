/**
 * The original analysis of balls into bins (Q. Luo, Y. Wang, K. Yi, "Frequency Estimation in the Shuffle
 * Model with Almost a Single Message", CCS 2022), with the constants that Wang et al. (PVLDB 17(8), 2024)
 * compare with in their Figure 4. A message in one of the s bins of its value is (epsilon, delta)-DP among
 *
 *     N >= 32 log(2/delta) d / (epsilon^2 s)
 *
 * uniform messages over d >= 2 s bins. It is stated for epsilon <= 1.
 *
 * It holds for epsilon <= 2. Write t = tanh(epsilon/2) >= 0.38 epsilon and L = log(2/delta). The number C of
 * uniform messages in the bins of the victim's two values has mean at least 64 L / epsilon^2, and by
 * Chernoff's inequality is below half of it with probability at most e^(-8 L / epsilon^2) <= (delta/2)^2. Of
 * C = c, the number A in those of the first value is Bin(c, 1/2), and the loss exceeds epsilon only where
 * A + 1 > (c+1) (1+t) / 2: by Hoeffding's inequality with probability at most e^(-(c t - 1)^2 / (2 c)). There
 * c t >= 6 L > 4, so that this is at most e^(-1.3 L) <= delta/2.
 */
import { Real, requirePositive, requireProbability } from '@shuffle-dp/core';
import { condition, provedBound, shown, type ClosedForm, type PublishedBound } from './published-bound.ts';

const CONSTANT = 32;
const LARGEST_EPSILON = 2;

/**
 * The number of uniform messages, a real number, that the analysis asks for; epsilon > 0 in nats, delta in
 * (0, 1], `binsPerValue` the quotient d / s. Beyond epsilon = 2 nothing is proved. @throws ParameterError
 *
 * @example ballsIntoBinsMessages(0.5, 1e-6, 16) // 29713.7
 */
export function ballsIntoBinsMessages(epsilon: number, delta: number, binsPerValue: number): number {
  requirePositive('epsilon', epsilon);
  requirePositive('delta', requireProbability('delta', delta));
  requirePositive('binsPerValue', binsPerValue);
  return (CONSTANT * Real.log(2 / delta) * binsPerValue) / (epsilon * epsilon);
}

/**
 * As a bound of a message that has the share s / d = 1 / `binsPerValue` of the bins; the setting's users are
 * the N + 1 messages.
 *
 * @example ballsIntoBinsBound(16).name // 'balls-into-bins-original'
 */
export function ballsIntoBinsBound(binsPerValue: number): PublishedBound {
  const form: ClosedForm = {
    conditions: ({ users }, delta) => {
      const least = ballsIntoBinsMessages(LARGEST_EPSILON, delta, binsPerValue);
      return [
        condition(
          'n - 1 >= 8 log(2/delta) d / s',
          `the two sides are ${users - 1} and ${shown(least)}`,
          users - 1 >= least,
        ),
      ];
    },
    epsilon: ({ users }, delta) => Math.sqrt((CONSTANT * Real.log(2 / delta) * binsPerValue) / (users - 1)),
  };
  return provedBound(
    { name: 'balls-into-bins-original', source: 'Luo et al. 2022, closed form', citation: 'luo2022' },
    form,
  );
}
