/** One run per folder: a lock file with the process's id. A lock whose process is gone is taken over. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
  readonly code = 'locked';
}

/**
 * @returns what releases the lock @throws LockedError, and system errors where the folder cannot be written
 */
export async function lockFolder(folder: string, patienceMs = PATIENCE_MS): Promise<() => void> {
  const file = join(folder, LOCK_FILE);
  const content = JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockContent);
  for (let waited = 0; ;) {
    if (createLock(file, content)) return () => rmSync(file, { force: true });
    const holder = readLock(file);
    // A lock that is still without content after all that time was torn when its process was killed.
    if (holder === null ? waited >= patienceMs : isGone(holder)) {
      takeAway(file, holder);
    } else {
      if (waited >= patienceMs) {
        throw new LockedError(
          `${folder}: another run is going on here (process ${holder!.pid} on ${holder!.host}): wait for it, or name another folder with --out; if it is not running any more, delete ${LOCK_FILE}`,
        );
      }
      // The holder is asked again and again until it is gone.
      // oxlint-disable-next-line no-await-in-loop
      await setTimeout(STEP_MS);
      waited += STEP_MS;
    }
  }
}

/** False where there is one. A disk that is full leaves none. */
function createLock(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    rmSync(file, { force: true });
    throw error;
  }
}

/** Another process may have taken the stale lock away and put its own in its place: that one is put back. */
function takeAway(file: string, stale: LockContent | null): void {
  const aside = `${file}.tmp-${process.pid}`;
  try {
    renameSync(file, aside);
    const taken = readLock(aside);
    if (taken?.pid !== stale?.pid || taken?.host !== stale?.host) linkSync(aside, file);
  } catch {
    // Gone already, or taken meanwhile: the next look tells.
  }
  rmSync(aside, { force: true });
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
