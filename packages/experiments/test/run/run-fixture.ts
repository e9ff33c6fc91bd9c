/** Runs of small configs, each in a folder of its own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import type { RunResult } from '../../src/results/run-result.ts';
import { runExperiment, type RunOptions } from '../../src/run/run-experiment.ts';

const GOLDEN = join(import.meta.dirname, '../fixtures/golden.yaml');
export const golden = readFileSync(GOLDEN, 'utf8');
/**
 * Without the protocols whose certificates take longer than their trials, where the trials are what matters.
 */
export const light = golden.replace(/ {2}- \{ kind: (?:segmented|weighted-sep-mm).*\n/gu, '');

export function sampleVariance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** A folder of a test file, which is gone after it, and runs in folders below it. */
export interface RunFolder {
  readonly root: string;
  readonly run: (text: string, options?: Partial<RunOptions>) => Promise<RunResult>;
}

export function runFolder(): RunFolder {
  const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-run-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  let folders = 0;
  return {
    root,
    run: (text, options = {}) => {
      const out = options.out ?? join(root, `run-${folders++}`);
      return runExperiment(parseConfig(text, 'test.yaml'), 'test.yaml', { workers: 0, ...options, out });
    },
  };
}

/** Calibrated by the quick bound: what is looked at are cells, trials and words, not budgets. */
export const CATEGORIES = `
name: categories
seed: a
adjacency: replace-one
trials: 15
data: { kind: categories-zipf, domain: 16 }
users: [2000]
privacy: { epsilon: [0.5, 1], delta: 1e-6 }
protocols:
  - { kind: frequency, randomizer: [grr, oue], accounting: blanket }
  - { kind: frequency, label: Hashed, randomizer: local-hash, accounting: blanket }
`;

export const LAST_PROTOCOL =
  '  - { kind: frequency, label: Hashed, randomizer: local-hash, accounting: blanket }\n';
