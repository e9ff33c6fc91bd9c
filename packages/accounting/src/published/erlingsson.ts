/**
 * The first amplification theorem: Erlingsson, Feldman, Mironov, Raghunathan, Talwar and Thakurta (SODA 2019,
 * arXiv 1811.12469). For epsilon0 < 1/2, n >= 1000 and delta < 1/100 the shuffled messages are (12 epsilon0
 * sqrt(log(1/delta) / n), delta)-DP. A ceiling today: every later bound is smaller.
 */
import { Real } from '@shuffle-dp/core';
import { condition, provedBound, shown, type ClosedForm } from './published-bound.ts';

const form: ClosedForm = {
  conditions: ({ epsilon0, users }, delta) => [
    condition('epsilon0 < 1/2', `epsilon0 = ${shown(epsilon0)}`, epsilon0 < 0.5),
    condition('n >= 1000', `n = ${users}`, users >= 1000),
    condition('delta < 1/100', `delta = ${shown(delta)}`, delta < 0.01),
  ],
  epsilon: ({ epsilon0, users }, delta) => 12 * epsilon0 * Math.sqrt(-Real.log(delta) / users),
};

export const erlingssonBound = provedBound(
  { name: 'erlingsson', source: 'Erlingsson et al. 2019, closed form', citation: 'efmrtt2019' },
  form,
  0.01 * (1 - 1e-12),
);
