/**
 * Files for messages that memory has no room for, in a folder among the temporary files that is named by its
 * process. A process that is killed outright leaves its folder: the next one removes it.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskError } from '../run-folder/disk-error.ts';
import { beginOf, isAlive } from '../run-folder/lock/process-begin.ts';

const PREFIX = 'shuffle-dp-messages-';
/** Host, process, when it began; and what sets folders of one process apart. */
const NAME = new RegExp(`^${PREFIX}([0-9a-f]{12})-([0-9]+)-([0-9]*)-`, 'u');

export class MessageFiles {
  #folder: string | null = null;

  constructor() {
    removeAbandoned(tmpdir());
  }

  /** Where a file of this name may be written. @throws DiskError where no folder can be made */
  path(name: string): string {
    this.#folder ??= makeFolderIn(tmpdir());
    return join(this.#folder, name);
  }

  /** Removes all files. */
  empty(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }
}

function makeFolderIn(place: string): string {
  try {
    return mkdtempSync(join(place, `${PREFIX}${ownerName()}-`));
  } catch (error) {
    throw new DiskError(place, error);
  }
}

function ownerName(): string {
  return `${hostName()}-${process.pid}-${beginOf(process.pid)}`;
}

/** Containers that share a folder for temporary files number their processes apart. */
function hostName(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
}

/** Folders of processes of this host that are no more. What cannot be removed stays. */
function removeAbandoned(place: string): void {
  const here = hostName();
  for (const folder of entriesOf(place)) {
    const [, host, pid, begin] = NAME.exec(folder) ?? [];
    if (host !== here || isAlive(Number(pid), begin!)) continue;
    try {
      rmSync(join(place, folder), { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

/** None where the place is missing or not to be read: most trials need no files. */
function entriesOf(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}
