/**
 * Atoms of rows of bits about sets of items, by the numbers of ones among the items of the victim's two sets
 * and of the others' set.
 */
import { binomialPmf, type LikelihoodAtoms } from '@shuffle-dp/core';
import { likelihoodAtoms } from '../laws/likelihood-atoms.ts';

/** Items that are alike: who holds them. */
export interface ItemGroup {
  readonly count: number;
  readonly first: boolean;
  readonly second: boolean;
  readonly others: boolean;
}

export interface RowLaw {
  /** Probability that a bit which is not sampled is one. */
  readonly flip: number;
  /** Likelihood against a row of flips alone, when so many of the `seen` items of a set have a one. */
  factor(ones: number, seen: number): number;
}

interface Ones {
  readonly first: number;
  readonly second: number;
  readonly others: number;
  readonly mass: number;
}

/**
 * Rows with the same three numbers of ones have the same likelihood ratios and are one atom.
 * @param groups bits of items that stand in none are not looked at
 * @param classes so many values of the others' number are told apart; default all. Fewer are a coarser output
 */
export function rowAtoms(
  label: string,
  groups: readonly ItemGroup[],
  { flip, factor }: RowLaw,
  classes = Infinity,
): LikelihoodAtoms {
  const seen = (whose: 'first' | 'second' | 'others'): number =>
    groups.reduce((sum, group) => sum + (group[whose] ? group.count : 0), 0);
  const sizes = { first: seen('first'), second: seen('second'), others: seen('others') };
  const parts = Math.min(classes, sizes.others + 1);
  const atoms = new Map<number, [number, number, number]>();
  for (const { first, second, others, mass } of jointOnes(groups, flip)) {
    const part = Math.floor((others * parts) / (sizes.others + 1));
    const key = (first * (sizes.second + 1) + second) * parts + part;
    const atom = atoms.get(key) ?? [0, 0, 0];
    atom[0] += mass * factor(first, sizes.first);
    atom[1] += mass * factor(second, sizes.second);
    atom[2] += mass * factor(others, sizes.others);
    atoms.set(key, atom);
  }
  return likelihoodAtoms(label, [...atoms.values()], isSymmetric(groups));
}

/** The three numbers of ones in a row of flips, with their probabilities. */
function jointOnes(groups: readonly ItemGroup[], flip: number): Ones[] {
  let known: Ones[] = [{ first: 0, second: 0, others: 0, mass: 1 }];
  for (const { count, first, second, others } of groups) {
    if (count === 0) continue;
    const next = new Map<string, Ones>();
    for (let ones = 0; ones <= count; ones++) {
      const share = binomialPmf(ones, count, flip);
      for (const before of known) {
        const after = {
          first: before.first + (first ? ones : 0),
          second: before.second + (second ? ones : 0),
          others: before.others + (others ? ones : 0),
        };
        const key = `${after.first} ${after.second} ${after.others}`;
        next.set(key, { ...after, mass: (next.get(key)?.mass ?? 0) + before.mass * share });
      }
    }
    known = [...next.values()];
  }
  return known;
}

/** Whether exchanging the victim's sets changes nothing. */
function isSymmetric(groups: readonly ItemGroup[]): boolean {
  const items = (first: boolean, second: boolean, others: boolean): number =>
    groups.reduce(
      (sum, group) =>
        sum + (group.first === first && group.second === second && group.others === others ? group.count : 0),
      0,
    );
  return [true, false].every((others) => items(true, false, others) === items(false, true, others));
}

/**
 * A third set beside two that are as disjoint as the domain allows: of items that neither of them holds while
 * there are some, then of items that one of them holds, of both in equal numbers, and last of items that both
 * hold.
 * @param size of every set
 * @returns null where there is no third set
 */
export function thirdSetGroups(domain: number, size: number): ItemGroup[] | null {
  const common = Math.max(0, 2 * size - domain);
  const apart = size - common;
  const outside = Math.min(size, domain - common - 2 * apart);
  const shared = Math.min(2 * apart, size - outside);
  const [ofFirst, ofSecond] = [Math.ceil(shared / 2), Math.floor(shared / 2)];
  const ofBoth = size - outside - shared;
  if (ofFirst + ofBoth === size) return null;
  return [
    { count: outside, first: false, second: false, others: true },
    { count: ofFirst, first: true, second: false, others: true },
    { count: apart - ofFirst, first: true, second: false, others: false },
    { count: ofSecond, first: false, second: true, others: true },
    { count: apart - ofSecond, first: false, second: true, others: false },
    { count: ofBoth, first: true, second: true, others: true },
    { count: common - ofBoth, first: true, second: true, others: false },
  ];
}
