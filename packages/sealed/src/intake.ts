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
  /** Every message ever accepted, byte by byte: one that comes again in a later batch is a replay. */
  private readonly earlier = new Set<string>();

  /** @param rules of the batch that is opened */
  openBatch(rules: BatchRules): SealedBatch {
    return new SealedBatch(rules, this.earlier);
  }
}

/** Messages on their way through the shuffler. */
class SealedBatch {
  private readonly rules: BatchRules;
  private readonly earlier: Set<string>;
  private readonly held = new Map<string, Uint8Array>();

  constructor(rules: BatchRules, earlier: Set<string>) {
    this.rules = rules;
    this.earlier = earlier;
  }

  /**
   * A copy is told by all of its bytes: a message that shares only a part with another may be that of an
   * attacker who wants the other refused.
   */
  take(sealed: Uint8Array): IntakeVerdict {
    if (sealed.length !== this.rules.bytes) return 'wrong length';
    const key = Buffer.from(sealed).toString('latin1');
    if (this.held.has(key)) return 'duplicate';
    if (this.earlier.has(key)) return 'replay';
    this.held.set(key, sealed);
    return 'accepted';
  }

  /**
   * The accepted messages, permuted uniformly; the batch ends.
   * @throws SmallBatchError; the messages are dropped, and may be sent again
   */
  close(permutation: RandomStream): readonly Uint8Array[] {
    const messages = [...this.held.values()];
    if (messages.length < this.rules.minimum) throw new SmallBatchError(messages.length, this.rules.minimum);
    for (const key of this.held.keys()) this.earlier.add(key);
    this.held.clear();
    const order = Uint32Array.from(messages, (_, i) => i);
    const { columns } = shuffle({ columns: { order }, count: order.length }, permutation);
    return Array.from(columns.order, (from) => messages[from]!);
  }
}
