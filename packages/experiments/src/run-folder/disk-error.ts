/** A file that could not be written whole, although its folder could be when the run began. */
import { systemReason } from '../words/system-reason.ts';

/** No space, no quota, or more than the shell lets a file grow. */
const WANT_OF_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly code = 'disk-full';
  readonly wantsSpace: boolean;

  constructor(file: string, cause: unknown) {
    super(`${file}: cannot be written: ${systemReason(cause)}`, { cause });
    this.wantsSpace = WANT_OF_SPACE.has((cause as { code?: string }).code ?? '');
  }
}
