/**
 * The shuffler's half: takes sealed messages of one length, refuses copies, and hands a batch on in uniformly
 * random order once it is large enough. It has no key, and keeps nothing of where a message came from.
 */
import type { RandomStream } from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';

/** What became of a message at the shuffler. */
export type IntakeVerdict = 'accepted' | 'wrong length' | 'duplicate' | 'replay';

/** What a batch must be. */
export interface BatchRules {
  /** Of every sealed message. */
  readonly bytes: number;
  /** Messages below which nothing is handed on. */
  readonly minimum: number;
}

/** A batch too small to hide in. */
export class SmallBatchError extends Error {
  override readonly name = 'SmallBatchError';
  readonly code = 'small-batch';
  readonly accepted: number;
  readonly minimum: number;

  constructor(accepted: number, minimum: number) {
    super(`a batch of ${accepted} messages is not handed on: the minimum is ${minimum}`);
    this.accepted = accepted;
    this.minimum = minimum;
  }
}

/** One shuffler, over the batches of its life. */
export class SealedIntake {
  /** Every message that was accepted, byte by byte: one that comes again in another batch is a replay. */
  private readonly accepted = new Set<string>();

  /** @param rules of the batch that is opened */
  openBatch(rules: BatchRules): SealedBatch {
    return new SealedBatch(rules, this.accepted);
  }
}

/** Messages on their way through the shuffler. */
class SealedBatch {
  private readonly rules: BatchRules;
  private readonly accepted: Set<string>;
  private readonly held = new Map<string, Uint8Array>();

  constructor(rules: BatchRules, accepted: Set<string>) {
    this.rules = rules;
    this.accepted = accepted;
  }

  /**
   * A copy is told by all of its bytes: a message that shares only a part with another may be that of an
   * attacker who wants the other refused.
   */
  take(sealed: Uint8Array): IntakeVerdict {
    if (sealed.length !== this.rules.bytes) return 'wrong length';
    const key = Buffer.from(sealed).toString('latin1');
    if (this.held.has(key)) return 'duplicate';
    if (this.accepted.has(key)) return 'replay';
    this.accepted.add(key);
    this.held.set(key, sealed);
    return 'accepted';
  }

  /**
   * The accepted messages, permuted uniformly; the batch ends.
   * @throws SmallBatchError; the messages are dropped, and may be sent again
   */
  close(permutation: RandomStream): readonly Uint8Array[] {
    const keys = [...this.held.keys()];
    const messages = [...this.held.values()];
    this.held.clear();
    if (messages.length < this.rules.minimum) {
      for (const key of keys) this.accepted.delete(key);
      throw new SmallBatchError(messages.length, this.rules.minimum);
    }
    const order = Uint32Array.from(messages, (_, i) => i);
    const { columns } = shuffle({ columns: { order }, count: order.length }, permutation);
    return Array.from(columns.order, (from) => messages[from]!);
  }
}
