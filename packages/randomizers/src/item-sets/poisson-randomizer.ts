/**
 * The Poisson randomizer with uniform blanket messages, for sets of items: each item is sent with the
 * probability of the user's privacy level, and every user adds blanket messages that name uniform items. S.
 * Wang et al., "Segmented Private Data Aggregation in the Multi-message Shuffle Model", 2025, Algorithm 2.
 */
import {
  ParameterError,
  requireInteger,
  requirePositive,
  requireProbability,
  sampleBinomial,
  type RandomStream,
  type HeldSets,
  type ShuffledMessages,
  type UserMessages,
} from '@shuffle-dp/core';
import { blanketItems, requireRoom, type BlanketKind, type ItemColumn } from './blanket-items.ts';
import { categoryColumn, countCategories } from '../columns/category-column.ts';
import {
  CELL_BITS,
  CELL_MASK,
  COINS,
  UNDECIDED,
  coinMasks,
  decideCoins,
  type CoinMasks,
} from '../columns/coin-masks.ts';

export interface PoissonRandomizerParameters {
  readonly domain: number;
  readonly items: number;
  /** Probability with which a user of each level sends each item. */
  readonly rates: Float64Array;
  /** Expected blanket messages of a user, any positive number. */
  readonly blanketRate: number;
  readonly blankets: BlanketKind;
  /**
   * For negative-binomial blankets, in [0.01, 1): the variance of an item's blankets is their mean over this.
   */
  readonly successProbability?: number;
  /** For the paper's blankets: coins of a user where ceil(m) would do. */
  readonly slots?: number;
}

export type ItemColumns = { readonly item: ItemColumn };

export interface PoissonRandomizer {
  readonly name: 'poisson-blanket';
  readonly domain: number;
  readonly bitsPerMessage: number;
  /**
   * Room for the messages of so many users, twelve deviations of the blankets above their mean: whoever draws
   * more throws a RangeError.
   */
  allocate(users: number): UserMessages<ItemColumns>;
  /** `data.levelOf` chooses each user's rate; without it all have the first. */
  randomizeInto(data: HeldSets, messages: UserMessages<ItemColumns>, stream: RandomStream): void;
  supportCounts(messages: ShuffledMessages<ItemColumns>): Float64Array;
  /**
   * The counts without messages, from the number of holders of each item at each level. Items of one user are
   * sent independently, so this is the exact joint law.
   */
  sampleCounts(levelHistograms: readonly Float64Array[], users: number, stream: RandomStream): Float64Array;
}

/**
 * The randomizer of the segmented protocol: sampled own items among blanket messages.
 *
 * @throws ParameterError
 * @example poissonRandomizer({ domain: 8, items: 2, rates: [0.5], blanketRate: 3, blankets: 'poisson' }).allocate(10).count // 0
 */
export function poissonRandomizer(parameters: PoissonRandomizerParameters): PoissonRandomizer {
  const { domain, items, rates, blanketRate, blankets } = parameters;
  requireInteger('domain', domain, 2, 2 ** 21);
  requireInteger('items', items, 1, Math.min(domain, BLOCK));
  requirePositive('blanketRate', blanketRate);
  if (rates.length === 0) throw new ParameterError('rates', '[]', 'one rate per level');
  rates.forEach((rate, k) => requireProbability(`rates[${k}]`, rate));
  const blanket = blanketItems(
    blankets,
    domain,
    blanketRate,
    parameters.successProbability,
    parameters.slots,
  );
  let coins: CoinMasks | undefined;
  return Object.freeze({
    name: 'poisson-blanket',
    domain,
    bitsPerMessage: Math.log2(domain),
    allocate(users: number) {
      const room = users * items + blanket.room(users);
      return { columns: { item: categoryColumn(domain, room) }, count: 0 };
    },
    randomizeInto(data, messages, stream) {
      const drawn = blanket.draw(data.users, stream);
      const { item } = messages.columns;
      coins ??= coinMasks(rates);
      const sent = sendItems(data, items, coins, item, stream);
      messages.count = blanket.fill(drawn, item, sent, stream);
    },
    supportCounts: ({ columns, count }) => countCategories(columns.item, count, domain),
    sampleCounts(levelHistograms, users, stream) {
      const counts = new Float64Array(domain);
      levelHistograms.forEach((histogram, k) => {
        for (let j = 0; j < domain; j++) counts[j]! += sampleBinomial(histogram[j]!, rates[k]!, stream);
      });
      blanket.addCounts(users, counts, stream);
      return counts;
    },
  } satisfies PoissonRandomizer);
}

