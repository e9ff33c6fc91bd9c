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
  onceEachObject,
  Real,
  requireInteger,
  requirePositive,
} from '@shuffle-dp/core';
import {
  atClosedForm,
  boundedBudget,
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
  const summands = summandsOf(epsilon0, users);
  let log = logAdd(0, logBinomialCoefficient(order, 2) + summands.logGrowth);
  let last = -Infinity;
  for (let i = 3; i <= order; i++) {
    const term = logTerm(order, i, summands.logStep);
    const sum = logAdd(log, term);
    // Terms rise and then fall, by a factor that itself falls: after one that falls and adds nothing, none
    // adds anything.
    if (sum === log && term < last) break;
    log = sum;
    last = term;
  }
  return logAdd(log, fewClones(order, summands)) / (order - 1);
}

/** What the summands at all orders are made of. */
interface Summands {
  readonly logGrowth: number;
  readonly logStep: number;
  readonly logFew: number;
  readonly fewNats: number;
}

function summandsOf(epsilon0: number, users: number): Summands {
  const p = Real.exp(epsilon0);
  const clones = Math.floor((users - 1) / (2 * p)) + 1;
  return {
    logGrowth: 2 * Real.log(Real.expm1(epsilon0)) - Real.log(clones) - epsilon0,
    logStep: Real.log(2 * Real.sinh(epsilon0)) - 0.5 * Real.log(2 * clones),
    logFew: Real.log1p(2 * Real.sinh(epsilon0)),
    fewNats: (users - 1) / (8 * p),
  };
}

/** The i-th summand, in logs. */
const logTerm = (order: number, i: number, logStep: number): number =>
  logBinomialCoefficient(order, i) + Real.log(i) + logGamma(i / 2) + i * logStep;

const fewClones = (order: number, { logFew, fewNats }: Summands): number => order * logFew - fewNats;

/** No more than the divergence of this order: of the two large summands only the larger. */
function leastDivergence(order: number, summands: Summands): number {
  // From one to the next terms change by about (order - i) e^logStep / sqrt(2 i), which is 1 at the largest
  // of them.
  const spread = Real.exp(-2 * summands.logStep);
  const largest = (order * order) / (order + spread + Math.sqrt(spread) * Math.sqrt(spread + 2 * order));
  const i = Math.max(3, Math.min(order, Math.round(largest)));
  const term = order < 3 ? 0 : logTerm(order, i, summands.logStep);
  return Math.max(0, term, fewClones(order, summands)) / (order - 1);
}

/** Orders to try: all small ones, then ever wider steps; any order gives a valid bound. */
const ORDERS: readonly number[] = (() => {
  const orders: number[] = [];
  for (let order = 2; order <= LARGEST_ORDER; order = Math.max(order + 1, Math.floor(order * 1.08)))
    orders.push(order);
  return orders;
})();

/** What is known of a setting, by orders: a search over delta asks for the same ones again and again. */
interface KnownDivergences {
  /** Lower ends. */
  readonly least: Float64Array;
  /** Not a number until it is asked for. */
  readonly exact: Float64Array;
}

const knownOf = onceEachObject(({ epsilon0, users }: ShuffleSetting): KnownDivergences => {
  const summands = summandsOf(epsilon0, users);
  return {
    least: Float64Array.from(ORDERS, (order) => leastDivergence(order, summands)),
    exact: new Float64Array(ORDERS.length).fill(NaN),
  };
});

const form: ClosedForm = {
  conditions: (setting) => [boundedBudget(setting)],
  epsilon: (setting, delta) => {
    const { least, exact } = knownOf(setting);
    const nats = -Real.log(delta);
    let best = Infinity;
    for (const [index, order] of ORDERS.entries()) {
      // Past the best order the bound explodes; the sums of many terms are spared where one term is too much.
      const conversion = nats / (order - 1);
      const atLeast = least[index]! + conversion;
      if (atLeast > 2 * best) break;
      if (atLeast > best) continue;
      if (Number.isNaN(exact[index]!))
        exact[index] = shuffledRenyiDivergence(setting.epsilon0, setting.users, order);
      best = Math.min(best, exact[index]! + conversion);
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
