/** What messages give away by themselves, against sixty digits of the definition. */
import { describe, expect, it, test } from 'vitest';
import { localMessageEpsilon, localMessagesBound } from '../src/local-message.ts';

test.each([
  [1, 1e-6, 4.886554117462212],
  [Math.sqrt(10), 1e-25, 37.51048738866444],
  [20_000, 1e-300, 200_740_940.92691226],
])('one message of normal noise %d deviations apart, delta %d', (separation, delta, exact) => {
  const epsilon = localMessageEpsilon(separation, delta);
  expect(epsilon).toBeGreaterThanOrEqual(exact);
  expect(epsilon).toBeLessThan(exact * (1 + 1e-6));
});

it('says nothing at a delta of 0, and all at 1', () => {
  expect(localMessageEpsilon(1, 0)).toBe(Infinity);
  expect(localMessageEpsilon(1, 1)).toBe(0);
});

describe('the messages of many rounds', () => {
  const normal = (localSeparation: number, count: number) => ({ epsilon0: Infinity, localSeparation, count });

  it('are as one of the root of the sum of squared separations', () => {
    const epsilon = localMessagesBound([normal(1, 6), normal(2, 1)], { delta: 1e-25 });
    expect(epsilon).toBeGreaterThanOrEqual(37.51048738866444);
    expect(epsilon).toBeLessThan(37.51048738866444 * (1 + 1e-6));
  });

  it('have pure budgets on top', () => {
    const rounds = [normal(0.5, 4), { epsilon0: 0.25, count: 2 }];
    const epsilon = localMessagesBound(rounds, { delta: 1e-6 });
    expect(epsilon).toBeGreaterThanOrEqual(5.386554117462212);
    expect(epsilon).toBeLessThan(5.386554117462212 * (1 + 1e-6));
    const delta = localMessagesBound(rounds, { epsilon: 3.5 });
    expect(delta).toBeGreaterThanOrEqual(0.0015371853694009548);
    expect(delta).toBeLessThan(0.0015371853694009548 * (1 + 1e-9));
    expect(localMessagesBound(rounds, { epsilon: 0.4 })).toBe(1);
  });

  it('say nothing where a round has no budget and no normal noise', () => {
    expect(localMessagesBound([normal(1, 1), { epsilon0: Infinity, count: 1 }], { delta: 1e-6 })).toBe(
      Infinity,
    );
  });
});
