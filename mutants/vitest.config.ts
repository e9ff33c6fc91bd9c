import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`../packages/${path}`, import.meta.url));

/** The mutated copy has no links between packages of its own, so their names are told here. */
export default defineConfig({
  resolve: {
    alias: [
      { find: '@shuffle-dp/core/testkit', replacement: source('core/src/testkit/index.ts') },
      ...['core', 'shuffler', 'accounting', 'randomizers', 'protocols'].map((name) => ({
        find: `@shuffle-dp/${name}`,
        replacement: source(`${name}/src/index.ts`),
      })),
    ],
  },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
