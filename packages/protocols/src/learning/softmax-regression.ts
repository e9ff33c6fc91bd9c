/**
 * Softmax (multinomial logistic) regression: class c of an example x has probability proportional to exp(w_c
 * . (x, 1)). The loss is the negative log-likelihood, averaged over the examples.
 */
import { Real } from '@shuffle-dp/core';
import type { LabelledVectors } from './labelled-vectors.ts';

/**
 * Weights, feature-major: the weight of feature k for class c stands at k * classes + c; the last "feature"
 * is the constant 1.
 */
export type SoftmaxWeights = Float64Array;

export function zeroWeights({ features, classes }: LabelledVectors): SoftmaxWeights {
  return new Float64Array((features + 1) * classes);
}

/** Room for the work on one example at a time. */
export interface ExampleRoom {
  /** One number per class. */
  readonly scores: Float64Array;
  /**
   * Where the weights of the features that are not 0 begin, in order; and those features. The rest of both
   * arrays is old.
   */
  readonly rows: Uint32Array;
  readonly present: Float64Array;
}

export function exampleRoom({ features, classes }: LabelledVectors): ExampleRoom {
  return {
    scores: new Float64Array(classes),
    rows: new Uint32Array(features + 1),
    present: new Float64Array(features + 1),
  };
}

/**
 * Writes the gradient of the loss of some examples at these weights into `gradient`, which is as long as the
 * weights.
 */
export function lossGradient(
  weights: SoftmaxWeights,
  data: LabelledVectors,
  examples: Uint32Array,
  gradient: Float64Array,
  room: ExampleRoom,
): void {
  const { scores } = room;
  gradient.fill(0);
  for (const j of examples) {
    const count = takeFeatures(data, j, room);
    writeScores(weights, count, room);
    normaliseScores(scores);
    const label = data.labels[j]!;
    scores[label] = scores[label]! - 1;
    for (let c = 0; c < scores.length; c++) scores[c] = scores[c]! / examples.length;
    addProducts(gradient, count, room);
  }
}

/** Share of the examples whose own class has the highest score. */
export function accuracy(weights: SoftmaxWeights, data: LabelledVectors): number {
  const room = exampleRoom(data);
  let right = 0;
  for (let j = 0; j < data.labels.length; j++) {
    writeScores(weights, takeFeatures(data, j, room), room);
    if (firstLargest(room.scores) === data.labels[j]) right++;
  }
  return right / data.labels.length;
}

/** The features of an example that are not 0, the constant last; how many they are. */
function takeFeatures(
  { features, classes, values }: LabelledVectors,
  example: number,
  { rows, present }: ExampleRoom,
): number {
  const start = example * features;
  let count = 0;
  for (let k = 0; k < features; k++) {
    const x = values[start + k]!;
    if (x === 0) continue;
    rows[count] = k * classes;
    present[count++] = x;
  }
  rows[count] = features * classes;
  present[count++] = 1;
  return count;
}

/** Two classes at a time: their sums do not wait for one another. */
function writeScores(weights: SoftmaxWeights, count: number, { scores, rows, present }: ExampleRoom): void {
  const classes = scores.length;
  const constant = rows[count - 1]!;
  for (let c = 0; c < classes; c += 2) {
    const next = Math.min(c + 1, classes - 1);
    let score = weights[constant + c]!;
    let nextScore = weights[constant + next]!;
    for (let i = 0; i < count - 1; i++) {
      const x = present[i]!;
      const row = rows[i]!;
      score += x * weights[row + c]!;
      nextScore += x * weights[row + next]!;
    }
    scores[next] = nextScore;
    scores[c] = score;
  }
}

function addProducts(gradient: Float64Array, count: number, { scores, rows, present }: ExampleRoom): void {
  for (let i = 0; i < count; i++) {
    const x = present[i]!;
    const row = rows[i]!;
    for (let c = 0; c < scores.length; c++) gradient[row + c] = gradient[row + c]! + x * scores[c]!;
  }
}

/**
 * The class with the highest score, the first of equal ones; -1 where no score is a number, after steps that
 * grew without end.
 */
function firstLargest(scores: Float64Array): number {
  let best = -1;
  let highest = -Infinity;
  for (let c = 0; c < scores.length; c++) {
    if (scores[c]! > highest) {
      highest = scores[c]!;
      best = c;
    }
  }
  return best;
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
