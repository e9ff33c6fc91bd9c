/**
 * Parameters at equal certified privacy where some users collude, stay away or are fake: chosen so that what
 * is proved of the honest who take part, and not of users who all do as they should, meets what was asked for
 * (docs/threats.md).
 */
import {
  errorCode,
  onceEachObject,
  ParameterError,
  provedInterval,
  Real,
  type PrivacyStatement,
} from '@shuffle-dp/core';
import { honestUsers, type Threats } from '@shuffle-dp/accounting';
import type { Cell } from '../kinds/cell.ts';
import type { AnyData, RunProtocol } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { threatsToPrivacy, type CellThreats } from '../kinds/threats.ts';
import { madeStricter, TARGET_TOLERANCE } from '../kinds/under-threats.ts';
import { askedBy } from '../results/equal-privacy.ts';
import { sameMessages, setByTarget } from './attacked-trial.ts';

/**
 * The protocol of the cell with parameters for a stricter target, the least strict at which the cell's own is
 * met by what is proved under the threats. Only what is proved there decides. As made for the cell's own
 * target where that is enough, where the spec fixes all that a target would set, and where groups of users
 * have targets of their own, whose protocol counts on the honest alone.
 *
 * @throws ParameterError, OutOfRegimeError for a target, or threats, that nothing meets
 */
export function calibratedUnderThreats(cell: Cell, threats: CellThreats): RunProtocol<AnyData> {
  const { protocolOf } = kindOf(cell.holds);
  const facing = threatsToPrivacy(cell.data.users, threats);
  const levels = cell.holds === 'sets' ? cell.levels : undefined;
  const target = levels?.[0] ?? (cell.holds === 'sets' ? undefined : cell.epsilon);
  /** By how much what is proved exceeds what was asked for, in logarithms. */
  const excessOf = (proved: readonly PrivacyStatement[]): number =>
    Math.max(
      ...proved.map(({ group = 'all users', epsilon }) =>
        Real.log(epsilon.upper / (askedBy(group, levels, target) ?? 0)),
      ),
    );
  const direct = madeForHonest(cell, facing);
  const excessWith = onceEachObject((made: RunProtocol<AnyData>) =>
    excessOf(made.threatenedPrivacy!(facing)),
  );
  const left = direct === null ? Infinity : excessWith(direct);
  if (direct !== null && isMet(left)) return direct;
  const plain = protocolOf(cell);
  if (plain.threatenedPrivacy === undefined || target === undefined) return plain;
  const proved = plain.threatenedPrivacy(facing);
  const beyond = excessOf(proved);
  if (beyond <= 0 || proved.some(({ group }) => group?.startsWith('level '))) return plain;
  const found = madeStricter(
    plain,
    beyond,
    (share) => refusedInOwnTerms(() => protocolOf(stricter(cell, share)), target),
    excessWith,
  );
  if (direct === null || left > 0) return found;
  // A search ends where the bound jumps, which may be far below the target.
  const excess = excessWith(found);
  return excess <= 0 && excess >= left ? found : direct;
}

/**
 * With the local budget for the honest alone, which is what their messages need where none of them stays
 * away; null where something else is to be set, or nothing can be made.
 */
function madeForHonest(cell: Cell, { colluding, dropout }: Threats): RunProtocol<AnyData> | null {
  if (dropout || setByTarget(cell) !== 'local budget') return null;
  const { protocolOf } = kindOf(cell.holds);
  try {
    const ofHonest = protocolOf(cell, honestUsers(cell.data.users, colluding));
    const made = protocolOf(sameMessages(cell, ofHonest.parameters));
    const { threatenedPrivacy } = made;
    if (threatenedPrivacy === undefined) return null;
    // An account looks for the epsilon anew, and may end above the target that was proved of these users.
    const alone = ofHonest.certifiedPrivacy();
    return {
      ...made,
      threatenedPrivacy: (facing) =>
        threatenedPrivacy(facing).map((statement, i) => leastOf(statement, alone[i])),
    };
  } catch (error) {
    if (!isOfParameters(error)) throw error;
    return null;
  }
}

/** Of two statements about the same users at the same delta, which both hold. */
function leastOf(statement: PrivacyStatement, { epsilon, delta, group } = statement): PrivacyStatement {
  if (delta !== statement.delta || group !== statement.group || epsilon.upper >= statement.epsilon.upper)
    return statement;
  const both = provedInterval(
    'epsilon',
    { name: 'what an account shows', value: statement.epsilon.lower },
    { name: 'what was proved of the honest alone', value: epsilon.upper },
  );
  return { ...statement, epsilon: both };
}

/** As closely as a search would end. */
function isMet(excess: number): boolean {
  return excess <= 0 && excess > -TARGET_TOLERANCE;
}

/** The same cell, made for a share of what it asks for. */
function stricter(cell: Cell, share: number): Cell {
  return cell.holds === 'sets'
    ? { ...cell, levels: cell.levels.map((level) => level * share) }
    : ({ ...cell, epsilon: cell.epsilon! * share } as Cell);
}

/** A stricter target is of this search; what is refused is the target of the config. */
function refusedInOwnTerms<Made>(make: () => Made, target: number): Made {
  try {
    return make();
  } catch (error) {
    if (!isOfParameters(error)) throw error;
    throw new ParameterError(
      'epsilon',
      target,
      'larger: no parameters are proved to meet it where users collude or stay away',
    );
  }
}

function isOfParameters(error: unknown): boolean {
  return ['bad-parameter', 'out-of-regime', 'no-bracket'].includes(errorCode(error) ?? '');
}
