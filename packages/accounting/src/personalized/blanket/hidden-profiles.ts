/**
 * The divergence of a victim hidden among messages of a reference's law, whose number is a sum of coins: one
 * formula F1 where all users' coins are alike, else h of personalized-blanket.ts over blocks of counts.
 */
import { interval, onDemand, type Interval, type LikelihoodAtoms } from '@shuffle-dp/core';
import type { Work } from '../../allowance.ts';
import { changedEnds } from '../../blanket/cell-ends.ts';
import { widerCells } from '../../blanket/fewer-outputs.ts';
import { mixedUsersDivergence } from '../../blanket/mixed-users.ts';
import { blanketDivergence, type BlanketOptions } from '../../blanket/privacy-blanket.ts';
import type { PrivacyProfile } from '../../privacy-profile.ts';
import type { BudgetGroup } from '../budget-group.ts';
import { cloneCountLaw } from '../clone-count.ts';
import { countBlocks, type CountBlock } from './count-blocks.ts';
import type { GuidedProfile } from './guided-epsilon.ts';
import type { Reference } from './reference-density.ts';

/** The share of delta that small counts may take, at which nothing is said to hide the victim. */
const SMALL_COUNT_SHARE = 1e-4;
/** Below this many messages that hide the victim in the mean, none is counted on. */
const HARDLY_ANY = 1e-3;
/** Below this many messages that hide the victim, their number is no longer about its mean. */
const FEW_HIDING = 20;
/** Blocks of at least so many messages are taken together, by one integral: of fewer it has many points. */
const MIXED_FROM = 12;
/** Masses of counts below this are left out, whatever delta. */
const SMALLEST_MASS = 1e-80;
/** How close divergences are, and those of blocks of counts. */
const [USUAL_GAP, GAP_OF_BLOCKS] = [1e-5, 1e-4];
/** What only guides a search takes a tenth of the time and less, and is some hundredths larger. */
const GUIDING = { relativeGap: 3e-3, mostGains: 80 };
/** After some second's work how close divergences are, and of how many cells. */
const [MUCH_WORK, WIDER_GAP, FEWER_CELLS] = [2e7, 2e-3, 300];

/** Whether that much was done that bounds are coarser from here on. */
export const isMuchWork = ({ sines }: Work): boolean => sines > MUCH_WORK;

/** How many messages of the reference's law hide the victim. */
export interface HidingMessages {
  /** Users in all. */
  readonly users: number;
  /** Their number in the mean, without the victim's. */
  readonly expected: number;
  /** Every user's probability of one where that is the same for all. */
  readonly share: number | null;
  /** What at least is left out of the law of their number. */
  readonly leftOut: number;
  /** Their number in blocks, where it is not: takes a second of a million users. */
  readonly blocks: () => readonly CountBlock[];
}

export interface HiddenProfiles extends GuidedProfile {
  /** The profile is one divergence, not a sum of those of blocks. */
  readonly alike: boolean;
}

/** Of which law the number of messages is that hide a user of group `victim` at this reference. */
export function hidingMessages(
  groups: readonly BudgetGroup[],
  victim: number,
  { shares }: Reference,
  delta: number,
): HidingMessages {
  const others = groups
    .map(({ users }, t) => ({ coins: t === victim ? users - 1 : users, probability: shares[t]! }))
    .filter(({ coins }) => coins > 0);
  const users = others.reduce((sum, { coins }) => sum + coins, 1);
  const expected = others.reduce((sum, { coins, probability }) => sum + coins * probability, 0);
  const alike = { users, expected, leftOut: 0, blocks: NONE };
  if (expected < HARDLY_ANY) return { ...alike, share: null };
  const first = others[0]!.probability;
  if (others.every(({ probability }) => probability === first)) return { ...alike, share: first };
  const allowance = SMALL_COUNT_SHARE * delta;
  const smallest = Math.max(SMALLEST_MASS, (allowance / users) * 1e-3);
  const leftOut = others.reduce((sum, { coins }) => (coins > 1 ? sum + coins * smallest : sum), 0);
  const blocks = onDemand(() => countBlocks(cloneCountLaw(others, smallest), allowance));
  return { users, expected, share: null, leftOut, blocks };
}

