// Trials by blocks of users: the same bytes however they are run, and the law of trials that have all users
// at once. Statistical tests have fixed seeds; of each the probability of a false alarm is 1e-5.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomStream, type CategoricalData } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { scatterBlock } from '@shuffle-dp/shuffler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { experimentSchema } from '../../src/config/schema.ts';
import type { CategoryCell, Cell } from '../../src/kinds/cell.ts';
import { kindOf } from '../../src/kinds/kinds.ts';
import { withPool } from '../../src/pool/pool.ts';
import { runTrialByBlocks, type BlockOptions, type BlockTrial } from '../../src/trials/block-trial.ts';
import { runTrialsByBlocks } from '../../src/trials/block-ranges.ts';
import { goesByBlocks } from '../../src/trials/by-blocks.ts';
import { CELL_TASKS } from '../../src/trials/cell-tasks.ts';
import { eachBucket, keepBlock } from '../../src/trials/kept-block.ts';
import { resultsCsv } from '../../src/results/result-tables.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { tasksOf } from '../../src/run/run-cells.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';
import { protocolOf } from '../../src/trials/thread-memory.ts';

const FALSE_ALARM = 1e-5;

const BASE = { name: 'blocks', seed: 'blocks', adjacency: 'replace-one', trials: 3, simulation: 'messages' };

function cellOf(changes: object): Cell {
  const parsed = experimentSchema.parse({ ...BASE, ...changes });
  return planExperiment({ ...parsed, measure: 'frequencies' }, 'blocks.yaml').cells[0]!;
}

const CATEGORIES = (users: number): Cell =>
  cellOf({
    data: { kind: 'categories-zipf', domain: 5, exponent: 1 },
    users,
    privacy: { epsilon: 1, delta: 1e-6 },
    // What is looked at are blocks; the quick bound calibrates.
    protocols: [{ kind: 'frequency', randomizer: 'grr', accounting: 'blanket' }],
  });

const SETS = (users: number, protocol: object): Cell =>
  cellOf({
    data: { kind: 'msnbc-like', items: 4 },
    users,
    privacy: { levels: [0.5, 1, 2], shares: [0.25, 0.5, 0.25], delta: 1e-6 },
    protocols: [protocol],
  });

async function byBlocks(
  cell: Cell,
  options: BlockOptions,
  { number = 0, workers = 0 } = {},
): Promise<BlockTrial> {
  const answer = await withPool(CELL_TASKS, { workers }, (pool) =>
    runTrialByBlocks(pool, cell, protocolOf(cell).messageRounds!, { number }, options),
  );
  if ('refused' in answer) throw new Error(answer.refused);
  return answer.value;
}

let folder: string;
const temporary = process.env['TMPDIR'];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'blocks-'));
  process.env['TMPDIR'] = folder;
});
afterEach(() => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  rmSync(folder, { recursive: true });
});

