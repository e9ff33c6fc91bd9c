// Whether dist is what the source says, as far as times of files tell. A checkout with a fresh build starts
// from it: JavaScript that is there loads in a third of the time that types take to be stripped from 700
// files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A page for browsers, of which the program serves what is built. */
const PAGE = 'explorer';

/**
 * True if every package in `packages` was built after the last change of its source.
 * A file that is older than the build although it took another's place later, as by a move, goes unseen.
 *
 * @param {string} packages the folder of packages
 * @returns {boolean}
 */
export function buildIsFresh(packages) {
  return packagesIn(packages).every((name) => packageIsFresh(join(packages, name)));
}

/**
 * True if every bundle was made of the build that is there, and of the libraries that are installed.
 *
 * @param {string} packages the folder of packages, whose build is fresh
 * @returns {boolean}
 */
export function bundlesAreFresh(packages) {
  const libraries = join(packages, '../pnpm-lock.yaml');
  const changed = existsSync(libraries) ? statSync(libraries).mtimeMs : 0;
  return packagesIn(packages).every((name) => {
    const bundled = join(packages, name, 'dist/bundle/.built');
    if (!existsSync(bundled)) return false;
    const { mtimeMs } = statSync(bundled);
    return mtimeMs >= changed && mtimeMs >= statSync(join(packages, name, 'dist/.tsbuildinfo')).mtimeMs;
  });
}

/** Those whose build the program runs. */
function packagesIn(packages) {
  return readdirSync(packages).filter((name) => name !== PAGE && existsSync(join(packages, name, 'src')));
}

/**
 * A folder that changed may hold the same files: an editor came and went. The build does not run for that.
 */
function packageIsFresh(room) {
  const built = join(room, 'dist/.tsbuildinfo');
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const source = join(room, 'src');
  if (lastChange(source) <= mtimeMs) return true;
  const files = filesBelow(source, '../src');
  return (
    files.every(({ changed }) => changed <= mtimeMs) &&
    files
      .map(({ name }) => name)
      .toSorted()
      .join() === builtFiles(built).toSorted().join()
  );
}

/** @returns {{ name: string, changed: number }[]} */
function filesBelow(folder, named) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const [path, name] = [join(folder, entry.name), `${named}/${entry.name}`];
    return entry.isDirectory() ? filesBelow(path, name) : [{ name, changed: statSync(path).mtimeMs }];
  });
}

/** The files of the package that the compiler wrote down, relative to dist. */
function builtFiles(built) {
  const { fileNames = [] } = JSON.parse(readFileSync(built, 'utf8'));
  return fileNames.filter((name) => name.startsWith('../src/'));
}

/**
 * When a file, or anything in a folder, last changed. The folder counts too: one that lost a file has
 * changed.
 *
 * @param {string} path
 * @returns {number} milliseconds since 1970
 */
export function lastChange(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => lastChange(join(path, name))));
}
