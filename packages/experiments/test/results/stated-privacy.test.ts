import { interval, type PrivacyStatement, type Soundness } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { groupPrivacy, shortfalls, worstVerdict } from '../../src/results/stated-privacy.ts';

function statement(group: string, upper: number, sound: Soundness): PrivacyStatement {
  return {
    epsilon: interval(0.1, upper),
    delta: 1e-6,
    accountant: 'test',
    theorem: 'none',
    status: sound === true ? 'certified' : 'as published',
    sound,
    adjacency: 'replace-one',
    unit: 'one user',
    view: 'all messages',
    group,
  };
}

describe('what a protocol states', () => {
  it('stands beside what is proved of the same group', () => {
    const certified = [statement('level 2', 1.6, true), statement('level 1', 1.5, true)];
    const stated = [statement('level 1', 1, false), statement('level 2', 1.6, true)];
    expect(groupPrivacy({ certified, stated })).toEqual([
      { group: 'level 1', certified: interval(0.1, 1.5), stated: 1, sound: false },
      { group: 'level 2', certified: interval(0.1, 1.6), stated: 1.6, sound: true },
    ]);
  });

  it('is proved of nobody where nothing is', () => {
    const [only] = groupPrivacy({ certified: [], stated: [statement('all', 1, 'unproven')] });
    expect(only!.certified).toEqual({ lower: 0, upper: Infinity });
  });

  it('is refuted where one of its statements is, and proved where all are, by whatever theorem', () => {
    const verdictOf = (certified: number, ...verdicts: Soundness[]): Soundness =>
      worstVerdict(
        verdicts.map((sound) => ({ group: 'all', certified: interval(0, certified), stated: 1, sound })),
      );
    expect(verdictOf(1.5, true, 'unproven', false)).toBe(false);
    expect(verdictOf(1.5, true, 'unproven')).toBe('unproven');
    expect(verdictOf(0.9, true, 'unproven')).toBe(true);
  });

  it('falls short where more is stated than proved, and not by rounding', () => {
    const groups = [0.9, 1.0001, 1.5].map((upper) => ({
      group: `${upper}`,
      certified: interval(0, upper),
      stated: 1,
      sound: 'unproven' as const,
    }));
    expect(shortfalls(groups).map(({ group }) => group)).toEqual(['1.5']);
  });
});
