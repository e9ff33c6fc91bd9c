/**
 * Calls of code that is not the program's may never end. A thread notes in shared memory when one begins and
 * when it ends; the main thread looks at intervals. An endless loop blocks the thread it runs in and nothing
 * else.
 */
import { counted } from '../words/counted.ts';
import { workerData } from 'node:worker_threads';

/** A call that took longer than it may. */
export class OverdueError extends Error {
  override readonly name = 'OverdueError';
}

/**
 * Each thread has a slot: how often a call began or ended, its limit in milliseconds, the length of its
 * label, the label.
 */
const SLOTS = 2048;
const HEADER_INTS = 3;
const LABEL_BYTES = 500;
const SLOT_BYTES = HEADER_INTS * 4 + LABEL_BYTES;
/** In front of the slots: how many threads have taken one. */
const COUNTER_BYTES = 4;

const TICK_MILLISECONDS = 100;

interface Slot {
  readonly header: Int32Array;
  readonly label: Uint8Array;
}

function slotAt(memory: SharedArrayBuffer, index: number): Slot {
  const start = COUNTER_BYTES + index * SLOT_BYTES;
  return {
    header: new Int32Array(memory, start, HEADER_INTS),
    label: new Uint8Array(memory, start + HEADER_INTS * 4, LABEL_BYTES),
  };
}

/** Data that threads are started with. */
interface WatchedThread {
  readonly calls: SharedArrayBuffer;
}

/** A call that waits rather than works has so many times its limit. */
const WAITING = 8;

/**
 * Looks at the calls of threads that are started with `threadData`. What counts is processor time of the
 * program while the call goes on, but no more than has passed: a machine that sleeps or is busy elsewhere
 * brings no call over its limit. Of a call that only waits, an eighth of its time counts.
 *
 * @param onOverdue called once, with the first call that is over its limit
 */
export function watchCalls(onOverdue: (error: OverdueError) => void): {
  readonly threadData: WatchedThread;
  stop(): void;
} {
  const calls = new SharedArrayBuffer(COUNTER_BYTES + SLOTS * SLOT_BYTES);
  const taken = new Int32Array(calls, 0, 1);
  const slots: (Slot & { seen: number; milliseconds: number })[] = [];
  let [lastTime, lastUsage] = [performance.now(), usedMilliseconds()];
  const look = (): void => {
    const count = Math.min(SLOTS, Atomics.load(taken, 0));
    while (slots.length < count) slots.push({ ...slotAt(calls, slots.length), seen: 0, milliseconds: 0 });
    const [time, usage] = [performance.now(), usedMilliseconds()];
    const passed = Math.min(2 * TICK_MILLISECONDS, time - lastTime);
    const spent = Math.max(passed / WAITING, Math.min(passed, usage - lastUsage));
    [lastTime, lastUsage] = [time, usage];
    for (const slot of slots) {
      const sequence = Atomics.load(slot.header, 0);
      slot.milliseconds = sequence === slot.seen ? slot.milliseconds + spent : 0;
      slot.seen = sequence;
      const limit = slot.header[1]!;
      if (sequence % 2 === 0 || slot.milliseconds < limit) continue;
      clearInterval(timer);
      const label = Buffer.from(slot.label.slice(0, slot.header[2]!)).toString('utf8');
      onOverdue(new OverdueError(`${label} has not ended after ${counted(limit / 1000, 'second')}`));
      return;
    }
  };
  const timer = setInterval(look, TICK_MILLISECONDS);
  timer.unref();
  return { threadData: { calls }, stop: () => clearInterval(timer) };
}

/** Of all threads of this program. */
function usedMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

let own: Slot | null | undefined;

function ownSlot(): Slot | null {
  if (own !== undefined) return own;
  const calls = (workerData as Partial<WatchedThread> | null)?.calls;
  if (!(calls instanceof SharedArrayBuffer)) return (own = null);
  const index = Atomics.add(new Int32Array(calls, 0, 1), 0, 1);
  return (own = index < SLOTS ? slotAt(calls, index) : null);
}

/**
 * Notes that a call has begun. Calls of one thread do not overlap. Without effect in a thread that nobody
 * watches.
 *
 * @param label what to say of it: 'module = "a.mjs": must be one that ends: its estimate'
 * @returns notes that it has ended
 */
export function beginCall(label: Uint8Array, seconds: number): () => void {
  const slot = ownSlot();
  if (slot === null) return () => undefined;
  const shown = label.subarray(0, LABEL_BYTES);
  slot.label.set(shown);
  slot.header[1] = Math.min(2 ** 31 - 1, Math.ceil(1000 * seconds));
  slot.header[2] = shown.length;
  Atomics.add(slot.header, 0, 1);
  return () => void Atomics.add(slot.header, 0, 1);
}
