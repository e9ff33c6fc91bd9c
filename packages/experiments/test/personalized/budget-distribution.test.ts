import { describe, expect, it } from 'vitest';
import { errorCode, RandomStream } from '@shuffle-dp/core';
import { kolmogorovSmirnov } from '@shuffle-dp/core/testkit';
import { parseBudgets, sampleBudgets } from '../../src/personalized/budget-distribution.ts';

const draw = (text: string, users = 20_000): Float64Array =>
  sampleBudgets(parseBudgets(text), users, RandomStream.fromSeed(text));

describe('budgets', () => {
  it('that are no distribution have a code, which no name has to stand for', () => {
    const refused = (): unknown => {
      try {
        return parseBudgets('uniform(2,1)');
      } catch (error) {
        return error;
      }
    };
    expect(errorCode(refused())).toBe('bad-budgets');
  });

  it('of a uniform distribution are uniform', () => {
    // False alarm rate 1e-6.
    expect(kolmogorovSmirnov(draw('uniform(0.05, 1)'), (x) => (x - 0.05) / 0.95)).toBeGreaterThan(1e-6);
    expect(draw('constant(0.3)', 3)).toEqual(Float64Array.of(0.3, 0.3, 0.3));
  });

  it('of a Gaussian move to the ends that they pass', () => {
    const budgets = draw('gaussian(0.2, 1, 0.05, 1)');
    const share = (value: number): number =>
      budgets.filter((budget) => budget === value).length / budgets.length;
    // Pr[Z < -0.15] and Pr[Z > 0.8]; five standard errors are 0.018.
    expect(Math.abs(share(0.05) - 0.4404)).toBeLessThan(0.018);
    expect(Math.abs(share(1) - 0.2119)).toBeLessThan(0.018);
  });

  it('of a mixture come from its parts by weight', () => {
    const { low, high, text } = parseBudgets('mixture(0.9*constant(0.1), 0.1*gaussian(0.5, 1, 0.05, 0.5))');
    expect([low, high]).toEqual([0.05, 0.5]);
    expect(text).toBe('mixture(0.9*constant(0.1),0.1*gaussian(0.5,1,0.05,0.5))');
    const budgets = draw(text);
    const share = budgets.filter((budget) => budget === 0.1).length / budgets.length;
    expect(Math.abs(share - 0.9)).toBeLessThan(0.011);
  });

  it.each([
    ['', 'must be constant(x)'],
    ['0.5', 'must be constant(x)'],
    ['normal(0,1)', 'normal is no distribution'],
    ['uniform(1)', 'uniform(1): must be uniform(a,b) with numbers'],
    ['uniform(1,x)', 'must be uniform(a,b) with numbers'],
    ['uniform(1,0.5)', 'budgets from 1 to 0.5: must be positive and in this order'],
    ['uniform(0,1)', 'budgets from 0 to 1'],
    ['constant(-1)', 'budgets from -1 to -1'],
    ['gaussian(0,0,1,2)', 'sd = 0: must be positive'],
    ['mixture(0.5*constant(1))', 'weights sum to 0.5: must sum to 1'],
    ['mixture(constant(1))', 'must be weight*distribution'],
    ['mixture(0.5*constant(1),0.5*uniform(0,1))', 'budgets from 0 to 1'],
  ])('%s is refused', (text, reason) => {
    expect(() => parseBudgets(text)).toThrow(reason);
  });
});
