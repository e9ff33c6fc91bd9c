import { defineConfig } from 'vitest/config';

/** Long numerical checks, outside the five-minute suite: `pnpm test:long`. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@shuffle-dp/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['packages/*/test/**/*.long.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    maxWorkers: 2,
  },
});
