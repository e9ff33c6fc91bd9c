// Noise that users share, or that a shuffler adds, where users stay away or are fake. Seeds are fixed; of
// nine scores one is beyond 4.5 with a probability below 1e-4.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import type { CellResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-shared-noise-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const given = {
  name: 'shared-noise',
  seed: 'shared noise',
  adjacency: 'replace-one',
  trials: 150,
  users: 300,
  privacy: { epsilon: 2, delta: 1e-5, accounting: 'certified' },
};

let runs = 0;
async function cellsOf(changes: object): Promise<readonly CellResult[]> {
  const file = 'shared-noise.yaml';
  const config = parseConfig(JSON.stringify({ ...given, ...changes }), file);
  const { cells } = await runExperiment(config, file, { out: join(root, `run ${runs++}`), workers: 0 });
  return cells;
}

it('errors are those of all that a shuffler adds, and of the shares of those who take part', async () => {
  const data = { kind: 'numbers-zipf', low: 5, high: 9, points: 11 };
  const threats = { dropout: 0.3, poisoning: { fraction: 0.05 } };
  const dummies = ['two-sided-geometric-dummies', 'binomial-dummies', 'negative-binomial-counts'];
  const protocols = [
    { kind: 'anonymous-count' },
    { kind: 'anonymous-count', signs: 'plus', honest: 0.9 },
    { kind: 'split-and-mix' },
  ];
  const parts = await Promise.all([
    cellsOf({
      data: { kind: 'categories-zipf', domain: 6, exponent: 1 },
      threats: { dropout: 0.3 },
      protocols: dummies.map((kind) => ({ kind })),
    }),
    cellsOf({ data, threats, protocols }),
    cellsOf({ data, threats, protocols, measure: 'sum' }),
  ]);
  const cells = parts.flat();
  expect(cells).toHaveLength(9);
  for (const { mse, mseTheory, squaredErrors, certified } of cells) {
    const spread = squaredErrors.reduce((sum, error) => sum + (error - mse) ** 2, 0);
    const score = (mse - mseTheory!) / (Math.sqrt(spread) / squaredErrors.length);
    expect(Math.abs(score)).toBeLessThan(4.5);
    expect(certified[0]!.epsilon.upper).toBeLessThanOrEqual(2 + 1e-9);
  }
});
