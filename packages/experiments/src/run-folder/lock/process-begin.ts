/** Processes are told apart by their number and when they began: numbers are used again. */
import { readFileSync } from 'node:fs';
import { errorCode } from '@shuffle-dp/core';

/** When the process began, in the kernel's ticks; '' where this cannot be read. */
export function beginOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may have any characters; the begin is the twentieth field
    // after it.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
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
  const found = beginOf(pid);
  return begin === '' || found === '' || found === begin;
}
