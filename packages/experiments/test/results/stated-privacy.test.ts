import { interval, type PrivacyStatement, type Soundness, type Verdict } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import {
  groupPrivacy,
  shortfalls,
  verdictOn,
  worstVerdict,
  type GroupPrivacyResult,
} from '../../src/results/stated-privacy.ts';

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
      { group: 'level 1', certified: interval(0.1, 1.5), stated: 1, sound: false, verdict: 'unproven' },
      { group: 'level 2', certified: interval(0.1, 1.6), stated: 1.6, sound: true, verdict: 'certified' },
    ]);
  });

  it('is proved of nobody where nothing is', () => {
    const [only] = groupPrivacy({ certified: [], stated: [statement('all', 1, 'unproven')] });
    expect(only!.certified).toEqual({ lower: 0, upper: Infinity });
  });

  it('is judged by itself, whatever is known of the theorem behind it', () => {
    const verdictOf = (stated: PrivacyStatement, lower: number, upper: number) =>
      verdictOn(stated, interval(lower, upper));
    const refutedInGeneral = statement('all', 1, false);
    expect(verdictOf(refutedInGeneral, 0.2, 0.9)).toBe('certified');
    expect(verdictOf(refutedInGeneral, 0.2, 1.2)).toBe('unproven');
    expect(verdictOf(refutedInGeneral, 1.1, 1.2)).toBe('refuted');
    // A theorem that holds proves its own number.
    expect(verdictOf(statement('all', 1, true), 0.2, 1.2)).toBe('certified');
    expect(verdictOf({ ...refutedInGeneral, verdict: 'unproven' }, 0.2, 0.9)).toBe('unproven');
    expect(verdictOn(refutedInGeneral, undefined)).toBe('unproven');
  });

  const group = (verdict: Verdict, upper = 2): GroupPrivacyResult => ({
    group: `${upper}`,
    certified: interval(0, upper),
    stated: 1,
    sound: 'unproven',
    verdict,
  });

  it('is refuted where one of its statements is, and certified where all are', () => {
    expect(worstVerdict([group('certified'), group('unproven'), group('refuted')])).toBe('refuted');
    expect(worstVerdict([group('certified'), group('unproven')])).toBe('unproven');
    expect(worstVerdict([group('certified')])).toBe('certified');
  });

  it('falls short where more is stated than proved, and not by rounding', () => {
    const groups = [
      group('certified', 0.9),
      group('unproven', 1.0001),
      group('unproven', 1.5),
      group('refuted', 1.0002),
    ];
    expect(shortfalls(groups).map(({ group: name }) => name)).toEqual(['1.5', '1.0002']);
  });
});
