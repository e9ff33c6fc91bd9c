/** Messages of any frequency oracle, whatever their columns. */
import type { Column, RandomStream, ShuffledMessages, UserMessages } from '@shuffle-dp/core';
import type { AnyOracle } from './enumeration.ts';

export type Messages = UserMessages<Record<string, Column>>;
export type Shuffled = ShuffledMessages<never>;

export const asShuffled = (messages: Messages): Shuffled => messages as unknown as Shuffled;

export function randomize(oracle: AnyOracle, values: Uint32Array, stream: RandomStream): Messages {
  const messages = oracle.allocate(values.length) as unknown as Messages;
  (oracle.randomizeInto as unknown as (v: Uint32Array, m: Messages, s: RandomStream) => void)(
    values,
    messages,
    stream,
  );
  return messages;
}
