/** A task that takes a while, for pools. */
import { threadId } from 'node:worker_threads';

export const BUSY_TASKS = import.meta.url;

/** Busy for so many milliseconds; the thread that was, 0 for the calling one. */
export function stayBusy(milliseconds: number): number {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
  return threadId;
}
