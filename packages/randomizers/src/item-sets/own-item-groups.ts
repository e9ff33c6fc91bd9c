/**
 * How many users with one set send each of its items, where a user sends a uniform one of them or none:
 * groups of eight users and fewer are one draw from all that may come out.
 */
import { aliasTable, binomialCoefficient, Real, type AliasTable, type RandomStream } from '@shuffle-dp/core';

/** What may come out of a group, at most: 495 of eight users with four items. */
const MOST_OUTCOMES = 500;
/** Users of a group, at most: of one item there are few outcomes. */
const MOST_USERS = 32;
/** Draws that are made at once. */
const DRAWS = 256;

/** Groups of so many users. */
export interface OwnItemGroup {
  readonly users: number;
  readonly items: number;
  readonly table: AliasTable;
  /** Outcome after outcome, how many users send each of the items, and how many send none. */
  readonly senders: Uint8Array;
}

/**
 * Groups of 1, 2, 4, ... users, the largest first.
 * @param items of the set; @param truthful probability that a user sends one of them
 */
export function ownItemGroups(items: number, truthful: number): readonly OwnItemGroup[] {
  const groups: OwnItemGroup[] = [];
  for (let users = 1; users <= MOST_USERS; users *= 2) {
    if (users > 1 && binomialCoefficient(users + items, items) > MOST_OUTCOMES) break;
    groups.unshift(groupOf(users, items, truthful));
  }
  return groups;
}

function groupOf(users: number, items: number, truthful: number): OwnItemGroup {
  const senders: number[] = [];
  const masses: number[] = [];
  const own = new Uint8Array(items + 1);
  // The multinomial law, one item after the other: the users that are left at the end send none.
  const extend = (item: number, left: number, mass: number): void => {
    if (item === items) {
      own[items] = left;
      senders.push(...own);
      masses.push(mass * Real.power(1 - truthful, left));
      return;
    }
    for (let sent = 0; sent <= left; sent++) {
      own[item] = sent;
      const ways = binomialCoefficient(left, sent);
      extend(item + 1, left - sent, mass * ways * Real.power(truthful / items, sent));
    }
  };
  extend(0, users, 1);
  return { users, items, table: aliasTable(masses), senders: Uint8Array.from(senders) };
}

/**
 * Adds to the counts of items what users send of their own ones.
 * @param left users with each of the sets, which is overwritten; @returns how many users send none
 */
export function addOwnItems(
  groups: readonly OwnItemGroup[],
  rows: Uint16Array,
  left: Float64Array,
  counts: Float64Array,
  stream: RandomStream,
): number {
  let without = 0;
  // Group after group, so that loops are of one table.
  for (const group of groups) without += addGroups(group, rows, left, counts, stream);
  return without;
}

function addGroups(
  { users, items, table, senders }: OwnItemGroup,
  rows: Uint16Array,
  left: Float64Array,
  counts: Float64Array,
  stream: RandomStream,
): number {
  const drawn = new Uint32Array(DRAWS);
  let used = DRAWS;
  let without = 0;
  for (let set = 0; set < left.length; set++) {
    let remaining = left[set]!;
    if (remaining < users) continue;
    const from = set * items;
    for (; remaining >= users; remaining -= users) {
      if (used === DRAWS) {
        table.fill(drawn, stream);
        used = 0;
      }
      const first = drawn[used++]! * (items + 1);
      for (let i = 0; i < items; i++) counts[rows[from + i]!]! += senders[first + i]!;
      without += senders[first + items]!;
    }
    left[set] = remaining;
  }
  return without;
}
