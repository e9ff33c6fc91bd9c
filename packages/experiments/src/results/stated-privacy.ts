/** What a protocol states of the privacy of its groups of users, held against what is proved. */
import {
  verdictHere,
  type Interval,
  type PrivacyStatement,
  type Soundness,
  type Verdict,
} from '@shuffle-dp/core';
import type { CellResult } from './run-result.ts';

export interface GroupPrivacyResult {
  /** 'level 0.5', or 'all users'. */
  readonly group: string;
  /** Proved from both sides. */
  readonly certified: { readonly lower: number; readonly upper: number };
  /** The protocol's own upper end. */
  readonly stated: number;
  /** Whether the theorem that states it holds in general. */
  readonly sound: Soundness;
  /** Whether the statement holds here. */
  readonly verdict: Verdict;
}

/** Group by group, in the order of the protocol's statements. */
export function groupPrivacy({
  certified,
  stated,
}: Pick<CellResult, 'certified' | 'stated'>): GroupPrivacyResult[] {
  return stated.map((statement) => {
    const { group, epsilon, sound } = statement;
    const proved = certifiedOf(certified, group);
    return {
      group: group ?? 'all users',
      certified: proved ?? { lower: 0, upper: Infinity },
      stated: epsilon.upper,
      sound,
      verdict: verdictOn(statement, proved),
    };
  });
}

/** What is proved of a group; undefined where nothing is. */
export function certifiedOf(
  certified: readonly PrivacyStatement[],
  group: string | undefined,
): Interval | undefined {
  return certified.find((statement) => statement.group === group)?.epsilon;
}

/** The verdict on one statement: its own, or that of its theorem, or by what is proved of the same group. */
export function verdictOn(statement: PrivacyStatement, proved: Interval | undefined): Verdict {
  if (statement.verdict !== undefined) return statement.verdict;
  if (statement.sound === true) return 'certified';
  return proved === undefined ? 'unproven' : verdictHere(statement.epsilon.upper, proved);
}

/** The verdict on all that a protocol states: one refuted statement is enough. */
export function worstVerdict(groups: readonly GroupPrivacyResult[]): Verdict {
  const verdicts = groups.map(({ verdict }) => verdict);
  return (['refuted', 'unproven'] as const).find((word) => verdicts.includes(word)) ?? 'certified';
}

/** Groups for which a protocol states more privacy than is proved, and not by rounding. */
export function shortfalls(groups: readonly GroupPrivacyResult[]): GroupPrivacyResult[] {
  return groups.filter(
    ({ verdict, certified, stated }) =>
      verdict === 'refuted' || (verdict === 'unproven' && certified.upper > stated * (1 + 1e-3)),
  );
}