const NONE = (): readonly CountBlock[] => [];

/** By the laws of the victim against the reference's. @param work is added to */
export function hiddenProfiles(
  { users, expected, share, blocks }: HidingMessages,
  atoms: LikelihoodAtoms,
  work: Work,
): HiddenProfiles {
  if (expected < HARDLY_ANY) {
    const alone: PrivacyProfile = (epsilon) => blanketDivergence(atoms, 1, epsilon, { ends: 'upper', work });
    return { profile: alone, guide: alone, alike: true };
  }
  const thinned = affordable(thinnedAtoms(atoms, share ?? expected / (users - 1)), work);
  const guide: PrivacyProfile = (epsilon) => thinned.of(users, epsilon, GUIDING);
  if (share !== null) {
    return {
      profile: (epsilon) => thinned.of(users, epsilon, { relativeGap: USUAL_GAP }),
      guide,
      alike: true,
    };
  }
  const hidden = affordable(atoms, work);
  const overBlocks =
    (how: Precision): PrivacyProfile =>
    (epsilon) => {
      const many = blocks().filter(({ least }) => least >= MIXED_FROM);
      const together = many.length > 1 ? hidden.ofMany(many, epsilon, how) : null;
      let upper = together ?? 0;
      for (const { least, probability } of blocks())
        if (together === null || least < MIXED_FROM)
          upper += probability * (least < 0 ? 1 : hidden.of(least + 1, epsilon, how).upper);
      return interval(0, Math.min(1, upper * (1 + 1e-12)));
    };
  return {
    profile: overBlocks({ relativeGap: GAP_OF_BLOCKS }),
    guide: expected < FEW_HIDING ? overBlocks(GUIDING) : guide,
    alike: false,
  };
}

/** How close a divergence is to be. */
type Precision = Required<Pick<BlanketOptions, 'relativeGap'>> & Pick<BlanketOptions, 'mostGains'>;

/** Upper ends of F1 for the same laws. */
interface Hidden {
  /** Among so many users. */
  of(users: number, epsilon: number, how: Precision): Interval;
  /** Over these blocks, each times its probability; null where one integral does not serve all. */
  ofMany(blocks: readonly CountBlock[], epsilon: number, how: Precision): number | null;
}

/** Coarser ends where much work was done before. */
function affordable(atoms: LikelihoodAtoms, work: Work): Hidden {
  const fewer = onDemand(() => widerCells(atoms, FEWER_CELLS));
  const now = ({ relativeGap }: Precision): readonly [LikelihoodAtoms, number] =>
    isMuchWork(work) ? [fewer(), Math.max(WIDER_GAP, relativeGap)] : [atoms, relativeGap];
  return {
    of: (users, epsilon, how) => {
      const [cells, relativeGap] = now(how);
      return blanketDivergence(cells, users, epsilon, { ...how, relativeGap, ends: 'upper', work });
    },
    ofMany: (blocks, epsilon, how) => {
      const [cells, relativeGap] = now(how);
      const all = blocks.map(({ least, probability }) => ({ users: least + 1, probability }));
      return mixedUsersDivergence(cells, all, epsilon, { relativeGap, work });
    },
  };
}

/** The slots that show something with probability `share` only: victims' ratios grow by its inverse. */
function thinnedAtoms(atoms: LikelihoodAtoms, share: number): LikelihoodAtoms {
  const { others, silent, cellEnds } = atoms;
  return {
    ...atoms,
    others: others.map((mass) => mass * share),
    ...(silent !== undefined && { silent: 1 - share + share * silent }),
    ...changedEnds(cellEnds, (ratios) => ratios.map((ratio) => ratio / share)),
  };
}
