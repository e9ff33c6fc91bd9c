import { describe, expect, it } from 'vitest';
import { RandomStream, sampleGaussian } from '@shuffle-dp/core';
import {
  trainFederated,
  type TrainingPlan,
  type TrainingResult,
} from '../../src/federated-learning/federated-training.ts';
import type { LabelledVectors } from '../../src/federated-learning/labelled-vectors.ts';

/** Three clusters in eight dimensions. */
function clusters(examples: number, seed: string): LabelledVectors {
  const stream = RandomStream.fromSeed(seed);
  const labels = Uint8Array.from({ length: examples }, () => stream.integerBelow(3));
  const values = new Float32Array(examples * 8);
  for (let j = 0; j < examples; j++)
    for (let k = 0; k < 8; k++)
      values[j * 8 + k] = (k % 3 === labels[j] ? 1 : 0) + 0.5 * sampleGaussian(stream);
  return { features: 8, classes: 3, labels, values };
}

const train = clusters(6000, 'train');
const test = clusters(1000, 'test');
const plan: TrainingPlan = { users: 2000, rounds: 8, usersPerRound: 500, learningRate: 1 };
const budgets = new Float64Array(2000).fill(2);
const run = (kind: 'non-private' | 'pldp' | 'apes', changes: Partial<TrainingPlan> = {}) =>
  trainFederated(
    train,
    test,
    { ...plan, ...changes },
    budgets,
    { kind, clipBound: 0.5 },
    RandomStream.fromSeed('run'),
  );

describe('federated training', () => {
  it('learns, and learns less with less privacy loss', () => {
    const free = run('non-private').accuracies.at(-1)!;
    expect(free).toBeGreaterThan(0.9);
    for (const kind of ['pldp', 'apes'] as const) {
      const accuracy = run(kind).accuracies.at(-1)!;
      expect(accuracy).toBeGreaterThan(0.6);
      expect(accuracy).toBeLessThanOrEqual(free + 0.02);
    }
  });

  it.each([1, 3, 7])('in parts of %i rounds gives the numbers of the whole', (size) => {
    const spec = { kind: 'apes', clipBound: 0.5 } as const;
    const stream = () => RandomStream.fromSeed('run');
    const whole = trainFederated(train, test, plan, budgets, spec, stream());
    let begun: TrainingResult | null = null;
    for (let parts = 0; parts < Math.ceil(plan.rounds / size); parts++) {
      let left = size;
      const isEnough = (): boolean => --left === 0;
      begun = trainFederated(train, test, plan, budgets, spec, stream(), { begun, isEnough });
    }
    expect(begun).toEqual(whole);
  });

  it('gives the same accuracies again, and the first rounds whatever the number of rounds', () => {
    const { accuracies } = run('apes');
    expect(run('apes').accuracies).toEqual(accuracies);
    expect(run('apes', { rounds: 3 }).accuracies).toEqual(accuracies.subarray(0, 3));
  });

  it('refuses plans that make no sense', () => {
    expect(() => run('apes', { users: 6001 })).toThrow(/users = 6001: must be an integer from 1 to 6000/u);
    expect(() => run('apes', { usersPerRound: 2001 })).toThrow(/usersPerRound = 2001/u);
    expect(() => run('apes', { rounds: 0 })).toThrow(/rounds = 0/u);
    expect(() => run('apes', { learningRate: -1 })).toThrow(/learningRate = -1/u);
    expect(() => run('apes', { users: 1999, usersPerRound: 10 })).toThrow(/budgets = 2000/u);
  });
});
