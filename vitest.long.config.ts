import { defineConfig } from 'vitest/config';
import { shared, sharedTest } from './vitest.shared.ts';

/** What is outside the five-minute suite: files of long tests, and tests of other files tagged as such. */
export default defineConfig({
  ...shared,
  test: {
    ...sharedTest,
    include: ['packages/*/test/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    isolate: false,
  },
});
