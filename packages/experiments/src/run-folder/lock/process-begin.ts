/** Processes are told apart by their number and when they began: numbers are used again. */
import { readFileSync } from 'node:fs';
import { errorCode } from '@shuffle-dp/core';

/** When the process began, in the kernel's ticks; '' where this cannot be read. */
export function beginOf(pid: number): string {
  return statusOf(pid)[19] ?? '';
}

/** What the kernel says of the process after the name of its program; nothing where this cannot be read. */
function statusOf(pid: number): readonly string[] {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may have any characters.
    return status.slice(status.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

const ZOMBIE = 'Z';

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
  // Who started a process that has ended may never ask how: its number stays until then.
  if (statusOf(pid)[0] === ZOMBIE) return false;
  const found = beginOf(pid);
  return begin === '' || found === '' || found === begin;
}
