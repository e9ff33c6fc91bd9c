/** The runs beneath a results folder, and their files; nothing outside of it is read. */
import { existsSync, lstatSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** As the explorer's page Runs reads it. */
export interface ListedRun {
  /** The folder beneath the results folder, with '/' between the names; '' where it is that folder itself. */
  readonly name: string;
  /** When a file of it last changed, as an ISO date. */
  readonly changed: string;
  /** Paths beneath the run's folder, likewise, but for those of runs in it. */
  readonly files: readonly string[];
}

export interface RunsOfFolder {
  readonly runs: readonly ListedRun[];
  /** How many are not listed: older ones, where there are very many. */
  readonly left: number;
}

/** A file that makes a folder a run. */
const MARKS = new Set(['report.html', 'summary.json']);
/** The page of a gallery, which is one where figures lie beneath it: other pages have this name, too. */
const GALLERY = 'index.html';
/** How deep runs lie at most: figures write a folder for each paper. */
const DEPTH = 3;
const MOST_RUNS = 500;

/**
 * The newest first; none where there is no such folder. A run may lie in another: a gallery of figures stands
 * above them, and lies in the results folder itself where it was told to.
 * @param named a run that is listed however old it is
 */
export function listRuns(folder: string, named?: string | null, most = MOST_RUNS): RunsOfFolder {
  const runs: ListedRun[] = [];
  const visit = (path: string, depth: number): void => {
    const entries = entriesOf(path);
    if (isRun(entries, path)) runs.push(listedRun(folder, path));
    if (depth === 0) return;
    for (const entry of entries) if (isShownFolder(entry)) visit(join(path, entry.name), depth - 1);
  };
  visit(folder, DEPTH);
  runs.sort((a, b) => b.changed.localeCompare(a.changed));
  const listed = runs.filter(({ name }, i) => i < most || name === named);
  return { runs: listed, left: runs.length - listed.length };
}

/**
 * The file that an address names beneath the folder; null where there is none. Links are followed only to
 * files that lie in the folder themselves.
 * @param path as in the address, decoded
 */
export function fileBeneath(folder: string, path: string): string | null {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || isNoName(part))) return null;
  try {
    const root = realpathSync(folder);
    const file = realpathSync(join(root, ...parts));
    return file.startsWith(root + sep) && statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}

/** A backslash is a character of a name, but on Windows, where it parts folders. */
function isNoName(part: string): boolean {
  return part.includes(sep) || part.includes('\0');
}

function listedRun(folder: string, path: string): ListedRun {
  const files = filesOf(entriesOf(path), path, 2);
  const changed = Math.max(0, ...files.map(changedAt));
  const beneath = (base: string, file: string): string => relative(base, file).split(sep).join('/');
  return {
    name: beneath(folder, path),
    changed: new Date(changed).toISOString(),
    files: files.map((file) => beneath(path, file)).sort(),
  };
}

/** A date has no later one; file systems have. */
const LAST_DATE_MS = 8.64e15;

/**
 * Milliseconds since 1970. A run that is being written renames its files; a folder may list and not show
 * them.
 */
function changedAt(file: string): number {
  try {
    return Math.min(LAST_DATE_MS, lstatSync(file).mtimeMs);
  } catch {
    return 0;
  }
}

function filesOf(entries: readonly Dirent[], path: string, depth: number): string[] {
  return entries.flatMap((entry) => {
    const file = join(path, entry.name);
    if (entry.isFile()) return [file];
    if (depth === 0 || !isShownFolder(entry)) return [];
    const inside = entriesOf(file);
    return isRun(inside, file) ? [] : filesOf(inside, file, depth - 1);
  });
}

function isRun(entries: readonly Dirent[], path: string): boolean {
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return (
    files.some((name) => MARKS.has(name)) ||
    (files.includes(GALLERY) && entries.some((entry) => isFigure(entry, path)))
  );
}

/** A figure's folder has what the gallery shows of it, under its own name. */
function isFigure(entry: Dirent, path: string): boolean {
  return isShownFolder(entry) && existsSync(join(path, entry.name, `${entry.name}.json`));
}

/** Links are not followed, so that none leads around for ever. */
function isShownFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.');
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
