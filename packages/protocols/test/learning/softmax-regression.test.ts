import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import type { LabelledVectors } from '../../src/learning/labelled-vectors.ts';
import { accuracy, exampleRoom, lossGradient, zeroWeights } from '../../src/learning/softmax-regression.ts';

const data: LabelledVectors = {
  features: 3,
  classes: 4,
  labels: Uint8Array.of(0, 3, 1, 3, 2),
  values: Float32Array.from([1, 0, 0.5, 0, 0.25, 1, 2, 0, 0, 0.5, 0.5, 0.5, 0, 1, 0]),
};

/** The mean negative log-likelihood, straight from its definition. */
function loss(weights: Float64Array): number {
  let total = 0;
  data.labels.forEach((label, j) => {
    const x = [...data.values.subarray(j * 3, j * 3 + 3), 1];
    const scores = [0, 1, 2, 3].map((c) => x.reduce((sum, value, k) => sum + value * weights[k * 4 + c]!, 0));
    total += Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0)) - scores[label]!;
  });
  return total / data.labels.length;
}

describe('softmax regression', () => {
  it('has the gradient of its loss', () => {
    const stream = RandomStream.fromSeed('weights');
    const weights = zeroWeights(data).map(() => 2 * stream.next() - 1);
    const gradient = new Float64Array(weights.length);
    lossGradient(weights, data, Uint32Array.of(4, 0, 2, 1, 3), gradient, exampleRoom(data));
    weights.forEach((weight, k) => {
      const [above, below] = [weight + 1e-6, weight - 1e-6].map((moved) =>
        loss(weights.map((value, i) => (i === k ? moved : value))),
      );
      expect(gradient[k]).toBeCloseTo((above! - below!) / 2e-6, 7);
    });
  });

  it('counts an example as right only where its class has the highest score', () => {
    const weights = zeroWeights(data);
    weights[3 * 4 + 3] = 1;
    expect(accuracy(weights, data)).toBe(2 / 5);
  });

  it('counts none as right after steps that grew without end', () => {
    expect(accuracy(zeroWeights(data).fill(NaN), data)).toBe(0);
  });

  it('has a score for every class of an odd number of them', () => {
    const three: LabelledVectors = { ...data, classes: 3, labels: Uint8Array.of(2, 2, 2, 0, 1) };
    const weights = zeroWeights(three);
    weights[3 * 3 + 2] = 1;
    expect(accuracy(weights, three)).toBe(3 / 5);
  });
});
