import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { buildIsFresh } from './packages/cli/bin/fresh-build.mjs';

// Threads and processes that tests start load a fresh build three times as fast as source; a watched source may change.
const isBuilt =
  process.argv.includes('run') && buildIsFresh(fileURLToPath(new URL('./packages', import.meta.url)));

/** Long numerical checks, outside the five-minute suite: `pnpm test:long`. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@shuffle-dp/source', 'module', 'node', 'development|production'] } },
  test: {
    // Pages show what a wide terminal shows; what a narrow one does has tests of its own.
    // And nothing is taken over from runs of other code, or left for them.
    env: { COLUMNS: '1000', SHUFFLE_DP_CACHE: 'off', SHUFFLE_DP_THREADS: isBuilt ? 'dist' : '' },
    include: ['packages/*/test/**/*.long.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    maxWorkers: 2,
  },
});
