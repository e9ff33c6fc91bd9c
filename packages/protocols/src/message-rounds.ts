/** Protocols of a single round, for users who are met block by block. */
import type { MessageColumns, RandomStream, SetValuedData, ShuffledMessages } from '@shuffle-dp/core';
import type { SetFrequencyOracle } from '@shuffle-dp/randomizers';
import { heldSets } from './item-sets/level-histograms.ts';
import type { MessageRound, MessageRounds } from './shuffle-protocol.ts';

/** @param analyze from the counts of all messages to the estimates */
export function oneRound<Data>(
  round: MessageRound<Data>,
  analyze: (counts: Float64Array) => Float64Array,
): MessageRounds<Data> {
  return ([counts]) => (counts === undefined ? round : analyze(counts));
}

/** One message about a whole set from every user. */
export function oracleRound<Columns extends MessageColumns>(
  oracle: Pick<SetFrequencyOracle<Columns>, 'allocate' | 'randomizeInto' | 'supportCounts' | 'estimate'>,
  users: number,
): MessageRounds<SetValuedData> {
  return oneRound(
    {
      stage: 'data messages',
      send: (block: SetValuedData, stream: RandomStream) => {
        const messages = oracle.allocate(block.users);
        oracle.randomizeInto(heldSets(block), messages, stream);
        return messages;
      },
      // The columns are those that were sent.
      count: (part) => oracle.supportCounts(part as ShuffledMessages<Columns>),
    },
    (counts) => oracle.estimate(counts, users),
  );
}
