/** The first example of the README: a link, and the number that the page says there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readmeExample(): { readonly link: string; readonly says: string } {
  const text = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const [, link, says] = /`(#[^`]+)`\s*```text\n(.+)\n/u.exec(text)!;
  return { link: link!, says: says! };
}
