/** What a user of the segmented protocol is told: the statements of whole sets, each judged by itself. */
import type { PrivacyStatement } from '@shuffle-dp/core';
import { segmentedProtocol, type SegmentedSpec } from '@shuffle-dp/protocols';
import { shortEnd } from '@shuffle-dp/experiments/words';
import type { Claim } from '../claims/claim.ts';
import { digits, endValue, tableOf, type ColumnOf } from '../claims/table-values.ts';

const PAPER = 'segmented';
const LEVELS = [0.5, 1, 2] as const;

interface Statement {
  readonly users: number;
  readonly blanketRate: number;
  readonly level: number;
  readonly rate: number;
  readonly stated: PrivacyStatement;
  readonly proved: PrivacyStatement;
}

/** Every level's statement in the setting of MSNBC: 4 of 17 items, delta 0.01 / n. */
function statements(users: number, blanketRate: number, slots?: number): Statement[] {
  const spec: SegmentedSpec = { kind: 'segmented', blanketRate, ...(slots === undefined ? {} : { slots }) };
  const protocol = segmentedProtocol(spec, {
    users,
    domain: 17,
    items: 4,
    levels: LEVELS,
    shares: [0.25, 0.5, 0.25],
    delta: 0.01 / users,
  });
  const stated = protocol.privacy();
  const proved = protocol.certifiedPrivacy();
  return LEVELS.map((level, k) => ({
    users,
    blanketRate,
    level,
    rate: protocol.messageParameters.rates[k]!,
    stated: stated[k]!,
    proved: proved[k]!,
  }));
}

const COLUMNS: Readonly<Record<string, ColumnOf<Statement>>> = {
  users: 'users',
  m: 'blanketRate',
  level: 'level',
  lambda: ['rate', 4],
  stated: ({ stated }) => Number(digits(stated.epsilon.upper, 4)),
  'certified from': ({ proved }) => endValue(proved.epsilon.lower, 'lower', 4),
  'certified to': ({ proved }) => endValue(proved.epsilon.upper, 'upper', 4),
  verdict: ({ stated }) => stated.verdict ?? 'unproven',
};

export const SEGMENTED_PRIVACY_CLAIMS: readonly Claim[] = [
  {
    id: 'seg.levels',
    paper: PAPER,
    source: 'Theorem 3, with group privacy over the items',
    published:
      'Users of level k have (epsilon_k, delta) for their whole set, for every expected number of blankets m.',
    criterion:
      'reproduced where the whole set is certified at every level for 5,000 users and m = 1, 1.5, 2, 3, 4; refuted where a data set exceeds one of these statements',
    measure() {
      const judged = [1, 1.5, 2, 3, 4].flatMap((blanketRate) => statements(5000, blanketRate));
      const fewer = [1, 1.5, 2].flatMap((blanketRate) => statements(2000, blanketRate));
      const verdicts = judged.map(({ stated }) => stated.verdict);
      const certified = verdicts.filter((verdict) => verdict === 'certified').length;
      const open = fewer.filter(({ stated }) => stated.verdict !== 'certified');
      const strictest = judged.filter(({ level }) => level === 0.5);
      return {
        verdict: verdicts.includes('refuted')
          ? 'refuted'
          : certified === judged.length
            ? 'reproduced'
            : 'differs',
        measured: `Certified in ${certified} of ${judged.length} statements; level 0.5 is ${strictest.map(({ blanketRate, proved }) => `${shortEnd(proved.epsilon.upper, 'upper')} (m = ${blanketRate})`).join(', ')}. With 2,000 users ${open.length === 0 ? 'all are certified too' : `open: ${open.map(({ blanketRate, level, proved }) => `level ${level} at m = ${blanketRate}, certified ${shortEnd(proved.epsilon.upper, 'upper')}`).join('; ')}`}.`,
        note: 'Theorem 3 is refuted for one item (seg.soundness), but the group rule gives away more than that: the proved bound of the whole set lies below the stated level. It is a bound for all data sets; for integer m it counts on the coins of the other users, how many have which level being public (docs/sets.md).',
        evidence: tableOf([...judged, ...fewer], COLUMNS),
      };
    },
  },
  {
    id: 'seg.integer-blankets',
    paper: PAPER,
    source: 'Algorithm 2: ceil(m) blankets, each with probability m / ceil(m)',
    published:
      'Blankets are sent by ceil(m) coins, so that for integer m every user sends exactly m of them.',
    criterion:
      'reproduced where one coin more, with m blankets on average as before, changes the certified epsilon by less than a tenth',
    measure() {
      const rows = (
        [
          [2000, 1],
          [2000, 2],
          [5000, 2],
        ] as const
      ).map(([users, blanketRate]) => {
        const [published] = statements(users, blanketRate);
        const [more] = statements(users, blanketRate, blanketRate + 1);
        return { users, blanketRate, published: published!, more: more! };
      });
      const saved = rows.map(
        ({ published, more }) => 1 - more.proved.epsilon.upper / published.proved.epsilon.upper,
      );
      return {
        verdict: saved.every((share) => Math.abs(share) < 0.1) ? 'reproduced' : 'differs',
        measured: `Level 0.5 is certified at ${rows.map(({ users, blanketRate, published, more }) => `${shortEnd(published.proved.epsilon.upper, 'upper')} with ${blanketRate} sent for sure and ${shortEnd(more.proved.epsilon.upper, 'upper')} by ${blanketRate + 1} coins (n = ${users.toLocaleString('en')})`).join(', ')}.`,
        note: 'For integer m the number of messages shows how many of the user’s items were sent, but for what coins of the other users hide, and twice as much is given away where their levels are not known; a coin that may fail hides it whatever others do. The estimator and its error stay (2 % more variance of the blankets for 17 items). Option `slots` of the protocol.',
        evidence: tableOf(rows, {
          users: 'users',
          m: 'blanketRate',
          lambda: ({ published }) => Number(digits(published.rate, 4)),
          'certified, m coins': ({ published }) => endValue(published.proved.epsilon.upper, 'upper', 4),
          'lambda, m + 1 coins': ({ more }) => Number(digits(more.rate, 4)),
          'certified, m + 1 coins': ({ more }) => endValue(more.proved.epsilon.upper, 'upper', 4),
        }),
      };
    },
  },
];
