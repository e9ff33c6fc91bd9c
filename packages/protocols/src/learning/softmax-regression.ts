/**
 * Softmax (multinomial logistic) regression: class c of an example x has probability proportional to exp(w_c . (x, 1)).
 * The loss is the negative log-likelihood, averaged over the examples.
 */
import { Real } from '@shuffle-dp/core';
import type { LabelledVectors } from './labelled-vectors.ts';

/** Weights, feature-major: the weight of feature k for class c stands at k * classes + c; the last "feature" is the constant 1. */
export type SoftmaxWeights = Float64Array;

export function zeroWeights({ features, classes }: LabelledVectors): SoftmaxWeights {
  return new Float64Array((features + 1) * classes);
}

/**
 * Writes the gradient of the loss of some examples at these weights into `gradient`, which is as long as the weights.
 * `scores` is room for one number per class.
 */
export function lossGradient(
  weights: SoftmaxWeights,
  data: LabelledVectors,
  examples: Uint32Array,
  gradient: Float64Array,
  scores: Float64Array,
): void {
  const { features, classes, labels, values } = data;
  gradient.fill(0);
  for (const j of examples) {
    classScores(weights, data, j, scores);
    normaliseScores(scores);
    scores[labels[j]!] = scores[labels[j]!]! - 1;
    for (let c = 0; c < classes; c++) scores[c] = scores[c]! / examples.length;
    const start = j * features;
    for (let k = 0; k <= features; k++) {
      const x = k < features ? values[start + k]! : 1;
      if (x === 0) continue;
      const row = k * classes;
      for (let c = 0; c < classes; c++) gradient[row + c] = gradient[row + c]! + x * scores[c]!;
    }
  }
}

/** Share of the examples whose own class has the highest score. */
export function accuracy(weights: SoftmaxWeights, data: LabelledVectors): number {
  const scores = new Float64Array(data.classes);
  let right = 0;
  for (let j = 0; j < data.labels.length; j++) {
    classScores(weights, data, j, scores);
    if (scores.indexOf(Math.max(...scores)) === data.labels[j]) right++;
  }
  return right / data.labels.length;
}

function classScores(
  weights: SoftmaxWeights,
  { features, classes, values }: LabelledVectors,
  example: number,
  scores: Float64Array,
): void {
  const start = example * features;
  for (let c = 0; c < classes; c++) scores[c] = weights[features * classes + c]!;
  for (let k = 0; k < features; k++) {
    const x = values[start + k]!;
    if (x === 0) continue;
    const row = k * classes;
    for (let c = 0; c < classes; c++) scores[c] = scores[c]! + x * weights[row + c]!;
  }
}

/** Scores to probabilities. */
function normaliseScores(scores: Float64Array): void {
  let largest = -Infinity;
  for (const score of scores) largest = Math.max(largest, score);
  let total = 0;
  for (let c = 0; c < scores.length; c++) {
    scores[c] = Real.exp(scores[c]! - largest);
    total += scores[c]!;
  }
  for (let c = 0; c < scores.length; c++) scores[c] = scores[c]! / total;
}
