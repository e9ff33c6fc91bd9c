/** The files of the built explorer, in an order that leaves no half of it with a page. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SiteFiles {
  /** The text of index.html. */
  readonly page: string;
  /** The text of each engine's script, by its name. */
  readonly engines: Readonly<Record<string, string>>;
}

/**
 * Where the page is, the program takes the explorer for built: it goes first and comes last.
 * @param folder is emptied first
 */
export function writeSite(folder: string, { page, engines }: SiteFiles): void {
  const index = join(folder, 'index.html');
  rmSync(index, { force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'engines'), { recursive: true });
  for (const [name, text] of Object.entries(engines))
    writeFileSync(join(folder, 'engines', `${name}.js`), text);
  writeFileSync(index, page);
}
