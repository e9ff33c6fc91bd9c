/**
 * Where the program keeps what later runs can make use of, and nothing is lost with: the cache folder that
 * the system has for users.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Another folder than the system's; `off` for none. */
const VARIABLE = 'SHUFFLE_DP_CACHE';

/** Undefined where there is to be none. @param homeOf says where the user's files are, as the system does */
export function cacheFolder(homeOf = homedir): string | undefined {
  const { [VARIABLE]: own, XDG_CACHE_HOME: caches, LOCALAPPDATA: local } = process.env;
  if (own === 'off') return undefined;
  if (own) return own;
  // A relative path is to be ignored, says the XDG Base Directory Specification.
  if (caches && isAbsolute(caches)) return join(caches, 'shuffle-dp');
  if (process.platform === 'win32' && local) return join(local, 'shuffle-dp', 'cache');
  const home = knownHome(homeOf);
  return home === undefined ? undefined : join(home, '.cache', 'shuffle-dp');
}

/** Containers run under numbers of which the system knows no user; an empty HOME is no folder. */
function knownHome(homeOf: () => string): string | undefined {
  try {
    const home = homeOf();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}
