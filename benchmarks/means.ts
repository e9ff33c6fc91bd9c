/** Clip-Laplace draws in million a second, beside the inverse distribution function one user at a time. */
import { RandomStream } from '@shuffle-dp/core';
import { clipLaplace } from '@shuffle-dp/randomizers';
import { fastest, rateRow, type BenchmarkRow } from './row.ts';

const USERS = 200_000;

/** Of numpy's inverse distribution function, then of rejection in plain kernels and in C. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  0.05: '40-58; 238, 628',
  0.5: '40-58; 135, 181',
  1: '40-58; 71, 79',
};

function plainDraw(value: number, epsilon0: number, stream: RandomStream): number {
  const scale = 2 / epsilon0;
  const left = -Math.expm1(-(1 + value) / scale);
  const right = -Math.expm1(-(1 - value) / scale);
  const place = stream.next() * (left + right) - left;
  return value + (place < 0 ? scale : -scale) * Math.log1p(-Math.abs(place));
}

export function rows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('benchmark means');
  const values = Float64Array.from({ length: USERS }, () => 2 * stream.next() - 1);
  return [0.05, 0.5, 1].map((epsilon0) => {
    const mechanism = clipLaplace({ epsilon0, correction: 'average' });
    const messages = mechanism.allocate(USERS);
    const perSecond = (seconds: number, draws: number): number => draws / seconds / 1e6;
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
      perSecond(ours, USERS),
      { name: 'inverse function a user', value: perSecond(plain, made.length) },
      ELSEWHERE[epsilon0],
    );
  });
}
