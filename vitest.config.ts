import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { buildIsFresh } from './packages/cli/bin/fresh-build.mjs';

// Threads and processes that tests start load a fresh build three times as fast as source; a watched source may change.
const isBuilt =
  process.argv.includes('run') && buildIsFresh(fileURLToPath(new URL('./packages', import.meta.url)));

export default defineConfig({
  // Setting the conditions replaces Vite's defaults, hence the repetition of 'module', 'node' and the rest.
  ssr: { resolve: { conditions: ['@shuffle-dp/source', 'module', 'node', 'development|production'] } },
  test: {
    // Pages show what a wide terminal shows; what a narrow one does has tests of its own.
    // And nothing is taken over from runs of other code, or left for them.
    env: { COLUMNS: '1000', SHUFFLE_DP_CACHE: 'off', SHUFFLE_DP_THREADS: isBuilt ? 'dist' : '' },
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    // Test files of one thread share the modules they import, which hold no state but caches of pure functions.
    isolate: false,
  },
});
