/** One run per folder: a lock file that names its process. A lock whose process is gone is taken over. */
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errorCode } from '@shuffle-dp/core';
import { beginOf, isAlive } from './process-begin.ts';

export const LOCK_FILE = 'run.lock';

/** A killed launcher's process needs a moment to notice. */
const PATIENCE_MS = 3000;
const STEP_MS = 50;

interface LockContent {
  readonly pid: number;
  readonly host: string;
  /** When the process began. */
  readonly begin: string;
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
  const own: LockContent = { pid: process.pid, host: hostname(), begin: beginOf(process.pid) };
  for (let waited = 0; ; waited += STEP_MS) {
    if (createLock(file, own)) return () => removeOwn(file, own);
    const holder = readLock(file);
    // A lock that is still without content after all that time was torn when its process was killed.
    const isStale = holder === 'torn' ? waited >= patienceMs : holder !== 'unreadable' && isGone(holder);
    if (isStale) takeAway(file, holder);
    else if (waited >= patienceMs) {
      const by =
        typeof holder === 'string' ? 'its lock cannot be read' : `process ${holder.pid} on ${holder.host}`;
      throw new LockedError(
        `${folder}: another run is going on here (${by}): wait for it, or name another folder with --out; if it is not running any more, delete ${LOCK_FILE}`,
      );
    }
    // The holder is asked again and again until it is gone.
    // oxlint-disable-next-line no-await-in-loop
    await setTimeout(STEP_MS);
  }
}

/** One that was deleted by hand may be another run's by now. */
function removeOwn(file: string, own: LockContent): void {
  if (isOf(file, own)) rmSync(file, { force: true });
}

/** False where there is one. A disk that is full leaves none. */
function createLock(file: string, own: LockContent): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx');
  } catch (error) {
    // Whatever else is wrong, a lock that is there is another run's.
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(descriptor, JSON.stringify(own));
    return true;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Another process may have taken the stale lock away and put its own in its place: that one is put back.
 * @throws system errors where the lock cannot be moved
 */
function takeAway(file: string, stale: Holder): void {
  const aside = `${file}.tmp-${process.pid}`;
  try {
    renameSync(file, aside);
    if (!isOf(aside, stale)) linkSync(aside, file);
  } catch (error) {
    // Gone already, or taken meanwhile: the next look tells.
    if (!['ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Whose lock it is; or that it has no content, or that what it has is not to be seen. */
type Holder = LockContent | 'torn' | 'unreadable';

function readLock(file: string): Holder {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return 'unreadable';
  }
  try {
    const { pid, host, begin = '' } = JSON.parse(text) as Partial<LockContent>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host, begin } : 'torn';
  } catch {
    return 'torn';
  }
}

function isOf(file: string, holder: Holder): boolean {
  return JSON.stringify(readLock(file)) === JSON.stringify(holder);
}

function isGone({ pid, host, begin }: LockContent): boolean {
  return host === hostname() && !isAlive(pid, begin);
}
