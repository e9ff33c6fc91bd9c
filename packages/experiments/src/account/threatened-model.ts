/** A mechanism some of whose users collude or stay away, as accountants see it (docs/threats.md). */
import { interval, ParameterError, type Interval, type MechanismModel, type Target } from '@shuffle-dp/core';
import {
  honestUsers,
  leastParticipants,
  requireThreats,
  underThreats,
  type Threats,
} from '@shuffle-dp/accounting';

export interface ThreatenedModel {
  readonly model: MechanismModel;
  /** Those whose messages hide the victim's, the victim included. */
  readonly users: number;
}

/** @throws ParameterError, also where nothing is proved of the mechanism with users who stay away */
export function threatenedModel(model: MechanismModel, users: number, threats: Threats): ThreatenedModel {
  requireThreats(threats);
  const { dropout = 0 } = threats;
  const honest = honestUsers(users, threats.colluding);
  if (dropout === 0) return { model, users: honest };
  if (model.othersHideOnly || model.pairOnly)
    throw new ParameterError(
      'dropout',
      dropout,
      model.pairOnly
        ? 'left out for a raw pair, of whose users nothing else is known'
        : 'left out: the messages that hide are counted here, not the users who send them',
    );
  const absent = { ...model, othersMayBeAbsent: true };
  const { certified, certifiedUpper } = model;
  if (certified)
    return {
      model: {
        ...absent,
        certified: withParticipants(certified, dropout),
        ...(certifiedUpper && {
          certifiedUpper: (among: number, epsilon: number): number => {
            const { users: present, missed } = leastParticipants(among, dropout, MISSED);
            return Math.min(1, certifiedUpper(present, epsilon) + missed);
          },
        }),
      },
      users: honest,
    };
  const { profile } = underThreats(model.amplification, users, threats);
  return { model: { ...absent, amplification: profile }, users: honest };
}

/** The probability that fewer stay than are planned for, as a share of delta. */
const MISSED_SHARE = 1e-3;
/** Where delta is asked for: its probability itself. */
const MISSED = 1e-12;

type Certified = NonNullable<MechanismModel['certified']>;

/**
 * Messages of a user that come and go together: the number of participants is given away, and rarely below
 * what is planned for.
 */
function withParticipants(certified: Certified, dropout: number): Certified {
  return (users: number, target: Target, rounds = 1): Interval => {
    const budget = 'delta' in target ? MISSED_SHARE * target.delta : MISSED;
    if (!(budget > 0)) return interval(0, Infinity);
    const { users: present, missed } = leastParticipants(users, dropout, budget / rounds);
    if ('delta' in target)
      return interval(0, certified(present, { delta: target.delta - rounds * missed }, rounds).upper);
    return interval(0, Math.min(1, certified(present, target, rounds).upper + rounds * missed));
  };
}
