/**
 * Atoms of rows of bits about sets of items, by the numbers of ones among the items of the victim's two sets
 * and of the others' set.
 */
import { Real, ROUNDOFF, type LikelihoodAtoms } from '@shuffle-dp/core';
import { likelihoodAtoms, type Atom } from '../laws/likelihood-atoms.ts';

/** Items that are alike: who holds them. */
export interface ItemGroup {
  readonly count: number;
  readonly first: boolean;
  readonly second: boolean;
  readonly others: boolean;
}

export interface RowLaw {
  /** In nats, positive: a bit that is not sampled is one e^(-epsilon0/2) times as often as zero. */
  readonly epsilon0: number;
  /** Size to which sets are padded. */
  readonly paddedSize: number;
}

/** Rows with as many ones among the items of each set. */
interface Rows {
  readonly first: number;
  readonly second: number;
  readonly others: number;
  /** The largest of these three: no row has fewer ones. */
  readonly most: number;
  /** Weight in a row of flips alone, over odds^most: a power of small odds may be no double. */
  readonly weight: number;
}

/**
 * Rows with the same three numbers of ones have the same likelihood ratios and are one atom.
 * @param groups bits of items that stand in none are not looked at
 * @param classes so many values of the others' number are told apart; default all. Fewer are a coarser output
 */
export function rowAtoms(
  label: string,
  groups: readonly ItemGroup[],
  law: RowLaw,
  classes = Infinity,
): LikelihoodAtoms {
  const sizes = seenOf(groups);
  const parts = Math.min(classes, sizes.others + 1);
  const { rows, share } = listedRows(groups, law);
  const atoms = new Map<number, [number, number, number]>();
  for (const row of rows) {
    const { first, second, others } = row;
    const part = Math.floor((others * parts) / (sizes.others + 1));
    const key = (first * (sizes.second + 1) + second) * parts + part;
    const atom = atoms.get(key) ?? [0, 0, 0];
    atom[0] += share(row, first, sizes.first);
    atom[1] += share(row, second, sizes.second);
    atom[2] += share(row, others, sizes.others);
    atoms.set(key, atom);
  }
  return likelihoodAtoms(label, withoutRarest([...atoms.values()]), isSymmetric(groups));
}

/** Of smaller masses few digits are left, or none: their ratio may be infinite. */
const SMALLEST_MASS = 1e-290;

/** Rows with smaller masses are told as the likeliest ones, which is a coarser output. */
function withoutRarest(atoms: readonly (readonly [number, number, number])[]): Atom[] {
  const kept = atoms.filter((masses) => Math.min(...masses) >= SMALLEST_MASS);
  const likeliest = kept.reduce((best, atom) => (Math.min(...atom) > Math.min(...best) ? atom : best));
  const rest = atoms.filter((atom) => atom === likeliest || Math.min(...atom) < SMALLEST_MASS);
  const sum = (i: 0 | 1 | 2): number => rest.reduceRight((total, atom) => total + atom[i], 0);
  return kept.map((atom): Atom => (atom === likeliest ? [sum(0), sum(1), sum(2)] : atom));
}

/**
 * Atoms against the blanket of sets as large as the first: the mass of a row that has zeros for all items of
 * some set.
 */
export function rowBlanket(label: string, groups: readonly ItemGroup[], law: RowLaw): LikelihoodAtoms {
  const sizes = seenOf(groups);
  const { rows, share } = listedRows(groups, law);
  const atoms = rows.map((row): Atom => [
    share(row, row.first, sizes.first),
    share(row, row.second, sizes.second),
    share(row, 0, sizes.first),
  ]);
  return likelihoodAtoms(label, atoms, isSymmetric(groups));
}

/** Total variation, from above, between rows about the first and about the second of two sets of one size. */
export function rowVariation(groups: readonly ItemGroup[], law: RowLaw): number {
  const { rows, bits, base } = listedRows(groups, law);
  const exceeding = rows.reduce(
    (sum, row) => (row.first > row.second ? sum + base(row, -1) * (row.first - row.second) : sum),
    0,
  );
  // 1/odds - odds, times odds.
  const rise = -Real.expm1(-law.epsilon0);
  return ((exceeding * rise) / law.paddedSize) * (1 + 4 * (bits + 2) * ROUNDOFF);
}

function seenOf(groups: readonly ItemGroup[]): Record<'first' | 'second' | 'others', number> {
  const seen = (whose: 'first' | 'second' | 'others'): number =>
    groups.reduce((sum, group) => sum + (group[whose] ? group.count : 0), 0);
  return { first: seen('first'), second: seen('second'), others: seen('others') };
}

interface ListedRows {
  readonly rows: readonly Rows[];
  /** That are looked at: masses are off by about as many roundoffs. */
  readonly bits: number;
  /** Mass of such rows among rows of flips alone, times odds^shift. @param shift -1 where some bit is one */
  base(rows: Rows, shift: number): number;
  /** Mass under a set of which `held` of `seen` items have a one, and the others are not looked at. */
  share(rows: Rows, held: number, seen: number): number;
}

/**
 * All rows. Their masses are products of few factors: a logarithm of a small one would lose as many digits as
 * it is large.
 */
function listedRows(groups: readonly ItemGroup[], { epsilon0, paddedSize }: RowLaw): ListedRows {
  const odds = Real.exp(-epsilon0 / 2);
  const bits = groups.reduce((sum, { count }) => sum + count, 0);
  const powers = new Float64Array(bits + 2).fill(1);
  for (let k = 1; k < powers.length; k++) powers[k] = powers[k - 1]! * odds;
  const rows = jointOnes(groups, powers);
  const total = rows.reduceRight((sum, { weight, most }) => sum + weight * powers[most]!, 0);
  const base = ({ weight, most }: Rows, shift: number): number => (weight / total) * powers[most + shift]!;
  return {
    rows,
    bits,
    base,
    share: (row, held, seen) =>
      // A one of a held item is as likely as a zero of another.
      ((paddedSize - seen) * base(row, 0) +
        (held > 0 ? held * base(row, -1) : 0) +
        (seen - held) * base(row, 1)) /
      paddedSize,
  };
}

function jointOnes(groups: readonly ItemGroup[], powers: Float64Array): Rows[] {
  let known: Rows[] = [{ first: 0, second: 0, others: 0, most: 0, weight: 1 }];
  for (const group of groups) {
    if (group.count === 0) continue;
    const ways = coefficients(group.count);
    const next = new Map<string, Rows>();
    for (let ones = 0; ones <= group.count; ones++) {
      for (const before of known) {
        const first = before.first + (group.first ? ones : 0);
        const second = before.second + (group.second ? ones : 0);
        const others = before.others + (group.others ? ones : 0);
        const most = Math.max(first, second, others);
        const key = `${first} ${second} ${others}`;
        const weight =
          (next.get(key)?.weight ?? 0) + before.weight * ways[ones]! * powers[before.most + ones - most]!;
        next.set(key, { first, second, others, most, weight });
      }
    }
    known = [...next.values()];
  }
  return known;
}

/** The binomial coefficients of n, each to the nearest double. */
function coefficients(n: number): Float64Array {
  const row = new Float64Array(n + 1);
  let ways = 1n;
  for (let k = 0; k <= n; k++) {
    row[k] = Number(ways);
    ways = (ways * BigInt(n - k)) / BigInt(k + 1);
  }
  return row;
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
