/**
 * Protocols whose blanket messages come from the users, where some collude or stay away: their blankets go
 * with them (docs/threats.md).
 */
import { interval, type PrivacyStatement } from '@shuffle-dp/core';
import {
  HONEST_UNIT,
  honestUsers,
  leastParticipants,
  requireThreats,
  type Participants,
  type Threats,
} from '@shuffle-dp/accounting';

/** The probability that fewer stay than are planned for, as a share of delta. */
const MISSED_SHARE = 1e-3;

/**
 * What `certified` proves with those who are left: without the colluders, and where users stay away with as
 * few participants as all but surely stay. From below nothing is told where users stay away.
 * @param certified falls in the number of users who are left, all of them honest
 * @throws ParameterError
 */
export function privacyOfThoseLeft(
  users: number,
  delta: number,
  threats: Threats,
  certified: (left: number, delta: number) => PrivacyStatement,
): PrivacyStatement {
  const { users: left, missed } = usersLeft(users, delta, threats);
  const { dropout = 0 } = threats;
  const statement = certified(left, delta - missed);
  return ofThoseLeft({
    ...statement,
    delta,
    epsilon: dropout === 0 ? statement.epsilon : interval(0, statement.epsilon.upper),
  });
}

/**
 * So many honest users are left, but for a small probability: all but the colluders, and where users stay
 * away the participants who are planned for.
 * @throws ParameterError
 */
export function usersLeft(users: number, delta: number, threats: Threats): Participants {
  requireThreats(threats);
  const { colluding, dropout = 0 } = threats;
  return leastParticipants(honestUsers(users, colluding), dropout, MISSED_SHARE * delta);
}

/**
 * What is proved with those who are left alone, stated for one of them.
 * @param kept what neighbours have in common beside the other users
 */
export function ofThoseLeft(statement: PrivacyStatement, kept?: string): PrivacyStatement {
  return Object.freeze({
    ...statement,
    theorem: `${statement.theorem}; with the users who are left (docs/threats.md)`,
    unit: kept === undefined ? HONEST_UNIT : `${HONEST_UNIT}; ${kept}`,
    view: `${statement.view}, and all that those who collude know`,
  });
}

/**
 * Blanket messages that users send for sure, of those that all send together as evenly as whole numbers
 * allow: those lost sent the most.
 */
export function blanketsLeft(blankets: number, users: number, left: number): number {
  const lost = users - left;
  const sendOneMore = blankets % users;
  return blankets - lost * Math.floor(blankets / users) - Math.min(lost, sendOneMore);
}
