/**
 * Hiding among clones. Clone: Feldman, McMillan and Talwar (FOCS 2021, arXiv 2012.12803), any epsilon0-LDP
 * randomizer: with probability e^-epsilon0 another user sends a copy of one of the victim's two messages.
 * Stronger clone: the same authors (SODA 2023, arXiv 2208.04591), with probability 2/(e^epsilon0 + 1).
 *
 * The stronger clone's published proof has a gap (the authors' erratum to Lemma 3.5: not every R_x contains
 * the mixture (R_0 + R_1)/(e^epsilon0 + 1)). Its number is nevertheless an upper bound for every epsilon0-LDP
 * randomizer: it is the largest of the corrected variation-ratio cells, see corrected-variation-ratio.ts.
 *
 * Numerical versions evaluate the pair exactly; q is what makes the variation-ratio pair the clones' pair.
 */
import { Real, requireNonNegative, type VariationRatio, type Target } from '@shuffle-dp/core';
import { variationRatioDivergence, variationRatioEpsilon } from '../variation-ratio/variation-ratio.ts';
import {
  boundedBudget,
  comparison,
  provedBound,
  soundBound,
  underConditions,
  type ClosedForm,
  type PublishedBound,
  type Said,
} from './published-bound.ts';

const cloneForm: ClosedForm = {
  conditions: ({ epsilon0, users }, delta) => {
    const limit = Real.log(users / (16 * Real.log(2 / delta)));
    return [comparison('epsilon0 <= log(n / (16 log(2/delta)))', epsilon0, limit, epsilon0 <= limit)];
  },
  epsilon: ({ epsilon0, users }, delta) => {
    const p = Real.exp(epsilon0);
    const spread = 8 * Math.sqrt((p * Real.log(4 / delta)) / users) + (8 * p) / users;
    return Real.log1p(Real.tanh(epsilon0 / 2) * spread);
  },
};

const strongerCloneForm: ClosedForm = {
  conditions: ({ epsilon0, users }, delta) => {
    const limit = Real.log(Math.max(0, users / (8 * Real.log(2 / delta)) - 1));
    return [comparison('epsilon0 <= log(n / (8 log(2/delta)) - 1)', epsilon0, limit, epsilon0 <= limit)];
  },
  epsilon: ({ epsilon0, users }, delta) => {
    const p = Real.exp(epsilon0);
    const spread = 4 * Math.sqrt((2 * Real.log(4 / delta)) / ((p + 1) * users)) + 4 / users;
    return Real.log1p(Real.expm1(epsilon0) * spread);
  },
};

/**
 * The clones' pair: p = e^epsilon0, beta = (p-1)/(p+1), q = 2 p^2 / (p+1), so that r = 1/(2p).
 *
 * @example clonePair(1) // { p: 2.71828, pMinusOne: 1.71828, beta: 0.462117, q: 3.97445 }
 */
export function clonePair(epsilon0: number): VariationRatio {
  const p = Real.exp(epsilon0);
  return { ...strongerClonePair(epsilon0), q: (2 * p * p) / (p + 1) };
}

/**
 * The stronger clones' pair: q = p, so that r = 1/(p+1).
 *
 * @example strongerClonePair(1) // { p: 2.71828, pMinusOne: 1.71828, beta: 0.462117, q: 2.71828 }
 */
export function strongerClonePair(epsilon0: number): VariationRatio {
  const p = Real.exp(requireNonNegative('epsilon0', epsilon0));
  return { p, pMinusOne: Real.expm1(epsilon0), beta: Real.tanh(epsilon0 / 2), q: p };
}

/** The upper end of an exactly evaluated pair. */
export function atPair(pair: VariationRatio, users: number, target: Target): number {
  return 'delta' in target
    ? variationRatioEpsilon(pair, users, target.delta, 'coarse').upper
    : variationRatioDivergence(pair, users, target.epsilon, 'coarse').upper;
}

/**
 * What the delta of either clone bound grows by where the users' randomizers are (epsilon0,
 * localDelta)-private: (e^epsilon + 1)(1 + e^-epsilon0 / 2) n localDelta (Feldman et al. 2021, Theorem 3.8).
 */
export function localDeltaTerm(
  epsilon: number,
  {
    epsilon0,
    localDelta,
    users,
  }: { readonly epsilon0: number; readonly localDelta: number; readonly users: number },
): number {
  return (Real.exp(epsilon) + 1) * (1 + Real.exp(-epsilon0) / 2) * users * localDelta;
}

/** The upper end of the pair of a budget, evaluated exactly. */
function numericalBound(said: Said, pairOf: (epsilon0: number) => VariationRatio): PublishedBound {
  return soundBound(said, (setting, target) =>
    underConditions([boundedBudget(setting)], () => atPair(pairOf(setting.epsilon0), setting.users, target)),
  );
}

export const strongerCloneBound = numericalBound(
  { name: 'stronger-clone', source: 'Feldman et al. 2023, numerical', citation: 'fmt2023' },
  strongerClonePair,
);

export const cloneBounds: readonly PublishedBound[] = [
  provedBound(
    { name: 'clone-closed', source: 'Feldman et al. 2021, Theorem 3.1', citation: 'fmt2021' },
    cloneForm,
  ),
  numericalBound({ name: 'clone', source: 'Feldman et al. 2021, numerical', citation: 'fmt2021' }, clonePair),
  provedBound(
    { name: 'stronger-clone-closed', source: 'Feldman et al. 2023, closed form', citation: 'fmt2023' },
    strongerCloneForm,
  ),
  strongerCloneBound,
];
