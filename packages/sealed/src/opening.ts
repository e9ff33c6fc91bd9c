/** The analyzer's half: opens what the shuffler hands on, and says of every message what became of it. */
import type { MessageColumns, ShuffledMessages } from '@shuffle-dp/core';
import { hpkeOpener, KEY_BYTES, type HpkeKeyPair } from './hpke.ts';
import { decodeMessages, type MessageLayout } from './message-layout.ts';

/**
 * 'does not open': damaged, or sealed to another key or for another purpose. 'used context': its key came
 * before.
 */
export type OpeningVerdict = 'opened' | 'does not open' | 'wrong length' | 'used context';

export interface OpenedBatch {
  readonly messages: ShuffledMessages;
  /** One for each sealed message, in their order. */
  readonly verdicts: readonly OpeningVerdict[];
}

/**
 * One recipient, over the batches of its life: an encapsulated key that has opened once opens no second
 * message.
 */
export class SealedOpening {
  private readonly used = new Set<string>();
  private readonly keys: HpkeKeyPair;

  constructor(keys: HpkeKeyPair) {
    this.keys = keys;
  }

  /** @param batch as the shuffler sent it: its order is that of the messages which open */
  open(batch: readonly Uint8Array[], info: Uint8Array, layout: MessageLayout): OpenedBatch {
    const open = hpkeOpener(this.keys, info);
    const opened: Uint8Array[] = [];
    const verdicts = batch.map((sealed): OpeningVerdict => {
      const plaintext = open(sealed);
      if (plaintext === null) return 'does not open';
      if (plaintext.length !== layout.bytes) return 'wrong length';
      const context = Buffer.from(sealed.subarray(0, KEY_BYTES)).toString('latin1');
      if (this.used.has(context)) return 'used context';
      this.used.add(context);
      opened.push(plaintext);
      return 'opened';
    });
    const columns: MessageColumns = decodeMessages(opened, layout);
    return { messages: { columns, count: opened.length } as ShuffledMessages, verdicts };
  }
}
