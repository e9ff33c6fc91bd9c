/** A tilt tells of pairs without types what their divergences tell, and never more. */
import { laplaceMechanism } from '@shuffle-dp/randomizers';
import { describe, expect, it } from 'vitest';
import { restDelta, restHolds } from '../../src/sharp/rest-bound.ts';

const USERS = 1000;
const typed = laplaceMechanism({ epsilon0: 4 }).amplification().typed!;
const cases = [0.02, 0.2].flatMap((epsilon) => [0.02, 0.048, 0.1].map((theta) => ({ epsilon, theta })));

describe.each(cases)('Laplace noise of budget 4 at epsilon $epsilon, tilt $theta', ({ epsilon, theta }) => {
  const rest = restDelta(typed, USERS, epsilon);

  it.each([0.01, 0.99, 1.01, 30, 1e6])('holds at %d times the divergence as far as it does', (factor) => {
    expect(rest).toBeGreaterThan(0);
    expect(restHolds(typed, USERS, epsilon, factor * rest, theta)).toBe(factor > 1);
  });
});
