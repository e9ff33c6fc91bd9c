/** A server that is gone is waited for, and said to be. */
import { setTimeout } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import { QueueError } from './queue-address.ts';

const TELL_EVERY_MS = 10_000;

/** Says that a server is gone, and not more often than helps. */
export function troubleTeller(shown: string, onNotice: (line: string) => void): (reason: string) => void {
  let told = -Infinity;
  return (reason) => {
    if (performance.now() - told < TELL_EVERY_MS) return;
    told = performance.now();
    onNotice(`${shown}: ${reason}: tried again until it is back`);
  };
}

const TRY_AGAIN_MS = 1000;

/** @throws the signal's reason when aborted */
export async function untilPrepared(
  engine: Engine,
  tell: (reason: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    /* oxlint-disable no-await-in-loop */
    try {
      return await engine.prepare();
    } catch (error) {
      tell(error instanceof QueueError ? error.reason : String(error));
      await setTimeout(TRY_AGAIN_MS);
    }
    /* oxlint-enable no-await-in-loop */
  }
}
