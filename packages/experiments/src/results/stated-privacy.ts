/** What a protocol states of the privacy of its groups of users, held against what is proved. */
import type { Interval, PrivacyStatement, Soundness } from '@shuffle-dp/core';
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
    const proved = certifiedOf(certified, group);
    return {
      group: group ?? 'all users',
      certified: proved ?? { lower: 0, upper: Infinity },
      stated: epsilon.upper,
      sound,
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

/** What is known of all that a protocol states: one refuted group is enough. True also where another proof gives as much. */
export function worstVerdict(groups: readonly GroupPrivacyResult[]): Soundness {
  const open = groups.filter(({ certified, stated }) => certified.upper > stated).map(({ sound }) => sound);
  return open.includes(false) ? false : open.includes('unproven') ? 'unproven' : true;
}

/** Groups for which a protocol states more privacy than is proved, and not by rounding. */
export function shortfalls(groups: readonly GroupPrivacyResult[]): GroupPrivacyResult[] {
  return groups.filter(
    ({ sound, certified, stated }) => sound !== true && certified.upper > stated * (1 + 1e-3),
  );
}
