/**
 * Where the built explorer is. In a checkout it is built when it is missing, or older than what it is built
 * from.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastChange } from '../../bin/fresh-build.mjs';

/** @param told called before a build, which takes seconds */
export async function explorerSite(told: () => void): Promise<string> {
  const page = fileURLToPath(import.meta.resolve('@shuffle-dp/explorer'));
  const site = dirname(page);
  const packages = fileURLToPath(new URL('../../../', import.meta.url));
  // A published package has no source, and holds the site.
  if (!existsSync(join(packages, 'explorer/src'))) return site;
  if (!isFresh(page, packages)) {
    told();
    await build(join(packages, 'explorer/build/run.ts'));
  }
  return site;
}

/** Whether nothing that the page is built from has changed since. @param packages the folder of packages */
export function isFresh(page: string, packages: string): boolean {
  return existsSync(page) && newestSource(packages) <= statSync(page).mtimeMs;
}

/** In a process of its own: it loads the source, and the program may run from what is built. */
async function build(module: string): Promise<void> {
  const flags = ['--conditions=@shuffle-dp/source', '--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...flags, module], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('the explorer was not built');
}

const BUNDLED = ['core', 'randomizers', 'shuffler', 'accounting', 'protocols', 'experiments', 'explorer'];

function newestSource(packages: string): number {
  const explorer = ['build', 'index.html'].map((name) => join(packages, 'explorer', name));
  return Math.max(...[...BUNDLED.map((name) => join(packages, name, 'src')), ...explorer].map(lastChange));
}
