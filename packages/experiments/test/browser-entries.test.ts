/**
 * What runs in browsers reads no files and asks nothing of Node: everything that these entries reach,
 * followed by a bundler.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../', import.meta.url));

/** Modules of Node that a module and everything behind it imports. */
async function nodeModules(entry: string): Promise<string[]> {
  const found: string[] = [];
  await build({
    entryPoints: [packages + entry],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['@shuffle-dp/source'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'modules of Node',
        setup: (bundler) => {
          bundler.onResolve({ filter: /^node:|^(fs|crypto|buffer|path|os|util|process)$/ }, (asked) => {
            // Libraries say in their own package.json what stands in for such a module; the bundler reads it.
            if (asked.importer.includes('node_modules')) return undefined;
            found.push(`${asked.path} in ${asked.importer.slice(packages.length)}`);
            return { path: asked.path, external: true };
          });
        },
      },
    ],
  });
  return found;
}

it.each([
  'core/src/index.ts',
  'shuffler/src/index.ts',
  'randomizers/src/index.ts',
  'accounting/src/index.ts',
  'protocols/src/index.ts',
  'experiments/src/account/index.ts',
  'experiments/src/personalized/index.ts',
  'experiments/src/plan/index.ts',
])('%s runs in a browser', async (entry) => {
  expect(await nodeModules(entry)).toEqual([]);
});

it('a module of Node is found behind an entry', async () => {
  expect(await nodeModules('experiments/src/account/schedule-file.ts')).toContain(
    'node:fs in experiments/src/config/load-config.ts',
  );
});
