/** One piece of a figure after the other, with room for Ctrl-C and progress between them. */
import { setImmediate } from 'node:timers/promises';

/** @throws what `make` throws, and the signal's reason when aborted */
export async function inTurn<Entry, Made>(
  entries: readonly Entry[],
  { signal }: { readonly signal?: AbortSignal | undefined },
  make: (entry: Entry, index: number) => Made | Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [index, entry] of entries.entries()) {
    // That they are made in turn is the point.
    // oxlint-disable-next-line no-await-in-loop
    await setImmediate();
    signal?.throwIfAborted();
    // oxlint-disable-next-line no-await-in-loop
    made.push(await make(entry, index));
  }
  return made;
}
