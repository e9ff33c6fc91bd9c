/** 'no such file' for a system error, in words. */
export function systemReason(error: unknown): string {
  const code = (error as { code?: string }).code;
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'no such file or folder',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is not a folder',
    ENOSPC: 'no space is left on the device',
    EDQUOT: 'the disk quota is used up',
    EFBIG: 'a file may not grow that large',
    EIO: 'the disk failed',
    ELOOP: 'its links go round in a circle',
    ENAMETOOLONG: 'its name is too long',
    ENXIO: 'nothing is behind it',
    EMFILE: 'too many files are open',
    ENFILE: 'too many files are open',
    EBUSY: 'it is in use',
    ERR_INVALID_ARG_VALUE: 'it is no path',
  };
  return (
    (code === undefined ? undefined : words[code]) ?? (error instanceof Error ? error.message : String(error))
  );
}
