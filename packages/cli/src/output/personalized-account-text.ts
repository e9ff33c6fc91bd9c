/** The privacy of users with budgets of their own as text and as JSON. */
import { picked } from '@shuffle-dp/core';
import {
  counterexampleText,
  VERDICT_COLUMNS,
  VERDICT_LEGEND,
  verdictCells,
} from '@shuffle-dp/experiments/account';
import { counted } from '@shuffle-dp/experiments/words';
import type { JudgedBound, PersonalizedAccount } from '@shuffle-dp/experiments/personalized';
import { threatsText } from '../options/threat-options.ts';
import { byReason } from './account-text.ts';
import { largeDeltaLines } from './target-notes.ts';
import { shortEnd, shortEnds, shortNumber, textTable } from './text-table.ts';

/** Sources of what is proved here, by the bound of the worst user. */
const SOURCES = {
  'personalized-blanket':
    'one reference density for all blankets, exact counts of the users who hide; docs/personalized.md',
  'personalized-sharp': 'the sharp bound, averaged over the budgets of others; docs/personalized.md',
  'local-message': 'one message alone, since nothing else depends on a value; docs/soundness.md',
} as const;

/** The bound of the user whose upper end is the largest. */
function decidingBound({ ends, groups }: PersonalizedAccount): keyof typeof SOURCES {
  return groups.find(({ epsilon }) => epsilon.upper === ends.upper)?.by ?? 'personalized-blanket';
}

/**
 * JSON has no infinity: null stands for it. What is undefined is left out. Of a bound, `sound` is the verdict
 * in general, `verdict` the one on what it states of the levels that users apply, null where it states
 * nothing.
 */
export function personalizedJson(account: PersonalizedAccount): object {
  const { ends, groups, bounds } = account;
  return {
    ...picked(account, 'users', 'threats', 'mechanism'),
    adjacency: 'replace-one',
    ...picked(account, 'delta', 'epsilon', 'coarse'),
    bounds: [
      {
        name: decidingBound(account),
        epsilon: ends.upper,
        sound: true,
        verdict: ends.upper === Infinity ? null : 'certified',
        source: SOURCES[decidingBound(account)],
      },
      ...bounds.map((bound) => ({
        ...picked(bound, 'name', 'epsilon'),
        epsilonAtLevels: isRounded(account) ? bound.epsilonAtLevels : undefined,
        ...picked(bound, 'sound', 'reason', 'verdict', 'counterexample', 'source'),
      })),
    ],
    attack: { epsilon: ends.lower },
    levels: groups.map(({ budget, users, epsilon, by }) => ({
      budget,
      users,
      epsilon: epsilon.upper,
      upperBy: by,
    })),
  };
}

/** Whether users apply less than their budgets. */
function isRounded({ bounds }: PersonalizedAccount): boolean {
  return bounds.some(({ epsilon, epsilonAtLevels }) => epsilon !== epsilonAtLevels);
}

export function personalizedText(
  account: PersonalizedAccount,
  { explain }: { readonly explain: boolean },
): string {
  const { users, mechanism, delta, low, high, epsilon, ends, groups, bounds } = account;
  const rounded = isRounded(account);
  const shown = (value: number | null): string => (value === null ? '-' : shortEnd(value, 'upper'));
  /** The value as given, and where budgets are rounded also that of the levels. */
  const values = (given: string, atLevels: string): string[] => (rounded ? [given, atLevels] : [given]);
  const reasons = byReason(bounds);
  const proved = (name: string, side: 'lower' | 'upper', source: string): string[] => [
    name,
    ...values(rounded ? '-' : shortEnd(ends[side], side), shortEnd(ends[side], side)),
    ...verdictCells({ sound: true, verdict: 'certified' }),
    source,
  ];
  const strictest = groups[0]!;
  return [
    `${counted(users, 'user')}, ${mechanism}, budgets from ${shortNumber(low)} to ${shortNumber(high)}, delta ${delta}, replace-one`,
    ...(account.threats ? [threatsText(account.threats)] : []),
    `epsilon of the worst user between ${shortEnds(epsilon)} (proved${rounded ? `, at ${counted(groups.length, 'level')} that users round down to` : ''})`,
    ...(groups.length > 1
      ? [
          `users with budget ${shortNumber(strictest.budget)} have epsilon at most ${shortEnd(strictest.epsilon.upper, 'upper')}`,
        ]
      : []),
    ...largeDeltaLines(delta, users),
    ...(account.coarse ?? []),
    '',
    textTable(
      ['bound', ...values('epsilon', 'at levels'), ...VERDICT_COLUMNS, 'source'],
      [
        proved(decidingBound(account), 'upper', SOURCES[decidingBound(account)]),
        ...bounds.map((bound) => [
          bound.name,
          ...values(shown(bound.epsilon), shown(bound.epsilonAtLevels)),
          ...verdictCells(bound),
          bound.source,
        ]),
        ...(account.ends.lower > 0
          ? [proved('attack', 'lower', 'exact test on shuffled counts, from below')]
          : []),
      ],
    ),
    '',
    VERDICT_LEGEND,
    ...(rounded
      ? ['Users apply their levels: the certified bracket and the verdicts here are for the levels.']
      : []),
    ...(reasons.length > 0 ? ['', ...reasons] : []),
    ...(explain ? ['', ...counterexamples(bounds)] : []),
  ].join('\n');
}

/** Where the refuted among these are exceeded. */
function counterexamples(bounds: readonly JudgedBound[]): string[] {
  return bounds.flatMap(({ name, counterexample }) =>
    counterexample === undefined ? [] : [`  ${name} is exceeded by ${counterexampleText(counterexample)}`],
  );
}
