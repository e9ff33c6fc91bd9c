/**
 * What the ordinary and the long tests have in common: they run a fresh build, and the source where there is
 * none.
 */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, ViteUserConfig } from 'vitest/config';
import { buildIsFresh } from './packages/cli/bin/fresh-build.mjs';

// A fresh build is what the source says, and runs in half of the time: calls from module to module are Node's
// own. A watched source may change, and what is covered is told of the source.
const isBuilt =
  process.argv.includes('run') &&
  !process.argv.some((argument) => argument.startsWith('--coverage')) &&
  buildIsFresh(fileURLToPath(new URL('./packages', import.meta.url)));

/** Of packages that are built module by module, but for the thin one whose modules a test replaces. */
const SOURCE = /\/packages\/(?!explorer\/|cli\/)([^/]+)\/src\/(.+)\.ts$/u;

/** Puts built modules in the place of the sources that tests import by their paths. */
const builtModules: Plugin = {
  name: 'built-modules',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.') || !source.endsWith('.ts')) return null;
    const id = resolve(dirname(importer), source);
    const [path, name, module] = SOURCE.exec(id) ?? [];
    return path === undefined ? null : id.replace(path, `/packages/${name}/dist/${module}.js`);
  },
};

export const shared = {
  // Setting the conditions replaces Vite's defaults, hence the repetition of 'module', 'node' and the rest.
  ssr: {
    resolve: {
      conditions: [...(isBuilt ? [] : ['@shuffle-dp/source']), 'module', 'node', 'development|production'],
    },
  },
  plugins: isBuilt ? [builtModules] : [],
} satisfies ViteUserConfig;

export const sharedTest = {
  server: { deps: { external: [/\/packages\/[^/]+\/dist\//u] } },
  // Pages show what a wide terminal shows; what a narrow one does has tests of its own.
  // And nothing is taken over from runs of other code, or left for them.
  env: { COLUMNS: '1000', SHUFFLE_DP_CACHE: 'off' },
  maxWorkers: 2,
  tags: [{ name: 'long', description: 'takes seconds, and is left to `pnpm test:long`' }],
} satisfies ViteUserConfig['test'];
