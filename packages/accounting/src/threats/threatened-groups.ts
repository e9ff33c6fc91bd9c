/** Users with budgets of their own, some of whom collude or stay away (docs/threats.md, "Conditioning"). */
import { ParameterError, provedInterval } from '@shuffle-dp/core';
import { requireBudgetGroups, type BudgetGroup, type CellLaw } from '../personalized/budget-group.ts';
import {
  largestBudget,
  leastUppers,
  wholeEpsilon,
  type GroupPrivacy,
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
  const least = leastUppers(groups, (g) => {
    const { groups: present, missed } = facing(g);
    return { groups: present, delta: delta - missed };
  });
  const uppers = least.map(({ value }) => value);
  const worst = uppers.indexOf(Math.max(...uppers));
  const attacked = [worst, largestBudget(groups)];
  const seen: readonly TestedGroup[] =
    dropout === 0 ? honest : honest.map((group) => withAbsence(group, dropout));
  const results = groups.map(({ budget, users }, g): GroupPrivacy => {
    const tested = users > 0 && attacked.includes(g);
    const attack = tested ? shuffledCountEpsilon(withVictim(seen, g), g, delta, uppers[g]!) : 0;
    const epsilon = provedInterval(
      `epsilon of a user of budget ${budget}`,
      { name: 'a test on the shuffled counts', value: attack },
      { name: least[g]!.by, value: uppers[g]! },
    );
    return { budget, users, epsilon, by: least[g]!.by };
  });
  return { groups: results, worst: results[worst]!, epsilon: wholeEpsilon(results) };
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
