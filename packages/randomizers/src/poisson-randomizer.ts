/**
 * The Poisson randomizer with uniform blanket messages, for sets of items: each item is sent with the probability of the
 * user's privacy level, and every user adds blanket messages that name uniform items. S. Wang et al., "Segmented
 * Private Data Aggregation in the Multi-message Shuffle Model", 2025, Algorithm 2.
 */
import {
  ParameterError,
  requireInteger,
  requirePositive,
  requireProbability,
  sampleBinomial,
  type RandomStream,
  type SetValuedData,
  type ShuffledMessages,
  type UserMessages,
} from '@shuffle-dp/core';
import { blanketItems, requireRoom, type BlanketKind, type ItemColumn } from './blanket-items.ts';
import { categoryColumn, countCategories } from './category-column.ts';
import {
  CELL_BITS,
  CELL_MASK,
  COINS,
  UNDECIDED,
  coinMasks,
  decideCoins,
  type CoinMasks,
} from './coin-masks.ts';

export interface PoissonRandomizerParameters {
  readonly domain: number;
  readonly itemsPerUser: number;
  /** Probability with which a user of each level sends each item. */
  readonly rates: Float64Array;
  /** Expected blanket messages of a user, any positive number. */
  readonly blanketRate: number;
  readonly blankets: BlanketKind;
  /** For negative-binomial blankets, in [0.01, 1): the variance of an item's blankets is their mean over this. */
  readonly successProbability?: number;
}

export type ItemColumns = { readonly item: ItemColumn };

export interface PoissonRandomizer {
  readonly name: 'poisson-blanket';
  readonly domain: number;
  readonly bitsPerMessage: number;
  /** Room for the messages of so many users; more is made when they happen to send more. */
  allocate(users: number): UserMessages<ItemColumns>;
  /** `data.levelOf` chooses each user's rate; without it all have the first. */
  randomizeInto(data: SetValuedData, messages: UserMessages<ItemColumns>, stream: RandomStream): void;
  supportCounts(messages: ShuffledMessages<ItemColumns>): Float64Array;
  /**
   * The counts without messages, from the number of holders of each item at each level. Items of one user are sent
   * independently, so this is the exact joint law.
   */
  sampleCounts(levelHistograms: readonly Float64Array[], users: number, stream: RandomStream): Float64Array;
}

/** @throws ParameterError */
export function poissonRandomizer(parameters: PoissonRandomizerParameters): PoissonRandomizer {
  const { domain, itemsPerUser, rates, blanketRate, blankets } = parameters;
  requireInteger('domain', domain, 2, 2 ** 21);
  requireInteger('itemsPerUser', itemsPerUser, 1, domain);
  requirePositive('blanketRate', blanketRate);
  if (rates.length === 0) throw new ParameterError('rates', '[]', 'one rate per level');
  rates.forEach((rate, k) => requireProbability(`rates[${k}]`, rate));
  const blanket = blanketItems(blankets, domain, blanketRate, parameters.successProbability);
  let coins: CoinMasks | undefined;
  return Object.freeze({
    name: 'poisson-blanket',
    domain,
    bitsPerMessage: Math.log2(domain),
    allocate(users: number) {
      const room = users * itemsPerUser + blanket.room(users);
      return { columns: { item: categoryColumn(domain, room) }, count: 0 };
    },
    randomizeInto(data, messages, stream) {
      const drawn = blanket.draw(data.users, stream);
      const { item } = messages.columns;
      coins ??= coinMasks(rates);
      const sent = sendItems(data, itemsPerUser, coins, item, stream);
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

/** Messages of a block are made here, whatever the type of the column: a loop over one array is compiled better. */
const made = new Uint16Array(1 << 16);
/** Half a word for each look at coins; a user has one for every four items or fewer. */
const words = new Uint32Array(1 << 14);
const BLOCK = 4096;

/** Writes the items sent to the front of `out` and returns their number. */
function sendItems(
  data: SetValuedData,
  itemsPerUser: number,
  coins: CoinMasks,
  out: ItemColumn,
  stream: RandomStream,
): number {
  const looks = Math.ceil(itemsPerUser / COINS);
  const block = Math.min(BLOCK, Math.floor(made.length / itemsPerUser));
  let sent = 0;
  for (let user = 0; user < data.users; user += block) {
    const end = Math.min(data.users, user + block);
    stream.fillUint32(words, 0, Math.ceil(((end - user) * looks) / 2));
    const count = sendBlock(data, user, end, itemsPerUser, coins, stream);
    requireRoom(out, sent + count);
    out.set(made.subarray(0, count), sent);
    sent += count;
  }
  return sent;
}

/** Fills `made` and returns how many. Every item is written and the place moves on by the coin, so that no branch waits for it. */
function sendBlock(
  { items, levelOf }: SetValuedData,
  start: number,
  end: number,
  itemsPerUser: number,
  coins: CoinMasks,
  stream: RandomStream,
): number {
  const { cells } = coins;
  let sent = 0;
  let look = 0;
  let place = start * itemsPerUser;
  for (let user = start; user < end; user++) {
    const level = levelOf === undefined ? 0 : levelOf[user]!;
    for (let left = itemsPerUser; left > 0; left -= COINS, look++) {
      const cell = (words[look >>> 1]! >>> ((look & 1) << 4)) & CELL_MASK;
      let mask = cells[(level << CELL_BITS) | cell]!;
      if (mask === UNDECIDED) mask = decideCoins(coins, level, stream);
      if (left >= COINS) {
        const second = (sent + (mask & 1)) | 0;
        const third = (second + ((mask >> 1) & 1)) | 0;
        const fourth = (third + ((mask >> 2) & 1)) | 0;
        made[sent] = items[place]!;
        made[second] = items[place + 1]!;
        made[third] = items[place + 2]!;
        made[fourth] = items[place + 3]!;
        sent = (fourth + (mask >> 3)) | 0;
        place += COINS;
      } else {
        for (let coin = 0; coin < left; coin++) {
          made[sent] = items[place++]!;
          sent = (sent + ((mask >> coin) & 1)) | 0;
        }
      }
    }
  }
  return sent;
}
