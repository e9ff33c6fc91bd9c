/**
 * The exact error of consistent leaves, given the data. They are linear in the estimates of the nodes; let L
 * fit leaves to what one level estimates, and nothing elsewhere, with total 0. At each level answer N of the
 * n users, chosen without replacement, by randomized response with gap g. For a quadratic form Q of the
 * leaves' errors and weights w of nodes let V(w) = sum_v w_v Q(L e_v) - Q(L w). With f the fractions of the
 * users in the nodes and u = other + g f, the law of a message,
 *
 *   E[Q] = E[1/N] sum over levels (V(u) / g^2 + V(f) / (n - 1)) - (sum_v f_v Q(e_v) - Q(f)) / (n - 1),
 *
 * the last term being of the leaves themselves: levels are answered by disjoint samples, whose deviations
 * cancel in part.
 */
import { type FrequencyOracle, onDemand } from '@shuffle-dp/core';
import { nodeSums, type Hierarchy } from './hierarchy.ts';
import { fitLeaves } from './node-estimates.ts';

/** The form is worked out for every node, each a pass over the tree: at this domain one to four seconds. */
const LARGEST_DOMAIN = 4096;

export interface LevelSampling {
  readonly users: number;
  /** E[1/N] of each level. */
  readonly inverse: number;
}

type QuadraticForm = (leaves: Float64Array) => number;

/** @returns the expected form of the errors for users with these leaves; null above 4,096 categories */
export function consistentError(
  tree: Hierarchy,
  oracles: readonly FrequencyOracle[],
  levelVariances: readonly number[],
  { users, inverse }: LevelSampling,
  form: QuadraticForm,
): (histogram: Float64Array) => number | null {
  const fit = (level: number, estimates: Float64Array): Float64Array =>
    fitLeaves(tree, levelVariances, level, estimates);
  const ofNodes = onDemand(() =>
    tree.levels.map(({ nodes }, h) => unitForms(nodes, (unit) => form(fit(h, unit)))),
  );
  const fittedOnes = onDemand(() =>
    tree.levels.map(({ nodes }, h) => fit(h, new Float64Array(nodes).fill(1))),
  );
  const ofLeaves = onDemand(() => unitForms(tree.domain, form));
  return (histogram) => {
    if (tree.domain > LARGEST_DOMAIN) return null;
    let sum = 0;
    nodeSums(tree, histogram).forEach((holders, h) => {
      const { own, other } = oracles[h]!.supportProbability;
      const gap = own - other;
      const fractions = holders.map((count) => count / users);
      const messages = fractions.map((fraction) => other + gap * fraction);
      const fitted = fit(h, fractions);
      const fittedMessages = fittedOnes()[h]!.map((one, leaf) => other * one + gap * fitted[leaf]!);
      sum += (dot(messages, ofNodes()[h]!) - form(fittedMessages)) / (gap * gap);
      sum += (dot(fractions, ofNodes()[h]!) - form(fitted)) / (users - 1);
    });
    const fractions = histogram.map((count) => count / users);
    return inverse * sum - (dot(fractions, ofLeaves()) - form(fractions)) / (users - 1);
  };
}

function unitForms(length: number, form: QuadraticForm): Float64Array {
  const unit = new Float64Array(length);
  return Float64Array.from(unit, (_, v) => {
    unit[v] = 1;
    const value = form(unit);
    unit[v] = 0;
    return value;
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
