/**
 * How many subsets of the subset exponential mechanism hold each item, from the joint law of all counts and
 * without messages. A subset is uniform, or else uniform among those that meet the own set: the former need
 * no user. Of the latter, users with one set are one number: how many subsets hold j own items is
 * multinomial, and given j these are a uniform j-subset of the set, beside a uniform subset of the rest.
 */
import {
  aliasTable,
  sampleBinomial,
  sampleMultinomial,
  type CountedSets,
  type RandomStream,
} from '@shuffle-dp/core';
import { sampleSubsetCounts } from '../categories/subset-counts.ts';
import { bitColumns, countRows } from '../columns/bit-rows.ts';
import { SubsetDrawer } from '../columns/subset-rows.ts';
import { addOwnItems, type OwnItemGroup } from './own-item-groups.ts';

export interface SubsetDraws {
  readonly domain: number;
  readonly items: number;
  readonly subsetSize: number;
  /** Probability that the message holds j of the own items. */
  readonly common: Float64Array;
  /** Probability of meeting the own set on top of what a uniform subset gives. */
  readonly truthful: number;
  /** Of subsets of one item: what groups of users with one set send of it. */
  readonly groups: readonly OwnItemGroup[];
}

/** Rows counted in one go. */
const BLOCK = 4096;
/** Up to so many users with one set, a coin for each costs less than a binomial. */
const COINS_UP_TO = 24;
/** From so many users with one set on, a draw for each of the other items is less than one for each user. */
const TOGETHER_FROM = 64;

/** Adds the subsets of users, set by set, and gives the counts of all. */
export class JointSupport {
  readonly #draws: SubsetDraws;
  readonly #stream: RandomStream;
  readonly #columns: ReturnType<typeof bitColumns>;
  readonly #drawer: SubsetDrawer;
  /** Of j, given that the own set is met. */
  readonly #meeting: Float64Array;
  readonly #meetingTable: ReturnType<typeof aliasTable>;
  readonly #held: Uint32Array;
  readonly #counts: Float64Array;
  #rows = 0;
  #uniform = 0;

  /** @param users of whom subsets are added, at most */
  constructor(draws: SubsetDraws, users: number, stream: RandomStream) {
    const { domain, items, common } = draws;
    this.#draws = draws;
    this.#stream = stream;
    this.#columns = bitColumns(domain, Math.min(BLOCK, users));
    this.#drawer = new SubsetDrawer(domain, items, this.#columns, stream);
    const met = common.reduce((sum, mass, j) => (j === 0 ? 0 : sum + mass), 0);
    this.#meeting = common.map((mass, j) => (j === 0 ? 0 : mass / met));
    this.#meetingTable = aliasTable(common.map((mass, j) => (j === 0 ? 0 : mass)));
    this.#held = new Uint32Array(items);
    this.#counts = new Float64Array(domain);
  }

  /** Users one by one, in whose order their sets stand. */
  addUsers(users: number, rows: Uint16Array): void {
    const { items, subsetSize } = this.#draws;
    if (subsetSize === 1) {
      this.#addSingles(rows, new Float64Array(users).fill(1));
      return;
    }
    for (let user = 0; user < users; user++) this.#addUser(rows, user * items);
  }

  /** As many users as `holders` says with each of the sets. */
  addHolders({ rows, holders }: CountedSets): void {
    const { items, truthful, subsetSize } = this.#draws;
    const singles = new Float64Array(subsetSize === 1 ? holders.length : 0);
    holders.forEach((users, i) => {
      if (subsetSize === 1 && users < TOGETHER_FROM) {
        singles[i] = users;
        return;
      }
      if (users <= COINS_UP_TO) {
        for (let left = users; left > 0; left--) this.#addUser(rows, i * items);
        return;
      }
      const meeting = sampleBinomial(users, truthful, this.#stream);
      this.#uniform += users - meeting;
      if (meeting >= TOGETHER_FROM) this.#addTogether(rows, i * items, meeting);
      else for (let left = meeting; left > 0; left--) this.#addMeeting(rows, i * items);
    });
    if (subsetSize === 1) this.#addSingles(rows, singles);
  }

  /** The counts of all that were added: once. */
  finish(): Float64Array {
    this.#countRows();
    const { domain, subsetSize } = this.#draws;
    sampleSubsetCounts(domain, subsetSize, this.#uniform, null, this.#stream).forEach(
      (count, item) => (this.#counts[item]! += count),
    );
    return this.#counts;
  }

  /** Subsets of one item, of so many users with each set. */
  #addSingles(rows: Uint16Array, users: Float64Array): void {
    this.#uniform += addOwnItems(this.#draws.groups, rows, users, this.#counts, this.#stream);
  }

  /** The subset of a user with the set at this place. */
  #addUser(rows: Uint16Array, from: number): void {
    if (this.#stream.next() < this.#draws.truthful) this.#addMeeting(rows, from);
    else this.#uniform++;
  }

  /** One subset that meets the set at this place. */
  #addMeeting(rows: Uint16Array, from: number): void {
    const { items, subsetSize: k } = this.#draws;
    const [counts, held] = [this.#counts, this.#held];
    if (k === 1) {
      counts[rows[from + this.#stream.integerBelow(items)]!]!++;
      return;
    }
    const j = this.#meetingTable.sample(this.#stream);
    holdItems(held, rows, from, j, this.#stream);
    for (let i = 0; i < j; i++) counts[held[i]!]!++;
    if (j === k) return;
    this.#drawer.addUniform(k - j, held, 0, items);
    this.#drawer.write(this.#rows++);
    if (this.#rows === BLOCK) this.#countRows();
  }

  /** So many subsets that meet the set at this place. */
  #addTogether(rows: Uint16Array, from: number, subsets: number): void {
    const { domain, items, subsetSize: k } = this.#draws;
    const [counts, stream] = [this.#counts, this.#stream];
    const own = rows.subarray(from, from + items);
    const others = itemsOutside(own, domain);
    const byCommon = new Float64Array(items + 1);
    sampleMultinomial(subsets, this.#meeting, byCommon, stream);
    for (let j = 1; j <= Math.min(k, items); j++) {
      const drawn = byCommon[j]!;
      if (drawn === 0) continue;
      sampleSubsetCounts(items, j, drawn, null, stream).forEach((count, i) => (counts[own[i]!]! += count));
      if (j === k) continue;
      sampleSubsetCounts(others.length, k - j, drawn, null, stream).forEach(
        (count, i) => (counts[others[i]!]! += count),
      );
    }
  }

  #countRows(): void {
    countRows(this.#columns, this.#draws.domain, this.#rows).forEach(
      (count, item) => (this.#counts[item]! += count),
    );
    this.#rows = 0;
  }
}

/** The items of the domain that are not in this increasing set. */
function itemsOutside(set: Uint16Array, domain: number): Uint16Array {
  const others = new Uint16Array(domain - set.length);
  for (let item = 0, next = 0, place = 0; item < domain; item++) {
    if (set[next] === item) next++;
    else others[place++] = item;
  }
  return others;
}

/** Copies the user's items to `held`, the first j of them a uniform choice: a partial shuffle. */
export function holdItems(
  held: Uint32Array,
  rows: Uint16Array,
  from: number,
  j: number,
  stream: RandomStream,
): void {
  const items = held.length;
  for (let i = 0; i < items; i++) held[i] = rows[from + i]!;
  for (let i = 0; i < j; i++) {
    const other = i + stream.integerBelow(items - i);
    const item = held[other]!;
    held[other] = held[i]!;
    held[i] = item;
  }
}
