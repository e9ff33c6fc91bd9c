import { expect, it } from 'vitest';
import { errorWords } from '../../src/results/error-words.ts';

it.each(['mean', 'sum'] as const)('an error of the %s is called what it is', (measure) => {
  const name = (error: 'total-squared' | 'per-item' | 'maximum'): string =>
    errorWords({ measure, error }).name;
  expect(name('total-squared')).toBe(`squared error of the ${measure}`);
  expect(name('per-item')).toBe(`squared error of the ${measure}, a coordinate`);
  expect(name('maximum')).toBe(`largest error of the ${measure}`);
});
