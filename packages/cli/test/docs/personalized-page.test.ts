import { readFileSync } from 'node:fs';
import {
  personalizedBlanketEpsilon,
  personalizedPrivacy,
  shuffledCountEpsilon,
} from '@shuffle-dp/accounting';
import { budgetGroups } from '@shuffle-dp/protocols';
import { describe, expect, it } from 'vitest';
import { budgetList } from '../../../experiments/src/personalized/budget-list.ts';
import { personalizedAccount } from '../../../experiments/src/personalized/personalized-account.ts';
import { shortEnd } from '../../../experiments/src/words/short-number.ts';
import { markedTable } from './markdown-table.ts';

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

/** Budgets in equal steps, with as many users each; the victim's place among them, by the rows of a table. */
const SHARP: readonly (readonly [
  users: number,
  levels: number,
  low: number,
  high: number,
  victim: number,
])[] = [
  [10_000, 1, 1, 1, 0],
  [10_000, 10, 0.5, 2, 9],
  [10_000, 10, 0.5, 2, 0],
  [1000, 4, 0.2, 1, 3],
  [100_000, 20, 0.05, 1, 19],
];

const DELTA = 1e-6;

const spreadGroups = ([users, levels, low, high]: (typeof SHARP)[number], domain: number) =>
  budgetGroups(
    Array.from({ length: levels }, (_, i) => ({
      budget: levels === 1 ? low : low + ((high - low) * i) / (levels - 1),
      users: users / levels,
    })),
    { kind: 'grr', domain },
    DELTA,
  );

describe('the sharp bound of randomized response', () => {
  const table = markedTable(page, 'sharp');

  it.each(SHARP.map((setting, i) => [table[i]!, setting] as const))('%s', (row, setting) => {
    const groups = spreadGroups(setting, 2);
    const victim = setting[4];
    const { upper } = personalizedPrivacy(groups, DELTA).groups[victim]!.epsilon;
    expect(row.slice(1).map(Number)).toEqual([
      Number(shortEnd(shuffledCountEpsilon(groups, victim, DELTA, upper), 'lower')),
      Number(shortEnd(personalizedBlanketEpsilon(groups, victim, DELTA), 'upper')),
      Number(shortEnd(upper, 'upper')),
    ]);
  });

  it.each([3, 4, 16])('with %i values the bound above is near the lower end already', (domain) => {
    const printed = Number(/bound above is within ([\d.]+) % of the lower end/u.exec(page)![1]);
    for (const setting of SHARP) {
      const { lower, upper } = personalizedPrivacy(spreadGroups(setting, domain), DELTA).epsilon;
      expect(100 * (upper / lower - 1)).toBeLessThan(printed);
    }
  });
});