/**
 * Users of a block have at most so many items in all, those included that fill up a look at coins. An engine
 * reads and writes arrays that are always the same ones fastest.
 */
const BLOCK = 1 << 16;
const MOST_USERS = 4096;
const held = new Uint16Array(BLOCK);
const made = new Uint16Array(BLOCK);
const masks = new Uint8Array(BLOCK / COINS);
/** Half a word for each look at coins. */
const words = new Uint32Array(BLOCK / COINS / 2);

/** Writes the items sent to the front of `out` and returns their number. */
function sendItems(
  { users, rows, levelOf }: HeldSets,
  items: number,
  coins: CoinMasks,
  out: ItemColumn,
  stream: RandomStream,
): number {
  const looks = Math.ceil(items / COINS);
  const block = Math.min(MOST_USERS, Math.floor(BLOCK / (looks * COINS)));
  let sent = 0;
  for (let user = 0; user < users; user += block) {
    const end = Math.min(users, user + block);
    stream.fillUint32(words, 0, Math.ceil(((end - user) * looks) / 2));
    holdItems(rows, user, end, items);
    drawMasks(levelOf, [user, end], items, coins, stream);
    const count = sendHeld((end - user) * looks);
    requireRoom(out, sent + count);
    out.set(made.subarray(0, count), sent);
    sent += count;
  }
  return sent;
}

/** Copies the items of these users to `held`, each user's from a multiple of four on. */
function holdItems(rows: Uint16Array, start: number, end: number, items: number): void {
  if (items % COINS === 0) {
    held.set(rows.subarray(start * items, end * items));
    return;
  }
  const filled = COINS * Math.ceil(items / COINS);
  for (let user = start, place = 0; user < end; user++, place += filled) {
    for (let i = 0; i < items; i++) held[place + i] = rows[user * items + i]!;
  }
}

/** Fills `masks` with one for each look of these users. */
function drawMasks(
  levelOf: Uint8Array | undefined,
  [start, end]: readonly [start: number, end: number],
  items: number,
  coins: CoinMasks,
  stream: RandomStream,
): void {
  const { cells } = coins;
  const looks = Math.ceil(items / COINS);
  const last = (1 << (items - (looks - 1) * COINS)) - 1;
  let look = 0;
  for (let user = start; user < end; user++) {
    const level = levelOf === undefined ? 0 : levelOf[user]!;
    for (let left = looks; left > 0; left--, look++) {
      const cell = (words[look >>> 1]! >>> ((look & 1) << 4)) & CELL_MASK;
      let mask = cells[(level << CELL_BITS) | cell]!;
      if (mask === UNDECIDED) mask = decideCoins(coins, level, stream);
      masks[look] = left === 1 ? mask & last : mask;
    }
  }
}

/**
 * Fills `made` and returns how many. Every item is written and the place moves on by the coin, so that no
 * branch waits for it.
 */
function sendHeld(looks: number): number {
  let sent = 0;
  for (let look = 0; look < looks; look++) {
    const mask = masks[look]!;
    const first = look << 2;
    const second = (sent + (mask & 1)) | 0;
    const third = (second + ((mask >> 1) & 1)) | 0;
    const fourth = (third + ((mask >> 2) & 1)) | 0;
    made[sent] = held[first]!;
    made[second] = held[first + 1]!;
    made[third] = held[first + 2]!;
    made[fourth] = held[first + 3]!;
    sent = (fourth + (mask >> 3)) | 0;
  }
  return sent;
}
