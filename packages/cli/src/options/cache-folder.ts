/**
 * Where the program keeps what later runs can make use of, and nothing is lost with: the cache folder that
 * the system has for users.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Another folder than the system's; `off` for none. */
const VARIABLE = 'SHUFFLE_DP_CACHE';

/** Undefined where there is to be none. */
export function cacheFolder(): string | undefined {
  const { [VARIABLE]: own, XDG_CACHE_HOME: home, LOCALAPPDATA: local } = process.env;
  if (own === 'off') return undefined;
  if (own) return own;
  // A relative path is to be ignored, says the XDG Base Directory Specification.
  if (home && isAbsolute(home)) return join(home, 'shuffle-dp');
  return process.platform === 'win32' && local
    ? join(local, 'shuffle-dp', 'cache')
    : join(homedir(), '.cache', 'shuffle-dp');
}
