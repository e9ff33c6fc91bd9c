/**
 * Noise in million a second: draws of one number a user, and rounds of federated learning with gradients of
 * 7,850 coordinates. Beside the inverse distribution function and an array for every user.
 */
import { RandomStream } from '@shuffle-dp/core';
import { aggregateGradients, type GradientSource } from '@shuffle-dp/protocols';
import { clipLaplace, gaussianMechanism, laplaceMechanism, largestShrinkage } from '@shuffle-dp/randomizers';
import { boxMuller, inverseLaplace } from './plain/samplers.ts';
import { fastest, rateRow, type BenchmarkRow } from './row.ts';

const MILLION = 1e6;

/** Of numpy's inverse distribution function, then of rejection in plain kernels and in C. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  0.05: '40-58; 238, 628',
  0.5: '40-58; 135, 181',
  1: '40-58; 71, 79',
};

export function rows(): BenchmarkRow[] {
  return [...[0.05, 0.5, 1].map(drawRow), ...noiseRows(), ...roundRows()];
}

/** Randomizers that add noise to a number of each user. */
function noiseRows(): BenchmarkRow[] {
  const users = 200_000;
  const stream = RandomStream.fromSeed('benchmark noise');
  const values = Float64Array.from({ length: users }, () => stream.next());
  const cases = [
    { mechanism: gaussianMechanism({ sigma: 1 }), noise: boxMuller, by: 'Box and Muller a user' },
    { mechanism: laplaceMechanism({ epsilon0: 1 }), noise: inverseLaplace, by: 'inverse function a user' },
  ];
  return cases.map(({ mechanism, noise, by }) => {
    const messages = mechanism.allocate(users);
    const ours = fastest(() => mechanism.randomizeInto(values, messages, stream));
    const few = values.subarray(0, 20_000);
    const plain = fastest(() => Array.from(few, (value) => Math.min(1, Math.max(0, value)) + noise()), 2);
    return rateRow('mean', `${mechanism.name} client`, 'million/s', users / ours / MILLION, {
      name: by,
      value: few.length / plain / MILLION,
    });
  });
}

function plainDraw(value: number, epsilon0: number, stream: RandomStream): number {
  const scale = 2 / epsilon0;
  const left = -Math.expm1(-(1 + value) / scale);
  const right = -Math.expm1(-(1 - value) / scale);
  const place = stream.next() * (left + right) - left;
  return value + (place < 0 ? scale : -scale) * Math.log1p(-Math.abs(place));
}

function drawRow(epsilon0: number): BenchmarkRow {
  const users = 200_000;
  const stream = RandomStream.fromSeed('benchmark means');
  const values = Float64Array.from({ length: users }, () => 2 * stream.next() - 1);
  const mechanism = clipLaplace({ epsilon0, correction: 'average' });
  const messages = mechanism.allocate(users);
  const ours = fastest(() => mechanism.randomizeInto(values, messages, stream));
  let made: number[] = [];
  const plain = fastest(
    () => (made = Array.from(values.subarray(0, 20_000), (value) => plainDraw(value, epsilon0, stream))),
    2,
  );
  if (made.some(Number.isNaN)) throw new Error('a draw is no number');
  return rateRow(
    'mean',
    `Clip-Laplace draw, epsilon0 = ${epsilon0}`,
    'million/s',
    users / ours / MILLION,
    { name: 'inverse function a user', value: made.length / plain / MILLION },
    ELSEWHERE[epsilon0],
  );
}

/** Users of a round and coordinates of their gradients: softmax regression on 28 x 28 pixels. */
const USERS = 1000;
const COORDINATES = 7850;

/**
 * One round: every user has a budget of their own per coordinate, and every coordinate is shuffled on its
 * own.
 */
function roundRows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('benchmark rounds');
  const budgets = Float64Array.from({ length: USERS }, () => 0.05 + 0.95 * stream.next());
  const gradient = Float64Array.from({ length: COORDINATES }, () => 2 * stream.next() - 1);
  const source: GradientSource = {
    users: USERS,
    dimensions: COORDINATES,
    writeInto: (_, row) => row.set(gradient),
  };
  const shrinkage = largestShrinkage(Math.min(...budgets));
  const cases = [
    {
      kind: 'apes',
      by: 'array a user, inverse function',
      draw: (value: number, budget: number) => plainDraw(value, budget, stream),
      users: USERS,
    },
    {
      kind: 'unbiased-clip-laplace',
      by: 'array a user, bisection, inverse function',
      draw: (value: number, budget: number) =>
        plainDraw(plainCentre(shrinkage * value, budget), budget, stream),
      users: 10,
    },
  ] as const;
  return cases.map(({ kind, by, draw, users }) => {
    const ours = fastest(() => void aggregateGradients(source, budgets, { kind, clipBound: 1 }, stream), 2);
    const plain = fastest(() => plainRound(gradient, budgets.subarray(0, users), draw), 1);
    const name = `${kind} round of ${USERS} users, ${COORDINATES} coordinates`;
    return rateRow('mean', name, 'million/s', (USERS * COORDINATES) / ours / MILLION, {
      name: by,
      value: (users * COORDINATES) / plain / MILLION,
    });
  });
}

/** The point in [-1, 1] around which draws have this mean. */
function plainCentre(mean: number, epsilon0: number): number {
  const half = epsilon0 / 2;
  let low = -half;
  let high = half;
  for (let step = 0; step < 40; step++) {
    const centre = (low + high) / 2;
    const left = Math.exp(-half - centre);
    const right = Math.exp(centre - half);
    if ((2 * centre + (half + 1) * (left - right)) / (2 - left - right) < mean * half) low = centre;
    else high = centre;
  }
  return (low + high) / 2 / half;
}

function plainRound(
  gradient: Float64Array,
  budgets: Float64Array,
  draw: (value: number, budget: number) => number,
): number[] {
  const messages = Array.from(budgets, (budget) => Array.from(gradient, (value) => draw(value, budget)));
  return Array.from(gradient, (_, k) => {
    const column = messages.map((message) => message[k]!);
    for (let i = column.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [column[i], column[j]] = [column[j]!, column[i]!];
    }
    return column.reduce((sum, value) => sum + value, 0) / column.length;
  });
}
