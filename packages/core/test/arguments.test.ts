import { expect, it } from 'vitest';
import { gaussianDivergence, logAdd, requireInteger, requireTarget, type Target } from '@shuffle-dp/core';

it('a target is a delta or an epsilon, and not both', () => {
  for (const target of [{ delta: 0 }, { delta: 1 }, { epsilon: 0 }, { epsilon: 700 }])
    expect(() => requireTarget(target)).not.toThrow();
  expect(() => requireTarget({ delta: 2 })).toThrow('delta = 2: must be in [0, 1]');
  expect(() => requireTarget({ epsilon: -1 })).toThrow('epsilon = -1');
  expect(() => requireTarget({ epsilon: NaN })).toThrow('epsilon = NaN');
  // The second is no target by its type.
  expect(() => requireTarget({ delta: 1e-6, epsilon: 1 } as unknown as Target)).toThrow('not both');
  expect(() => requireTarget({ delta: undefined, epsilon: 1 } as unknown as Target)).toThrow('of one key');
});

it('an integer beyond the doubles that are whole is told both ends', () => {
  expect(() => requireInteger('users', 1e16, 1)).toThrow('an integer from 1 to 9007199254740991');
  expect(() => requireInteger('users', 0.5, 1)).toThrow('an integer of at least 1');
});

it('what is no number is no divergence of zero, and infinities add up', () => {
  expect(gaussianDivergence(NaN, 1)).toBe(NaN);
  expect(logAdd(Infinity, Infinity)).toBe(Infinity);
});
