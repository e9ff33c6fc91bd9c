// Errors are compared with their formulas by z tests at 4.5 standard errors: false-alarm rate of the file
// below 1e-4.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { personalizedAccount } from '../../src/personalized/personalized-account.ts';
import { writtenBudgets } from '../../src/personalized/written-budgets.ts';
import { compareCells } from '../../src/results/comparison.ts';
import type { CellResult, RunResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-own-budgets-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const categories = {
  name: 'own-budgets',
  seed: 'own budgets',
  adjacency: 'replace-one',
  trials: 200,
  data: { kind: 'categories-zipf', domain: 4, exponent: 1 },
  users: 500,
  budgets: ['uniform(0.5,2)', 'constant(0.5)'],
  budgetLevels: 4,
  privacy: { delta: 1e-5 },
  protocols: [{ kind: 'frequency', randomizer: 'grr' }],
};
const numbers = {
  ...categories,
  budgetLevels: 2,
  simulation: 'messages',
  data: { kind: 'numbers-gaussian-bump', low: -10, high: 30 },
  protocols: [
    { kind: 'mean', randomizer: ['laplace', 'clip-laplace'] },
    { kind: 'mean', randomizer: 'gaussian', localDelta: 1e-4 },
  ],
};

let runs = 0;
async function run(given: object): Promise<RunResult> {
  const file = 'own-budgets.yaml';
  const config = parseConfig(JSON.stringify(given), file);
  return runExperiment(config, file, { out: join(root, `run ${runs++}`), workers: 0 });
}

function zOf({ mse, mseTheory, squaredErrors }: CellResult): number {
  const spread = squaredErrors.reduce((sum, error) => sum + (error - mse) ** 2, 0);
  return (mse - mseTheory!) / (Math.sqrt(spread) / squaredErrors.length);
}

describe('a run of users with budgets of their own', () => {
  it.each([
    ['frequencies, aggregated', categories],
    ['frequencies, by messages', { ...categories, simulation: 'messages' }],
    ['ranges', { ...categories, measure: 'ranges' }],
    ['means', numbers],
    [
      'sums, aggregated',
      { ...numbers, simulation: 'aggregated', measure: 'sum', protocols: [numbers.protocols[1]] },
    ],
  ])('has the errors of its formulas: %s', async (_name, given) => {
    const { cells } = await run(given);
    for (const z of cells.map(zOf)) expect(Math.abs(z)).toBeLessThan(4.5);
  });

  it('is accounted as the budgets that the account of personal budgets draws with its seed', async () => {
    const { cells } = await run({ ...categories, trials: 2 });
    const account = personalizedAccount({
      budgets: writtenBudgets('uniform(0.5,2)', 500, 'own budgets')!,
      mechanism: 'grr',
      delta: 1e-5,
      localDelta: 0,
      clip: 1,
      domain: 4,
      levels: 4,
    });
    const own = cells[0]!.certified;
    expect(own.map(({ epsilon }) => epsilon.upper)).toEqual(
      account.groups.map(({ epsilon }) => epsilon.upper),
    );
    expect(own.map(({ group }) => group)[0]).toMatch(/^budget 0\.50/u);
    expect(cells[1]!.certified).toHaveLength(1);
  });

  it('compares protocols at the same budgets alone', async () => {
    const groups = compareCells(await run({ ...numbers, trials: 2 }));
    expect(groups.map(({ cells }) => new Set(cells.map(({ cell }) => cell.sweep['budgets'])))).toEqual([
      new Set(['uniform(0.5,2)']),
      new Set(['constant(0.5)']),
    ]);
  });

  it('knows users who collude', async () => {
    const { cells } = await run({
      ...categories,
      budgets: 'constant(1)',
      trials: 2,
      threats: { colluding: [0, 0.5] },
    });
    const [honest, half] = cells.map(({ certified }) => certified[0]!.epsilon.upper);
    expect(half!).toBeGreaterThan(honest!);
  });
});

describe('refused', () => {
  it.each([
    [
      { ...categories, budgets: 'uniform(2,1)' },
      'own-budgets.yaml: budgets = "uniform(2,1)": must be a distribution',
    ],
    [{ ...categories, budgets: 0.5 }, 'budgets = 0.5: must be a distribution'],
    [
      { ...categories, budgets: undefined, privacy: { epsilon: 1, delta: 1e-5 } },
      'budgetLevels = 4: must be left out',
    ],
    [
      { ...categories, privacy: { epsilon: 1, delta: 1e-5 } },
      'privacy.epsilon = 1: must be left out, or budgets',
    ],
    [
      { ...categories, protocols: [{ kind: 'pure-dump', blanketRate: 1 }] },
      'protocols[0].kind = "pure-dump": must be one of frequency, mean where users have budgets',
    ],
    [
      { ...categories, protocols: [{ kind: 'frequency', randomizer: ['grr', 'oue'] }] },
      'protocols[0].randomizer = "oue": must be one of grr',
    ],
    [
      { ...categories, protocols: [{ kind: 'frequency', randomizer: 'grr', epsilon0: 1 }] },
      'protocols[0].epsilon0 = 1: must be left out',
    ],
    [{ ...categories, threats: { dropout: 0.1 } }, 'threats.dropout = 0.1: must be left out'],
    [{ ...categories, users: 2_000_000 }, 'at most 1000000 where every user has a budget of the own'],
    [
      { ...categories, data: { kind: 'vectors-sphere', dimensions: 3 } },
      'budgets = ["uniform(0.5,2)","constant(0.5)"]: must be left out: they are of categories and numbers alone',
    ],
  ])('%#', async (given, message) => {
    await expect(run(given)).rejects.toThrow(message);
  });
});
