/** Which program computes, exactly: unlike a commit's name, also in a changed checkout and outside of one. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onDemand } from '@shuffle-dp/core';

/** The folder of this package's code: `src` in a checkout, `dist` in a published package. */
const OWN = join(dirname(fileURLToPath(import.meta.url)), '..');
const PROJECT = '@shuffle-dp/';
/** Made of the code beside them. */
const BUNDLES = 'bundle/';

/** `filesDigest` of the build that a bundle is made of, which is written into it: elsewhere not defined. */
declare const BUILD_DIGEST: string | undefined;

/**
 * SHA-256, in hexadecimal, of the code of a package and of those of the project that it uses, and of what
 * determines how numbers come out besides: the version of Node, with its mathematical functions, and the
 * processor's architecture.
 *
 * @param code folder of the package's code; by default this package's
 */
export function codeDigest(code?: string): string {
  const files = code === undefined ? ownFiles() : filesDigest(code);
  return createHash('sha256').update(`${process.version} ${process.arch} ${files}`).digest('hex');
}

function ownFiles(): string {
  return typeof BUILD_DIGEST === 'string' ? BUILD_DIGEST : filesDigest(OWN);
}

/** Of the files alone. @param code folder of the package's code */
export function filesDigest(code: string): string {
  const hash = createHash('sha256');
  const root = dirname(code);
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Readonly<Record<string, string>> };
  // Packages of the project stand beside one another, in a checkout as where they are installed.
  const others = Object.keys(dependencies)
    .filter((name) => name.startsWith(PROJECT))
    .sort()
    .map((name) => join(root, '..', name.slice(PROJECT.length)));
  for (const each of [root, ...others]) {
    hash.update(readFileSync(join(each, 'package.json')));
    const folder = join(each, basename(code));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /(?<!\.d)\.[jt]s$/u.test(file) && !file.startsWith(BUNDLES))
      .sort();
    for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex');
}

/** That of this package, found once: outside of bundles some hundred files are read. */
export const ownDigest = onDemand(() => codeDigest());
