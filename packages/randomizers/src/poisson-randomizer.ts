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
import { blanketItems, type BlanketKind, type ItemColumn } from './blanket-items.ts';
import { categoryColumn, countCategories } from './category-column.ts';

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
      const sent = sendItems(data, itemsPerUser, rates, item, stream);
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

const BLOCK = 4096;

/** Writes the items sent to the front of `out` and returns their number. */
function sendItems(
  data: SetValuedData,
  itemsPerUser: number,
  rates: Float64Array,
  out: ItemColumn,
  stream: RandomStream,
): number {
  // 2^31, the threshold of rate 1, becomes -2^31: the difference below wraps and still has the right sign.
  const thresholds = Int32Array.from(rates, (rate) => Math.floor(rate * TWO_31) | 0);
  const remainders = rates.map((rate) => rate * TWO_31 - Math.floor(rate * TWO_31));
  const words = new Uint32Array(BLOCK * itemsPerUser);
  let sent = 0;
  for (let user = 0; user < data.users; user += BLOCK) {
    const end = Math.min(data.users, user + BLOCK);
    stream.fillUint32(words, 0, (end - user) * itemsPerUser);
    sent = sendBlock(data, user, end, itemsPerUser, thresholds, remainders, words, out, sent, stream);
  }
  return sent;
}

/** Every item is written and the place moves on by the coin, so that no branch waits for it. */
function sendBlock(
  data: SetValuedData,
  start: number,
  end: number,
  itemsPerUser: number,
  thresholds: Int32Array,
  remainders: Float64Array,
  words: Uint32Array,
  out: ItemColumn,
  from: number,
  stream: RandomStream,
): number {
  const { items, levelOf } = data;
  let sent = from;
  let draw = 0;
  for (let user = start; user < end; user++) {
    const level = levelOf === undefined ? 0 : levelOf[user]!;
    const threshold = thresholds[level]!;
    const last = (user + 1) * itemsPerUser;
    for (let place = user * itemsPerUser; place < last; place++) {
      const difference = ((words[draw++]! >>> 1) - threshold) | 0;
      out[sent] = items[place]!;
      sent += difference >>> 31;
      // On the boundary word the rest of the probability decides, so that rates are exact to 2^-84.
      if (difference === 0 && stream.next() < remainders[level]!) sent++;
    }
  }
  return sent;
}

const TWO_31 = 2 ** 31;
