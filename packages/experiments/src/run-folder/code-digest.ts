/** Which program computes, exactly: unlike a commit's name, also in a changed checkout and outside of one. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of this package, and of its code: `src` in a checkout, `dist` in a published package. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const CODE = import.meta.url.endsWith('.ts') ? 'src' : 'dist';
const PROJECT = '@shuffle-dp/';

/**
 * SHA-256, in hexadecimal, of the code of this package and of those of the project that it uses, and of what determines how numbers
 * come out besides: the version of Node, with its mathematical functions, and the processor's architecture.
 */
export function codeDigest(): string {
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`);
  const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Readonly<Record<string, string>> };
  // Packages of the project stand beside one another, in a checkout as where they are installed.
  const roots = Object.keys(dependencies)
    .filter((name) => name.startsWith(PROJECT))
    .sort()
    .map((name) => join(ROOT, '..', name.slice(PROJECT.length)));
  for (const root of [ROOT, ...roots]) {
    hash.update(readFileSync(join(root, 'package.json')));
    const folder = join(root, CODE);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /(?<!\.d)\.[jt]s$/u.test(file))
      .sort();
    for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex');
}
