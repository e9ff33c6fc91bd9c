/**
 * Renyi differential privacy of one shuffled round: Girgis, Data, Diggavi, Suresh and Kairouz, "On the Renyi
 * Differential Privacy of the Shuffle Model" (CCS 2021, arXiv 2105.05180), for integer orders, converted by
 * epsilon = R(order) + log(1/delta) / (order - 1). With p = e^epsilon0 and m = floor((n-1)/(2p)) + 1,
 *
 *     (order - 1) R <= log( 1 + C(order, 2) (p-1)^2 / (m p)
 *                     + sum over i = 3..order of C(order, i) i Gamma(i/2) ((p^2-1)^2 / (2 p^2 m))^(i/2)
 *                     + (1 + (p^2-1)/p)^order e^(-(n-1)/(8p)) ) .
 */
import {
  logAdd,
  logBinomialCoefficient,
  logGamma,
  Real,
  requireInteger,
  requirePositive,
} from '@shuffle-dp/core';
import {
  atClosedForm,
  condition,
  shown,
  type ClosedForm,
  type PublishedBound,
  type ShuffleSetting,
} from './published-bound.ts';

const LARGEST_ORDER = 4096;

/**
 * Upper bound of the Renyi divergence of the given integer order >= 2, in nats.
 *
 * @throws ParameterError
 * @example shuffledRenyiDivergence(1, 1000, 2) // 0.0058857
 */
export function shuffledRenyiDivergence(epsilon0: number, users: number, order: number): number {
  requirePositive('epsilon0', epsilon0);
  requireInteger('users', users, 1);
  requireInteger('order', order, 2, LARGEST_ORDER);
  const p = Real.exp(epsilon0);
  const clones = Math.floor((users - 1) / (2 * p)) + 1;
  const logGrowth = 2 * Real.log(Real.expm1(epsilon0)) - Real.log(clones) - epsilon0;
  let log = logAdd(0, logBinomialCoefficient(order, 2) + logGrowth);
  const logStep = Real.log(2 * Real.sinh(epsilon0)) - 0.5 * Real.log(2 * clones);
  for (let i = 3; i <= order; i++) {
    const term = logBinomialCoefficient(order, i) + Real.log(i) + logGamma(i / 2) + i * logStep;
    log = logAdd(log, term);
  }
  const fewClones = order * Real.log1p(2 * Real.sinh(epsilon0)) - (users - 1) / (8 * p);
  return logAdd(log, fewClones) / (order - 1);
}

/** Orders to try: all small ones, then ever wider steps; any order gives a valid bound. */
const ORDERS: readonly number[] = (() => {
  const orders: number[] = [];
  for (let order = 2; order <= LARGEST_ORDER; order = Math.max(order + 1, Math.floor(order * 1.08)))
    orders.push(order);
  return orders;
})();

/** Divergences by order: a search over delta asks for the same ones again and again. */
const knownDivergences = new WeakMap<ShuffleSetting, Map<number, number>>();

function divergenceOf(setting: ShuffleSetting, order: number): number {
  const known = knownDivergences.get(setting) ?? new Map<number, number>();
  knownDivergences.set(setting, known);
  const value = known.get(order) ?? shuffledRenyiDivergence(setting.epsilon0, setting.users, order);
  known.set(order, value);
  return value;
}

const form: ClosedForm = {
  conditions: ({ epsilon0 }) => [
    condition('a finite epsilon0 of at most 300', `epsilon0 = ${shown(epsilon0)}`, epsilon0 <= 300),
  ],
  epsilon: (setting, delta) => {
    let best = Infinity;
    for (const order of ORDERS) {
      // Past the best order the bound explodes.
      const value = divergenceOf(setting, order) - Real.log(delta) / (order - 1);
      if (value > 2 * best) break;
      best = Math.min(best, value);
    }
    return best;
  },
};

export const renyiBound: PublishedBound = {
  name: 'renyi',
  direction: 'upper',
  source: 'Girgis et al. 2021, integer orders, converted',
  citation: 'girgis2021',
  verdict: () => ({
    sound: 'unproven',
    reason: "the paper's proof was not re-derived here; no violation is known",
  }),
  at: (setting, target) => atClosedForm(form, setting, target),
};
