import { defineConfig } from 'vitest/config';
import { shared, sharedTest } from './vitest.shared.ts';

/** Long numerical checks, outside the five-minute suite: `pnpm test:long`. */
export default defineConfig({
  ...shared,
  test: {
    ...sharedTest,
    include: ['packages/*/test/**/*.long.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
