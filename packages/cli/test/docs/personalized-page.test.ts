import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { budgetList } from '../../../experiments/src/personalized/budget-list.ts';
import { personalizedAccount } from '../../../experiments/src/personalized/personalized-account.ts';
import { shortEnd } from '../../../experiments/src/words/short-number.ts';

const page = readFileSync(new URL('../../../../docs/personalized.md', import.meta.url), 'utf8');

/** Rows of the table of numbers: budgets in code, users, then four epsilons. */
const rows = [...page.matchAll(/^\| `(\w+\([^)]*\))` *\| (\d+) *\|([^\n]*)\|$/gmu)].map(
  ([, budgets, users, values]) => ({
    budgets: budgets!,
    users: Number(users),
    values: values!.split('|').map((value) => value.trim()),
  }),
);

it('has four rows of numbers', () => expect(rows).toHaveLength(4));

it.each(rows)(
  'says of $users users with budgets $budgets what the command prints',
  ({ budgets, users, values }) => {
    const { epsilon, bounds } = personalizedAccount({
      budgets: budgetList(budgets, users, 'budgets'),
      mechanism: 'clip-laplace',
      delta: 1e-8,
      localDelta: 0,
      clip: 1,
      domain: 16,
      levels: 10,
    });
    const valueOf = (name: string): number => bounds.find((bound) => bound.name === name)!.epsilon!;
    // The command rounds each number to the side on which it still holds.
    const uppers = [epsilon.upper, valueOf('eon'), valueOf('eon-closed')];
    expect(values).toEqual([
      shortEnd(epsilon.lower, 'lower'),
      ...uppers.map((value) => shortEnd(value, 'upper')),
    ]);
  },
);
