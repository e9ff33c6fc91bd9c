/**
 * A protocol's run in halves: as far as the next messages that are not known yet, with those of earlier
 * shuffles as the analyzer opened them. A protocol says its run as one function; the users run it up to the
 * shuffle, the analyzer from there on.
 */
import type {
  MessageCarrier,
  MessageColumns,
  RandomStream,
  SentBatch,
  ShuffledMessages,
} from '@shuffle-dp/core';
import type { CellProtocol } from '../trials/cell-protocol.ts';
import type { AnyData } from '../kinds/data-kind.ts';

/** Where a run stands: before messages that must be carried, or at its end. */
export type Standing = { readonly batch: SentBatch } | { readonly estimates: Float64Array };

/** @param known the messages of the first shuffles, as the analyzer has them */
export function runAsFarAs(
  known: readonly ShuffledMessages[],
  protocol: CellProtocol,
  data: AnyData,
  stream: RandomStream,
): Standing {
  let next = 0;
  const carrier: MessageCarrier = {
    carry<Columns extends MessageColumns>(batch: SentBatch<Columns>) {
      const messages = known[next++];
      if (messages === undefined) throw new UnknownMessages(batch);
      // Protocols write to none of them; copies would be made at every round.
      return messages as ShuffledMessages<Columns>;
    },
  };
  try {
    return { estimates: protocol.estimate(data, stream, carrier) };
  } catch (error) {
    if (error instanceof UnknownMessages) return { batch: error.batch };
    throw error;
  }
}

/** Not a failure: how the run is left where it cannot go on. */
class UnknownMessages extends Error {
  override readonly name = 'UnknownMessages';
  readonly batch: SentBatch;

  constructor(batch: SentBatch) {
    super(batch.stage);
    this.batch = batch;
  }
}
