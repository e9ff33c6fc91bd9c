/** What a protocol states of the privacy of its groups of users, held against what is proved. */
import type { PrivacyStatement, Soundness } from '@shuffle-dp/core';
import type { CellResult } from './run-result.ts';

export interface GroupPrivacyResult {
  /** 'level 0.5', or 'all users'. */
  readonly group: string;
  /** Proved from both sides. */
  readonly certified: { readonly lower: number; readonly upper: number };
  /** The protocol's own upper end. */
  readonly stated: number;
  /** Whether that is one. */
  readonly sound: Soundness;
}

/** Group by group, in the order of the protocol's statements. */
export function groupPrivacy({
  certified,
  stated,
}: Pick<CellResult, 'certified' | 'stated'>): GroupPrivacyResult[] {
  return stated.map(({ group, epsilon, sound }) => {
    const proved = certified.find((statement) => statement.group === group)?.epsilon;
    return {
      group: group ?? 'all users',
      certified: proved ?? { lower: 0, upper: Infinity },
      stated: epsilon.upper,
      sound,
    };
  });
}

/** Of several statements the worst word: one refuted statement is enough. */
export function worstVerdict(statements: readonly PrivacyStatement[]): Soundness {
  const verdicts = statements.map(({ sound }) => sound);
  return verdicts.includes(false) ? false : verdicts.includes('unproven') ? 'unproven' : true;
}
