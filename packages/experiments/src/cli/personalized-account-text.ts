/** The privacy of users with budgets of their own as text and as JSON. */
import { counted } from '../config/counted.ts';
import type { PersonalizedAccount } from '../personalized/personalized-account.ts';
import { shortNumber, textTable } from './text-table.ts';

const SOURCE = 'one reference density for all blankets, exact counts of who hides; docs/personalized.md';

/** JSON has no infinity: null stands for it. */
export function personalizedJson(account: PersonalizedAccount): object {
  const { users, mechanism, delta, epsilon, groups, bounds } = account;
  const finite = (value: number | null): number | null => (value === Infinity ? null : value);
  return {
    users,
    mechanism,
    adjacency: 'replace-one',
    delta,
    epsilon: { lower: epsilon.lower, upper: finite(epsilon.upper) },
    bounds: [
      { name: 'personalized-blanket', epsilon: finite(epsilon.upper), sound: true, source: SOURCE },
      ...bounds.map(({ name, epsilon: value, sound, reason, source }) => ({
        name,
        epsilon: finite(value),
        sound,
        ...(reason === undefined ? {} : { reason }),
        source,
      })),
    ],
    attack: { epsilon: epsilon.lower },
    levels: groups.map((group) => ({
      budget: group.budget,
      users: group.users,
      epsilon: finite(group.epsilon.upper),
    })),
  };
}

export function personalizedText({
  users,
  mechanism,
  delta,
  low,
  high,
  epsilon,
  groups,
  bounds,
}: PersonalizedAccount): string {
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of bounds) {
    if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  }
  const strictest = groups[0]!;
  return [
    `${counted(users, 'user')}, ${mechanism}, budgets from ${shortNumber(low)} to ${shortNumber(high)}, delta ${delta}, replace-one`,
    `epsilon of the worst user between ${shortNumber(epsilon.lower)} and ${shortNumber(epsilon.upper)} (proved${groups.length > 1 ? `, at ${groups.length} levels that users round down to` : ''})`,
    ...(groups.length > 1
      ? [`users at ${shortNumber(strictest.budget)} have at most ${shortNumber(strictest.epsilon.upper)}`]
      : []),
    '',
    textTable(
      ['bound', 'epsilon', 'sound', 'source'],
      [
        ['personalized-blanket', shortNumber(epsilon.upper), 'true', SOURCE],
        ...bounds.map(({ name, epsilon: value, sound, source }) => [
          name,
          value === null ? '-' : shortNumber(value),
          String(sound),
          source,
        ]),
        ['attack', shortNumber(epsilon.lower), 'true', 'exact test on shuffled counts, from below'],
      ],
    ),
    ...(reasons.size > 0
      ? ['', ...[...reasons].map(([reason, names]) => `  ${names.join(', ')}: ${reason}`)]
      : []),
  ].join('\n');
}
