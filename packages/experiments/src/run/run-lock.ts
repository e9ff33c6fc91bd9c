/** One run per folder: a lock file with the process's id. A lock whose process is gone is taken over. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export const LOCK_FILE = 'run.lock';

/** A killed launcher's process needs a moment to notice. */
const PATIENCE_MS = 3000;
const STEP_MS = 50;

interface LockContent {
  readonly pid: number;
  readonly host: string;
}

/** The folder belongs to a run that is still going. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
}

/** @returns what releases the lock @throws LockedError, and system errors where the folder cannot be written */
export async function lockFolder(folder: string, patienceMs = PATIENCE_MS): Promise<() => void> {
  const file = join(folder, LOCK_FILE);
  const content = JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockContent);
  for (let waited = 0; ;) {
    try {
      writeFileSync(file, content, { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    }
    const holder = readLock(file);
    if (holder !== null && isGone(holder)) {
      rmSync(file, { force: true });
    } else {
      if (waited >= patienceMs) {
        const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`;
        throw new LockedError(
          `${folder}: another run is going on here (${who}); if it is not, delete ${LOCK_FILE}`,
        );
      }
      // The holder is asked again and again until it is gone.
      // oxlint-disable-next-line no-await-in-loop
      await setTimeout(STEP_MS);
      waited += STEP_MS;
    }
  }
}

function readLock(file: string): LockContent | null {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Partial<LockContent>;
    return typeof content.pid === 'number' && typeof content.host === 'string'
      ? (content as LockContent)
      : null;
  } catch {
    return null;
  }
}

function isGone({ pid, host }: LockContent): boolean {
  if (host !== hostname()) return false;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH';
  }
}
