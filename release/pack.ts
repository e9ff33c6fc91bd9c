/**
 * Tarballs of all packages: `pnpm run pack:all`, or `pnpm run pack:all FOLDER`. Each package is laid out in a
 * folder as it will be installed, and packed from there.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedManifest, type Manifest } from './published-manifest.ts';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What packages have beside their dist: from where in the checkout to where in the tarball. */
const EXTRAS: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  // One changelog is of all packages, and longer than some of them.
  cli: [
    ['CHANGELOG.md', 'CHANGELOG.md'],
    ['configs', 'configs'],
    ['schemas', 'schemas'],
  ],
  papers: [['docs/claims.json', 'claims.json']],
};

export interface Tarball {
  readonly name: string;
  readonly file: string;
}

/** @param folder is emptied first; tarballs are put there */
export function packAll(folder: string): readonly Tarball[] {
  rmSync(folder, { recursive: true, force: true });
  return readdirSync(join(ROOT, 'packages')).map((name) => packOne(name, folder));
}

function packOne(name: string, folder: string): Tarball {
  const from = join(ROOT, 'packages', name);
  const to = join(folder, 'laid-out', name);
  mkdirSync(to, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Manifest;
  const published = publishedManifest(manifest);
  const extras = EXTRAS[name] ?? [];
  const files = [...(manifest['files'] as string[]), ...extras.map(([, path]) => path)];
  writeFileSync(join(to, 'package.json'), `${JSON.stringify({ ...published, files }, null, 2)}\n`);
  for (const path of ['bin', 'python', 'dist/site'])
    if (existsSync(join(from, path))) cpSync(join(from, path), join(to, path), { recursive: true });
  copyBuilt(join(from, 'src'), join(from, 'dist'), join(to, 'dist'));
  for (const [source, path] of extras) cpSync(join(ROOT, source), join(to, path), { recursive: true });
  cpSync(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
  writeFileSync(join(to, 'README.md'), withoutLocalLinks(readFileSync(join(from, 'README.md'), 'utf8')));
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: to,
    encoding: 'utf8',
  });
  return { name, file: join(folder, packed.trim()) };
}

/** What is built of sources that exist: a dist may hold what earlier sources left. */
function copyBuilt(source: string, built: string, to: string): void {
  if (!existsSync(built)) return;
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (entry.isDirectory())
      copyBuilt(join(source, entry.name), join(built, entry.name), join(to, entry.name));
    else if (/(?<!\.d)\.ts$/u.test(entry.name))
      for (const kind of ['.js', '.d.ts']) {
        const file = entry.name.replace(/\.ts$/u, kind);
        if (existsSync(join(built, file))) cpSync(join(built, file), join(to, file));
      }
  }
}

/** Links to pages of the checkout become their text: a package has none of these pages. */
export function withoutLocalLinks(page: string): string {
  return page.replaceAll(/\[([^\]]+)\]\(\.\.?\/[^)]*\)/gu, '$1');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? join(ROOT, 'release/tarballs');
  for (const { file } of packAll(folder)) process.stdout.write(`${file}\n`);
}
