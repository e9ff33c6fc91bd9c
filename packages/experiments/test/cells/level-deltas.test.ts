// Privacy levels with failure probabilities of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { setDivergenceUpper } from '@shuffle-dp/accounting';
import { parseConfig } from '../../src/config/load-config.ts';
import { comparedByNobody, compareCells } from '../../src/results/comparison.ts';
import { groupTargets } from '../../src/results/equal-privacy.ts';
import type { RunResult } from '../../src/results/run-result.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-deltas-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const FILE = 'deltas.yaml';
const privacy = {
  levels: [0.5, { epsilon: 1, delta: 1e-8 }, { epsilon: 2, delta: '1e-3/n' }],
  shares: [0.4, 0.3, 0.3],
  delta: 1e-4,
  accounting: 'certified',
};
const given = {
  name: 'deltas',
  seed: 'deltas',
  adjacency: 'replace-one',
  trials: 2,
  users: 1000,
  data: { kind: 'sets-zipf', domain: 9, items: 2, exponent: 1 },
  privacy,
  protocols: [
    { kind: 'segmented', blanketRate: 4 },
    { kind: 'segmented', label: 'optimal' },
    { kind: 'sep-mm' },
    { kind: 'weighted-sep-mm' },
    { kind: 'subexp-shuffled' },
  ],
};
const DELTAS = [1e-4, 1e-8, 1e-6];
const parsed = (changes: object = {}) => parseConfig(JSON.stringify({ ...given, ...changes }), FILE);
const cellsOf = (changes: object = {}) => planExperiment(parsed(changes), FILE).cells;
let runs = 0;
const run = (changes: object = {}): Promise<RunResult> =>
  runExperiment(parsed(changes), FILE, { out: join(root, `run ${runs++}`), workers: 0 });

describe('a delta per level', () => {
  it('is met level by level, and by one number for all users by the least', async () => {
    const result = await run();
    expect(comparedByNobody(result)).toEqual([]);
    expect(compareCells(result).map(({ cells, excluded }) => [cells.length, excluded])).toEqual([[5, []]]);
    for (const cell of result.cells) {
      expect(cell.levelDeltas).toEqual(DELTAS);
      const single = cell.kind === 'subexp-shuffled';
      expect(cell.certified.map(({ delta }) => delta)).toEqual(single ? [1e-8] : DELTAS);
      expect(cell.delta).toBe(single ? 1e-8 : 1e-4);
      expect(groupTargets(cell, result.config.privacy).map(({ askedDelta }) => askedDelta)).toEqual(
        single ? [1e-8] : DELTAS,
      );
    }
  });

  it('sets the rates of the segmented protocol and the blankets of separate ones', async () => {
    const { cells } = await run();
    const divergence = (rate: number, blanketsPerItem: number, level: number): number =>
      setDivergenceUpper({ rate, blanketsPerItem, successProbability: 1, itemsChanged: 2 }, level);
    for (const { kind, parameters } of cells) {
      if (kind === 'subexp-shuffled') continue;
      [0.5, 1, 2].forEach((level, k) => {
        const rate = kind === 'segmented' ? (parameters['rates'] as readonly number[])[k]! : 1;
        const blankets =
          kind === 'segmented'
            ? (1000 / 9) * (parameters['blanketRate'] as number)
            : ([400, 300, 300][k]! / 9) * (parameters['blanketRates'] as readonly number[])[k]!;
        expect(divergence(rate, blankets, level)).toBeLessThanOrEqual(DELTAS[k]!);
        if (rate < 0.99 || kind !== 'segmented')
          expect(divergence(rate, blankets * 0.98, level)).toBeGreaterThan(DELTAS[k]!);
      });
    }
  });

  it('leaves cells as they are where all levels are numbers, or say the same', async () => {
    const numbers = { ...privacy, levels: [0.5, 1, 2] };
    const written = { ...privacy, levels: [0.5, { epsilon: 1 }, { epsilon: 2 }] };
    expect(cellsOf({ privacy: written }).map(({ id }) => id)).toEqual(
      cellsOf({ privacy: numbers }).map(({ id }) => id),
    );
    const same = { ...privacy, levels: [0.5, 1, { epsilon: 2, delta: 1e-4 }] };
    const [one, other] = await Promise.all([run({ privacy: numbers }), run({ privacy: same })]);
    expect(other.cells.map(({ parameters }) => parameters)).toEqual(
      one.cells.map(({ parameters }) => parameters),
    );
  });

  it.each([
    [[0.5, { epsilon: 1, delta: 2 }, 2], 'privacy.levels[1]'],
    [[0.5, { epsilon: 1, delta: 'n' }, 2], 'privacy.levels[1].delta = "n": must be in (0, 1); it is 1000'],
    [
      [0.5, { epsilon: 0.5, delta: 0.1 }, 2],
      'privacy.levels[1] = 0.5: must be greater than the level before it',
    ],
    [[0.5, { delta: 0.1 }, 2], 'privacy.levels[1]'],
    [[0.5, { epsilon: 1, dleta: 0.1 }, 2], 'privacy.levels[1]'],
  ])('%j is refused by name', (levels, message) => {
    expect(() => cellsOf({ privacy: { ...privacy, levels } })).toThrow(message);
  });
});
