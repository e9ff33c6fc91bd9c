import { defineConfig } from 'vitest/config';
import { shared, sharedTest } from './vitest.shared.ts';

export default defineConfig({
  ...shared,
  test: {
    ...sharedTest,
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Test files of one thread share the modules they import, which hold no state but caches of pure
    // functions.
    isolate: false,
  },
});
