import { expect, it } from 'vitest';
import { personalizedAccount } from '../../src/personalized/personalized-account.ts';

const account = personalizedAccount({
  budgets: Float64Array.from({ length: 200 }, (_, user) => (user % 2 === 0 ? 0.5 : 1)),
  mechanism: 'clip-laplace',
  delta: 1e-4,
  localDelta: 0,
  clip: 1,
  domain: 2,
  levels: 10,
});

it('names every group by its own budget', () => {
  expect(account.groups.map(({ budget }) => budget)).toEqual([0.5, 1]);
});

it('judges every bound by its own number', () => {
  const { lower, upper } = account.epsilon;
  const judged = account.bounds.filter(({ epsilonAtLevels }) => epsilonAtLevels !== null);
  expect(judged.length).toBeGreaterThan(1);
  for (const { epsilonAtLevels } of judged) expect(Number.isFinite(epsilonAtLevels)).toBe(true);
  const wrong = account.bounds.filter(({ epsilonAtLevels: stated, verdict }) => {
    if (stated === null) return verdict !== null;
    return stated < lower ? verdict !== 'refuted' : stated >= upper && verdict !== 'certified';
  });
  expect(wrong).toEqual([]);
});
