/**
 * Certified brackets of epsilon after many shuffled rounds, of relative width 1e-4, in milliseconds, beside
 * losses on a grid and one transform, which bound neither grid nor tails. The program by the authors of the
 * composition paper gives one side, rounds each loss up on a grid of 2e7 points and takes 2 GB.
 */
import { blanketDivergence, composedEpsilon, strongerClonePair } from '@shuffle-dp/accounting';
import { vectorRandomizedResponse } from '@shuffle-dp/randomizers';
import {
  pairLosses,
  plainBlanketDivergence,
  plainComposedEpsilon,
  profileLosses,
} from './plain/accounting.ts';
import { fastest, once, timeRow, type BenchmarkRow } from './row.ts';

/** Milliseconds of the other program (Python and numpy): forming the loss distribution, then transforms. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '100000,16': '69 000 + 4200',
  '100000,256': '69 000 + 5200',
};

const STEP = 2e-5;
const POINTS = 2 ** 20;
/** The plain way visits every pair of counts, as many as users: at 1e8 that takes minutes. */
const LARGEST_VISITED = 1e6;

export function rows(): BenchmarkRow[] {
  return [...pairRows(), vectorRow()];
}

function pairRows(): BenchmarkRow[] {
  const clone = strongerClonePair(2);
  const settings: (readonly [users: number, count: number])[] = [
    [1e5, 16],
    [1e5, 256],
    [1e5, 1e4],
    [1e8, 256],
  ];
  return settings.map(([users, count]) => {
    const delta = 0.01 / users;
    const ours = fastest(() => void composedEpsilon([{ pair: clone, users, count }], delta), 3);
    const plain = (): void => void plainComposedEpsilon(pairLosses(clone, users, STEP, POINTS), count, delta);
    return timeRow(
      'composition',
      `stronger clone, epsilon0 = 2, n = ${users.toExponential()}, ${count} rounds`,
      'ms',
      ours,
      users <= LARGEST_VISITED ? { name: 'every pair of counts', seconds: fastest(plain, 1) } : undefined,
      ELSEWHERE[`${users},${count}`],
    );
  });
}

function vectorRow(): BenchmarkRow {
  const users = 1e4;
  const atoms = vectorRandomizedResponse({ dimensions: 16, sampled: 4, epsilon0: 4 }).amplification()
    .blanket[0]!;
  const rounds = { profile: (epsilon: number) => blanketDivergence(atoms, users, epsilon), count: 256 };
  const ours = fastest(() => void composedEpsilon([rounds], 1e-6), 3);
  // Eighty points of the curve put epsilon within a relative 1e-3.
  const plain = once(() => {
    const losses = profileLosses(
      (epsilon) => plainBlanketDivergence(atoms, users, epsilon),
      0.005,
      80,
      2 ** 16,
    );
    plainComposedEpsilon(losses, 256, 1e-6);
  });
  return timeRow('composition', 'vectors s = 4, blanket, n = 1e4, 256 rounds', 'ms', ours, {
    name: 'eighty points of the curve',
    seconds: plain,
  });
}
