/** Users with budgets of their own, some of whom collude or stay away (docs/threats.md, "Conditioning"). */
import { ParameterError } from '@shuffle-dp/core';
import { requireBudgetGroups, type BudgetGroup, type CellLaw } from '../personalized/budget-group.ts';
import {
  attackedGroups,
  leastUppers,
  type PersonalizedPrivacy,
} from '../personalized/personalized-privacy.ts';
import {
  shuffledCountEpsilon,
  type TestedGroup,
} from '../personalized/distinguishers/shuffled-count-test.ts';
import { leastParticipants } from './participants.ts';
import { collusion, extendedByNothing, requireThreats, type Threats } from './threats.ts';

/** The probability that some group is smaller than planned for, as a share of delta. */
const MISSED_SHARE = 1e-3;

/**
 * As `personalizedPrivacy`, where the same share of every group colludes, rounded up, and users stay away:
 * the privacy of a user who is honest and took part. Of a group that would collude as a whole that user alone
 * does not.
 * @throws ParameterError
 */
export function threatenedPersonalizedPrivacy(
  groups: readonly BudgetGroup[],
  delta: number,
  threats: Threats,
): PersonalizedPrivacy {
  requireThreats(threats);
  requireBudgetGroups(groups);
  const { colluding = 0, dropout = 0, victim: whose = 'present' } = threats;
  if (whose !== 'present')
    throw new ParameterError('victim', whose, "'present' where users have budgets of their own");
  const missedEach = (MISSED_SHARE * delta) / groups.length;
  const honest = groups.map((group) => ({
    ...group,
    users: group.users - collusion(group.users, colluding),
  }));
  const facing = (victim: number): { readonly groups: BudgetGroup[]; readonly missed: number } => {
    let missed = 0;
    const present = withVictim(honest, victim).map((group, g) => {
      // One more than may stay away, where the victim is among them.
      const sure = g === victim ? 0 : 1;
      const staying = leastParticipants(Math.max(1, group.users + sure), dropout, missedEach);
      missed += staying.missed;
      return { ...group, users: staying.users - sure };
    });
    return { groups: present, missed };
  };
  const uppers = leastUppers(groups, (g) => {
    const { groups: present, missed } = facing(g);
    return { groups: present, delta: delta - missed };
  });
  const seen: readonly TestedGroup[] =
    dropout === 0 ? honest : honest.map((group) => withAbsence(group, dropout));
  return attackedGroups(groups, uppers, (g, near, isLikelyWorst) =>
    groups[g]!.users > 0 && isLikelyWorst ? shuffledCountEpsilon(withVictim(seen, g), g, delta, near) : 0,
  );
}

/** The honest users of all groups, the victim among them also where its whole group would collude. */
function withVictim<Group extends TestedGroup>(honest: readonly Group[], victim: number): readonly Group[] {
  return honest[victim]!.users > 0 ? honest : honest.with(victim, { ...honest[victim]!, users: 1 });
}

/**
 * For a test: "nothing" is one output more, which the victim never gives. As the number of users is known,
 * how many gave it is seen.
 */
function withAbsence({ budget, users, pairs, held }: BudgetGroup, dropout: number): TestedGroup {
  const present = ({ masses }: CellLaw): CellLaw => ({ masses: extendedByNothing(masses, 1, 0) });
  return {
    budget,
    users,
    pairs: pairs.map(({ first, second, symmetric }) => ({
      first: present(first),
      second: present(second),
      symmetric,
    })),
    held: held.map((masses) => extendedByNothing(masses, 1 - dropout, dropout)),
  };
}
