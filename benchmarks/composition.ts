/**
 * Certified brackets of epsilon after many shuffled rounds, of relative width 1e-4, in milliseconds. The program by the
 * authors of the composition paper gives one side, rounds each loss up on a grid of 2e7 points and takes 2 GB.
 */
import {
  blanketDivergence,
  composedEpsilon,
  strongerClonePair,
  type CompositionRounds,
} from '@shuffle-dp/accounting';
import { vectorRandomizedResponse } from '@shuffle-dp/randomizers';
import { fastest, type BenchmarkRow } from './row.ts';

/** Milliseconds of the other program (Python and numpy): forming the loss distribution, then transforms. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '100000,16': '69 000 + 4200',
  '100000,256': '69 000 + 5200',
};

export function rows(): BenchmarkRow[] {
  const clone = strongerClonePair(2);
  const settings: (readonly [users: number, count: number])[] = [
    [1e5, 16],
    [1e5, 256],
    [1e5, 1e4],
    [1e8, 256],
  ];
  const rowOf = (name: string, rounds: CompositionRounds, delta: number, others?: string): BenchmarkRow => ({
    group: 'composition',
    name,
    value: 1000 * fastest(() => void composedEpsilon([rounds], delta), 3),
    unit: 'ms',
    ...(others === undefined ? {} : { others }),
  });
  const pairs = settings.map(([users, count]) =>
    rowOf(
      `stronger clone, epsilon0 = 2, n = ${users.toExponential()}, ${count} rounds`,
      { pair: clone, users, count },
      0.01 / users,
      ELSEWHERE[`${users},${count}`],
    ),
  );
  const vectors = vectorRandomizedResponse({ dimensions: 16, sampled: 4, epsilon0: 4 }).amplification();
  const blanket = {
    profile: (epsilon: number) => blanketDivergence(vectors.blanket[0]!, 1e4, epsilon),
    count: 256,
  };
  return [...pairs, rowOf('vectors s = 4, blanket, n = 1e4, 256 rounds', blanket, 1e-6)];
}
