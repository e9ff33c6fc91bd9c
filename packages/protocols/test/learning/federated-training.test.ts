import { describe, expect, it } from 'vitest';
import { RandomStream, sampleGaussian } from '@shuffle-dp/core';
import {
  roundUsers,
  trainFederated,
  type TrainingPlan,
  type TrainingResult,
} from '../../src/learning/federated-training.ts';
import type { LabelledVectors } from '../../src/learning/labelled-vectors.ts';

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
    { train, test, budgets },
    { ...plan, ...changes },
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
    const whole = trainFederated({ train, test, budgets }, plan, spec, stream());
    let begun: TrainingResult | null = null;
    for (let parts = 0; parts < Math.ceil(plan.rounds / size); parts++) {
      let left = size;
      const isEnough = (): boolean => --left === 0;
      begun = trainFederated({ train, test, budgets }, plan, spec, stream(), { begun, isEnough });
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

describe('who serves in a round', () => {
  const served = (users: number, usersPerRound: number, rounds: number, seed = 'serve'): number[][] =>
    Array.from({ length: rounds }, (_, round) => [
      ...roundUsers({ ...plan, users, usersPerRound }, round, RandomStream.fromSeed(seed)),
    ]);
  const sorted = (users: readonly number[]): number[] => users.toSorted((a, b) => a - b);

  it.each([
    [12, 3],
    [100, 20],
    [7, 7],
  ])('of %i users, %i a round: everyone serves once before anyone serves twice', (users, usersPerRound) => {
    const roundsPerPass = users / usersPerRound;
    const rounds = served(users, usersPerRound, 3 * roundsPerPass);
    for (const round of rounds) expect(round).toHaveLength(usersPerRound);
    const passes = [0, 1, 2].map((pass) =>
      rounds.slice(pass * roundsPerPass, (pass + 1) * roundsPerPass).flat(),
    );
    for (const pass of passes) expect(sorted(pass)).toEqual(Array.from({ length: users }, (_, user) => user));
    // Each pass has an order of its own: equal ones have probability 1/7! at most.
    expect(new Set(passes.map((pass) => pass.join(' '))).size).toBe(3);
  });

  it('leaves out of a pass the users that make no whole round, other ones each time', () => {
    const rounds = served(10, 4, 40);
    const leftOut = new Set<string>();
    for (let first = 0; first < 40; first += 2) {
      const pass = rounds.slice(first, first + 2).flat();
      expect(new Set(pass).size).toBe(8);
      leftOut.add(sorted([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((user) => !pass.includes(user))).join(' '));
    }
    // 20 draws of one of 45 pairs: fewer than five different ones have probability below 1e-12.
    expect(leftOut.size).toBeGreaterThanOrEqual(5);
  });

  it('depends on the stream', () => {
    expect(served(100, 20, 5, 'one')).not.toEqual(served(100, 20, 5, 'other'));
  });
});