describe('a trial by blocks', () => {
  it.each([
    ['grr', CATEGORIES(5000)],
    ['segmented', SETS(5000, { kind: 'segmented', blanketRate: 2 })],
    ['segmented, levels randomized', SETS(5000, { kind: 'segmented', blanketRate: 2, levelEpsilon: 1 })],
    ['subset exponential', SETS(5000, { kind: 'subexp-shuffled', accounting: 'blanket' })],
    ['balls into bins', SETS(5000, { kind: 'balls-into-bins' })],
    ['wheel', SETS(5000, { kind: 'wheel', accounting: 'blanket' })],
  ])('of %s has the same bytes in memory and in files, which are gone after it', async (_, cell) => {
    const inMemory = await byBlocks(cell, { blockUsers: 700 });
    expect(readdirSync(folder)).toEqual([]);
    const inFiles = await byBlocks(cell, { blockUsers: 700, memoryBytes: 0 });
    expect(readdirSync(folder)).toEqual([]);
    const both = await byBlocks(cell, { blockUsers: 700, memoryBytes: 1500 });
    expect(inFiles).toEqual(inMemory);
    expect(both).toEqual(inMemory);
  });

  it('has the same bytes on two threads', async () => {
    const cell = CATEGORIES(5000);
    const one = await byBlocks(cell, { blockUsers: 700 });
    expect(await byBlocks(cell, { blockUsers: 700 }, { workers: 2 })).toEqual(one);
  });

  it('knows the truth of all its users, levels by exact shares', async () => {
    const { data } = await byBlocks(SETS(5001, { kind: 'segmented' }), { blockUsers: 700 });
    if (data.kind !== 'sets') throw new Error('sets were asked for');
    expect(data.users).toBe(5001);
    expect([...data.counts!.usersOfLevel]).toEqual([1250, 2501, 1250]);
    expect(data.histogram.reduce((sum, holders) => sum + holders, 0)).toBe(4 * 5001);
    data.histogram.forEach((holders, item) => {
      expect(data.counts!.holdersOfLevel.reduce((sum, level) => sum + level[item]!, 0)).toBe(holders);
      const p = data.population![item]!;
      expect(Math.abs(holders - 5001 * p) / Math.sqrt(5001 * p * (1 - p))).toBeLessThan(5);
    });
    expect(data.rows).toBeUndefined();
    expect(data.levelOf).toBeUndefined();
  });

  it.each([
    ['grr', CATEGORIES(2000)],
    ['segmented', SETS(2000, { kind: 'segmented', blanketRate: 2 })],
    ['balls into bins', SETS(2000, { kind: 'balls-into-bins' })],
    ['sampled-rappor', SETS(2000, { kind: 'sampled-rappor' })],
  ])('of %s has the error that is expected', async (_, cell) => {
    const { expectedError } = protocolOf(cell);
    const ratios: number[] = [];
    for (let number = 0; number < 150; number++) {
      // One after another: they share the memory of the thread.
      // oxlint-disable-next-line no-await-in-loop
      const { estimates, data } = await byBlocks(cell, { blockUsers: 600 }, { number });
      const { empirical } = kindOf(cell.holds).truthOf(data, cell);
      const squared = estimates.reduce((sum, estimate, i) => sum + (estimate - empirical[i]!) ** 2, 0);
      ratios.push(squared / expectedError(data)!);
    }
    const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1);
    expect(zTest(mean, 1, Math.sqrt(variance / ratios.length))).toBeGreaterThan(FALSE_ALARM);
  });

  it('leaves nothing behind where a file cannot be written', async () => {
    const cell = CATEGORIES(5000);
    const failing = withPool(CELL_TASKS, { workers: 0 }, (pool) => {
      const broken = {
        ...pool,
        run: (perform: never, task: never) => {
          if ('file' in (task as object)) throw new Error('no space left');
          return pool.run(perform, task);
        },
      } as typeof pool;
      return runTrialByBlocks(
        broken,
        cell,
        protocolOf(cell).messageRounds!,
        { number: 0 },
        { memoryBytes: 0 },
      );
    });
    await expect(failing).rejects.toThrow('no space left');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('ranges of trials by blocks', () => {
  it('are work for as many threads as there are blocks, be it one trial', () => {
    const one = { ...CATEGORIES(1e9), trials: 1 };
    expect(tasksOf(one)).toBe(239);
    expect(tasksOf({ ...CATEGORIES(1000), trials: 1 })).toBe(1);
  });

  it('go on trial by trial, and end as one', async () => {
    const cell = CATEGORIES(5000);
    const task = { cells: [cell], from: 0, to: 3, whole: false };
    const parts = await withPool(CELL_TASKS, { workers: 0 }, async (pool) => {
      const first = await runTrialsByBlocks(pool, { ...task, begun: [null] }, { blockUsers: 700 });
      if ('refused' in first) throw new Error(first.refused);
      const second = await runTrialsByBlocks(pool, { ...task, begun: first.value }, { blockUsers: 700 });
      if ('refused' in second) throw new Error(second.refused);
      return [first.value[0]!, second.value[0]!];
    });
    expect(parts.map(({ squaredErrors }) => squaredErrors.length)).toEqual([1, 2]);
    expect(parts[1]!.squaredErrors[0]).toBe(parts[0]!.squaredErrors[0]);
    expect(parts[1]!.squaredErrors[1]).not.toBe(parts[0]!.squaredErrors[0]);
    const { data } = await byBlocks(cell, { blockUsers: 700 }, { number: 1 });
    expect(parts[1]!.expectedErrors[1]).toBe(protocolOf(cell).expectedError(data));
  });
});

describe('which cells go by blocks', () => {
  it.each([
    [true, 'grr of many users', CATEGORIES(2 ** 22 + 1)],
    [false, 'grr of fewer', CATEGORIES(2 ** 22)],
    [true, 'the segmented protocol', SETS(2 ** 23, { kind: 'segmented' })],
    [false, 'levels apart', SETS(2 ** 23, { kind: 'sep-mm' })],
  ])('%s: %s', (expected, _, cell) => {
    expect(goesByBlocks(cell)).toBe(expected);
  });

  it('and a run meets their users so', async () => {
    const config = {
      ...experimentSchema.parse({
        ...BASE,
        trials: 1,
        data: { kind: 'categories-zipf', domain: 5, exponent: 1 },
        users: 2 ** 22 + 1,
        privacy: { epsilon: 1, delta: 1e-9 },
        // What is looked at are blocks; the quick bound calibrates.
        protocols: [{ kind: 'frequency', randomizer: 'grr', accounting: 'blanket' }],
      }),
      measure: 'frequencies',
    } as const;
    const run = await runExperiment(config, 'blocks.yaml', { workers: 0, out: join(folder, 'run') });
    const [cell] = planExperiment(config, 'blocks.yaml').cells;
    const { estimates, data } = await byBlocks(cell!, {});
    const { empirical } = kindOf('categories').truthOf(data as CategoricalData, cell as CategoryCell);
    const squared = estimates.reduce((sum, estimate, i) => sum + (estimate - empirical[i]!) ** 2, 0);
    const [head, row] = resultsCsv(run)
      .split('\n')
      .map((line) => line.split(','));
    expect(Number(row![head!.indexOf('mse')])).toBeCloseTo(squared, 15);
    expect(squared).toBeGreaterThan(0);
  });

  it('says how many users there may be', () => {
    expect(SETS(2 ** 27, { kind: 'segmented' }).data.users).toBe(2 ** 27);
    expect(() => SETS(2 ** 27, { kind: 'sep-mm' })).toThrow('at most 67108864 where every user is drawn');
  });
});

it('buckets that were kept in files are those that were kept in memory, column by column', () => {
  const scattered = () => {
    const count = 1000;
    const small = Uint8Array.from({ length: count }, (_, i) => i % 251);
    const real = Float64Array.from({ length: count }, (_, i) => i / 3);
    const wide = Int32Array.from({ length: count }, (_, i) => -i);
    return scatterBlock({ columns: { small, real, wide }, count: 997 }, 8, RandomStream.fromSeed('kept'));
  };
  const file = join(folder, 'block');
  const read = [keepBlock(scattered(), null), keepBlock(scattered(), file)].map((block) => {
    const seen: string[] = [];
    eachBucket([block, block], 2, 5, (columns, count, bucket) => {
      const rows = Object.entries(columns).map(
        ([name, column]) => `${name} ${column.subarray(0, count).join()}`,
      );
      seen.push(`${bucket}: ${rows.join('; ')}`);
    });
    return seen;
  });
  expect(existsSync(file)).toBe(true);
  expect(read[0]!.length).toBe(3);
  expect(read[1]).toEqual(read[0]);
  const { columns, bounds } = scattered();
  const twice = [...columns['small']!.subarray(bounds[2], bounds[3])];
  expect(read[0]![0]).toContain(`small ${[...twice, ...twice].join()};`);
});
