/**
 * Items sent under the Poisson randomizer among uniform blankets, and counted: step 3 of the segmented
 * protocol, and, with one level and every item sent, the whole of balls into bins.
 */
import type {
  Cost,
  HeldSets,
  RandomStream,
  SetValuedData,
  ShuffledMessages,
  SimulationPath,
} from '@shuffle-dp/core';
import {
  poissonRandomizer,
  type ItemColumns,
  type PoissonRandomizerParameters,
} from '@shuffle-dp/randomizers';
import type { MessageRound } from '../shuffle-protocol.ts';
import { randomizedAndShuffled, type Trace } from '../traced-shuffle.ts';
import { heldSets, levelHistograms } from './level-histograms.ts';

export interface ItemMessageParameters extends Omit<PoissonRandomizerParameters, 'rates'> {
  /** Probability with which a user sends each item, per level; one entry makes all users alike. */
  readonly rates: readonly number[];
}

/** For every item of the domain the number of messages that name it. */
export function collectItems(
  parameters: ItemMessageParameters,
  data: SetValuedData,
  stream: RandomStream,
  path: SimulationPath,
  trace?: Trace,
): Float64Array {
  const { rates } = parameters;
  const randomizer = poissonRandomizer({ ...parameters, rates: Float64Array.from(rates) });
  if (path === 'aggregated') {
    return randomizer.sampleCounts(levelHistograms(data, rates.length).items, data.users, stream);
  }
  const held = rates.length === 1 ? withoutLevels(heldSets(data)) : heldSets(data);
  const run = { users: data.users, stream, trace };
  const shuffled = randomizedAndShuffled('data messages', randomizer, held, run, {
    format: ({ item }, i) => `item ${item[i]}`,
  });
  return randomizer.supportCounts(shuffled);
}

/** The same by blocks of users: what a block sends, and what is counted. */
export function itemRound(parameters: ItemMessageParameters): MessageRound<SetValuedData> {
  const { rates } = parameters;
  const randomizer = poissonRandomizer({ ...parameters, rates: Float64Array.from(rates) });
  return {
    stage: 'data messages',
    send: (block, stream) => {
      const messages = randomizer.allocate(block.users);
      const held = heldSets(block);
      randomizer.randomizeInto(rates.length === 1 ? withoutLevels(held) : held, messages, stream);
      return messages;
    },
    // The column is the one that was sent.
    count: (part) => randomizer.supportCounts(part as ShuffledMessages<ItemColumns>),
  };
}

function withoutLevels({ users, domain, items, rows, histogram }: HeldSets): HeldSets {
  return { kind: 'sets', users, domain, items, rows, histogram };
}

/** Expected messages of a user, averaged over the levels: the items sent and the blankets. */
export function itemMessageCost(
  setting: { readonly users: number; readonly domain: number; readonly items: number },
  { blanketRate, rates }: { readonly blanketRate: number; readonly rates: readonly number[] },
  levelUsers: ArrayLike<number>,
): Cost {
  let sent = 0;
  rates.forEach((rate, k) => (sent += levelUsers[k]! * rate));
  const messagesPerUser = blanketRate + (setting.items * sent) / setting.users;
  return { messagesPerUser, bitsPerUser: messagesPerUser * Math.log2(setting.domain) };
}
