/**
 * Clip-Laplace in million a second: draws of one number a user, and rounds of federated learning with gradients of 7,850
 * coordinates. Beside the inverse distribution function and an array for every user.
 */
import { RandomStream } from '@shuffle-dp/core';
import { aggregateGradients, type GradientSource } from '@shuffle-dp/protocols';
import { clipLaplace } from '@shuffle-dp/randomizers';
import { fastest, rateRow, type BenchmarkRow } from './row.ts';

const MILLION = 1e6;

/** Of numpy's inverse distribution function, then of rejection in plain kernels and in C. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  0.05: '40-58; 238, 628',
  0.5: '40-58; 135, 181',
  1: '40-58; 71, 79',
};

export function rows(): BenchmarkRow[] {
  return [...[0.05, 0.5, 1].map(drawRow), ...roundRows()];
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

/** One round: every user has a budget of their own per coordinate, and every coordinate is shuffled on its own. */
function roundRows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('benchmark rounds');
  const budgets = Float64Array.from({ length: USERS }, () => 0.05 + 0.95 * stream.next());
  const gradient = Float64Array.from({ length: COORDINATES }, () => 2 * stream.next() - 1);
  const source: GradientSource = {
    users: USERS,
    dimensions: COORDINATES,
    writeInto: (_, row) => row.set(gradient),
  };
  const values = USERS * COORDINATES;
  const plain = fastest(() => plainRound(gradient, budgets, stream), 1);
  const baseline = { name: 'array a user, inverse function', value: values / plain / MILLION };
  return (['apes', 'unbiased-clip-laplace'] as const).map((kind) => {
    const ours = fastest(() => void aggregateGradients(source, budgets, { kind, clipBound: 1 }, stream), 2);
    const name = `${kind} round of ${USERS} users, ${COORDINATES} coordinates`;
    return rateRow('mean', name, 'million/s', values / ours / MILLION, baseline);
  });
}

function plainRound(gradient: Float64Array, budgets: Float64Array, stream: RandomStream): number[] {
  const messages = Array.from(budgets, (budget) =>
    Array.from(gradient, (value) => plainDraw(value, budget, stream)),
  );
  return Array.from(gradient, (_, k) => {
    const column = messages.map((message) => message[k]!);
    for (let i = column.length - 1; i > 0; i--) {
      const j = Math.floor(stream.next() * (i + 1));
      [column[i], column[j]] = [column[j]!, column[i]!];
    }
    return column.reduce((sum, value) => sum + value, 0) / column.length;
  });
}
