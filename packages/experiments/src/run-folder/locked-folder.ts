/** A folder that is made where it is missing, and that no other run writes to meanwhile. */
import { errorCode } from '@shuffle-dp/core';
import { systemReason } from '../words/system-reason.ts';
import { lockFolder } from './lock/run-lock.ts';
import { makeFolder, OutputError, removeMade } from './make-folder.ts';

export interface LockedFolder {
  /** The folders that were made, as `makeFolder` returns them. */
  readonly made: readonly string[];
  release(): void;
}

/** @throws OutputError, LockedError, and leaves no folder that was made */
export async function makeLockedFolder(path: string): Promise<LockedFolder> {
  const made = makeFolder(path);
  try {
    return { made, release: await lockFolder(path) };
  } catch (error) {
    removeMade(made);
    if (errorCode(error) === 'locked') throw error;
    throw new OutputError(`${path}: cannot be written: ${systemReason(error)}`);
  }
}
