import { expect, it } from 'vitest';
import { requireTarget, type Target } from '@shuffle-dp/core';

it('a target is a delta or an epsilon, and not both', () => {
  for (const target of [{ delta: 0 }, { delta: 1 }, { epsilon: 0 }, { epsilon: 700 }])
    expect(() => requireTarget(target)).not.toThrow();
  expect(() => requireTarget({ delta: 2 })).toThrow('delta = 2: must be in [0, 1]');
  expect(() => requireTarget({ epsilon: -1 })).toThrow('epsilon = -1');
  expect(() => requireTarget({ epsilon: NaN })).toThrow('epsilon = NaN');
  // The second is no target by its type.
  expect(() => requireTarget({ delta: 1e-6, epsilon: 1 } as unknown as Target)).toThrow('not both');
});
