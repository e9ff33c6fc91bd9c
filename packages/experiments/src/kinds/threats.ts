/**
 * Users of a cell who collude, stay away, or send what they like (docs/threats.md): how many there are, and
 * whom they leave.
 */
import { sampleBinomial, type RandomStream } from '@shuffle-dp/core';
import { collusion, type Threats } from '@shuffle-dp/accounting';
import type { PoisoningAttack } from '@shuffle-dp/protocols';

/** As a cell says it; what is 0 or absent does not happen. */
export interface CellThreats {
  /** Share of all users, rounded up. */
  readonly colluding?: number;
  /** Probability that an honest user stays away. */
  readonly dropout?: number;
  readonly poisoning?: {
    /** Share of all users, rounded up. */
    readonly fraction: number;
    readonly attack: PoisoningAttack;
    /** Categories, each once; empty for numbers, whose fake users hold the upper end. */
    readonly targets: readonly number[];
  };
}

/** Who takes part in a trial. */
export interface Attendance {
  /** Honest users, at least one. */
  readonly honest: number;
  readonly fakes: number;
}

export function fakeUsers(users: number, { poisoning }: CellThreats): number {
  return poisoning === undefined ? 0 : Math.min(users - 1, collusion(users, poisoning.fraction));
}

/** As accountants see them: for privacy a fake user is one more who colludes. */
export function threatsToPrivacy(users: number, threats: CellThreats): Threats {
  // The user whose privacy is meant is honest.
  const colluding = Math.min(users - 1, collusion(users, threats.colluding ?? 0) + fakeUsers(users, threats));
  return { colluding: colluding / users, dropout: threats.dropout ?? 0 };
}

/** All fake users send. One honest user is sure to take part: the one whose privacy is meant. */
export function drawAttendance(users: number, threats: CellThreats, stream: RandomStream): Attendance {
  const fakes = fakeUsers(users, threats);
  const { dropout = 0 } = threats;
  const others = users - fakes - 1;
  return { honest: 1 + (dropout === 0 ? others : sampleBinomial(others, 1 - dropout, stream)), fakes };
}
