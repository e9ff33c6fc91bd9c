/**
 * Clones of users at distances: the general bound for metric privacy before the variation-ratio reduction (S.
 * Wang, J. Li et al., "Metric differential privacy in the shuffle model", 2023, by its clone probability as
 * S. Wang et al., PVLDB 17(8), 2024, section 4.3, state it).
 *
 * The victim's inputs a and b are told apart by at most p = e^d(a, b), and any other input c from them by at
 * most e^d(a, c) and e^d(b, c). The weighted mean of R_c >= e^-d(a, c) R_a and R_c >= e^-d(b, c) R_b with
 * equal parts is R_c >= r (R_a + R_b) for r = 1 / (e^d(a, c) + e^d(b, c)). Another user sends such a copy
 * with probability 2r, a and b alike often. R_a and R_b are binary randomized response of some pair of laws
 * (P. Kairouz, S. Oh and P. Viswanath, ICML 2015), of which the mean of copies has equal parts too. That is
 * the pair of the clones with this r.
 *
 * How far c is from a and from b follows from the space. Here both are the reach, which every space allows:
 * r = 1 / (2 e^reach).
 */
import { Real } from '@shuffle-dp/core';
import { atPair, strongerClonePair } from './clones.ts';
import { condition, shown, soundBound, underConditions, type ShuffleSetting } from './published-bound.ts';

/**
 * Whether others may be further from the victim's inputs than these from each other: else the clone of local
 * privacy says the same.
 */
export function isMetric({ amplification: { variationRatio } }: ShuffleSetting): boolean {
  return variationRatio !== null && variationRatio.q > variationRatio.p;
}

export const metricCloneBound = soundBound(
  {
    name: 'metric-clone',
    source: 'S. Wang et al. 2023, by its clone probability in Wang et al. 2024, section 4.3',
    citation: 'wang2024',
  },
  (setting, target) => {
    const { users, amplification } = setting;
    const metric = condition(
      'a metric whose reach exceeds the separation',
      isMetric(setting) ? 'given' : 'one budget for all pairs of inputs',
      isMetric(setting),
    );
    // Beyond, e^reach times p leaves the doubles.
    const reach = Real.log(amplification.variationRatio?.q ?? Infinity);
    const finite = condition('a reach of at most 300', `reach = ${shown(reach)}`, reach <= 300);
    return underConditions([metric, finite], () => {
      const { p, pMinusOne = p - 1, q } = amplification.variationRatio!;
      // Not the logarithm of p, which has lost digits of a small separation.
      const separation = Real.log1p(pMinusOne);
      // With beta = (p - 1) / (p + 1) nothing of the victim is beside alpha and p alpha; q makes alpha p / q
      // the clones' r.
      return atPair({ ...strongerClonePair(separation), q: (2 * p * q) / (p + 1) }, users, target);
    });
  },
);
