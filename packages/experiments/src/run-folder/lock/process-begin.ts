/** Processes are told apart by their number and when they began: numbers are used again. */
import { readFileSync } from 'node:fs';
import { errorCode } from '@shuffle-dp/core';

/** When the process began, in the kernel's ticks; '' where this cannot be read. */
export function beginOf(pid: number): string {
  return statusOf(pid).begin;
}

const ZOMBIE = 'Z';

/** What the kernel says of the process; texts are empty where it cannot be read. */
function statusOf(pid: number): { readonly state: string; readonly begin: string } {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may have any characters; the begin is the twentieth field
    // after it.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', begin: fields[19] ?? '' };
  } catch {
    return { state: '', begin: '' };
  }
}

/**
 * Whether the process of this host is still there, as far as is known.
 * @param begin when it began, as `beginOf` said
 */
export function isAlive(pid: number, begin: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Of another user there is no more to be known.
    return errorCode(error) !== 'ESRCH';
  }
  const found = statusOf(pid);
  // Who started a process that has ended may never ask how: its number stays until then.
  if (found.state === ZOMBIE) return false;
  return begin === '' || found.begin === '' || found.begin === begin;
}
