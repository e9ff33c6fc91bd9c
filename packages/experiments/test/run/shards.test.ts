import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { writeResults } from '../../src/report/write-run.ts';
import { JOURNAL_FILE, journalText, readJournal } from '../../src/run-folder/journal.ts';
import type { CellRecord } from '../../src/run/cell-record.ts';
import { mergeRuns, type MergeOptions } from '../../src/run/merge-runs.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { runExperiment, runShard } from '../../src/run/run-experiment.ts';
import { shardCells } from '../../src/cells/shards.ts';
import type { RunResult } from '../../src/results/run-result.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-shards-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const golden = readFileSync(join(import.meta.dirname, '../fixtures/golden.yaml'), 'utf8');
const config = parseConfig(golden, 'golden.yaml');
const command = 'shuffle-dp run golden.yaml';
const at = (name: string): string => join(root, name);
const write = (run: RunResult, out: string): Promise<void> =>
  writeResults(run, out, { keepTrials: true, report: true });
const shard = (index: number, count: number, name = `${index}-of-${count}`, resume = false) =>
  runShard(config, 'golden.yaml', {
    out: at(name),
    shard: { index, count },
    workers: 0,
    command,
    resume,
  });
const merge = (folders: readonly string[], out: string, options: Partial<MergeOptions> = {}) =>
  mergeRuns(folders.map(at), { out: at(out), ...options });

describe('the shards of a run', () => {
  const { cells } = planExperiment(config, 'golden.yaml');

  it.each([1, 2, 3, 4, 7, 10, 13])('of %i hold every cell once, and about as many each', (count) => {
    const shards = Array.from({ length: count }, (_, i) => shardCells(cells, { index: i + 1, count }));
    expect(
      shards
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(cells.map(({ id }) => id).sort());
    const sizes = shards.map(({ length }) => length);
    // No block has more cells than an even share.
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(Math.max(1, cells.length / count));
    expect(sizes.filter((size) => size === 0).length).toBe(Math.max(0, count - cells.length));
  });

  it('keep cells of one data set together where they can', () => {
    const [first, second] = [1, 2].map((index) => shardCells(cells, { index, count: 2 }));
    expect(new Set(first!.map(({ data }) => data.users)).size).toBe(1);
    expect(new Set(second!.map(({ data }) => data.users)).size).toBe(1);
  });
});

describe('merged shards', () => {
  beforeAll(async () => {
    await runExperiment(config, 'golden.yaml', { out: at('whole'), workers: 0, command, write });
    for (const index of [1, 2, 3]) {
      // One after the other: each takes a core.
      // oxlint-disable-next-line no-await-in-loop
      await shard(index, 3);
    }
  });

  it('are the one run, byte for byte, with no need of the config', async () => {
    await merge(['3-of-3', '1-of-3', '2-of-3'], 'merged', { write });
    const files = readdirSync(at('whole'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(at('whole').length + 1));
    expect(files).toContain('results.csv');
    expect(files).toContain(join('figures', 'error-by-users.svg'));
    // Times differ from run to run; the journal's order is that in which cells finished.
    const promised = files.filter((file) => file !== 'timings.csv' && file !== JOURNAL_FILE);
    const differing = promised.filter(
      (file) => !readFileSync(join(at('merged'), file)).equals(readFileSync(join(at('whole'), file))),
    );
    expect(differing).toEqual([]);
    const untimed = (folder: string) =>
      new Map(
        [...readJournal(join(at(folder), JOURNAL_FILE)).records].map(([id, r]) => [id, { ...r, seconds: 0 }]),
      );
    expect(untimed('merged')).toEqual(untimed('whole'));
  });

  it('go on as one run', async () => {
    await merge(['1-of-3', '2-of-3', '3-of-3'], 'continued');
    const phases: string[] = [];
    await runExperiment(config, 'golden.yaml', {
      out: at('continued'),
      workers: 0,
      resume: true,
      onProgress: ({ phase }) => phases.push(phase),
    });
    expect(phases).toEqual([]);
  });

  it('leave no results of their own', () => {
    expect(readdirSync(at('1-of-3'))).toEqual([JOURNAL_FILE]);
  });

  it('count a cell once that two of them hold, and refuse two versions of it', async () => {
    const run = await merge(['whole', '1-of-3'], 'overlap');
    expect(run.cells.length).toBe(10);
    const journal = join(at('2-of-3'), JOURNAL_FILE);
    const changed = join(at('changed'), JOURNAL_FILE);
    await shard(2, 3, 'changed');
    // As another version of the program might have measured it: a journal that is whole, with another number.
    const { header, records } = readJournal<CellRecord>(journal);
    const [first, ...others] = records.values();
    const other = { ...first!, squaredErrors: [7, ...first!.squaredErrors.slice(1)] };
    writeFileSync(changed, journalText(header!, [other, ...others]));
    await expect(merge(['whole', 'changed'], 'never')).rejects.toThrow(
      /changed: differs from .*whole in cell [0-9a-f]{16}: run one of them anew$/u,
    );
    // The same number changed in the file is damage.
    writeFileSync(
      changed,
      readFileSync(journal, 'utf8').replace(/"squaredErrors":\[\d/u, '"squaredErrors":[7'),
    );
    await expect(merge(['whole', 'changed'], 'never')).rejects.toThrow(
      /changed\/journal\.jsonl: line 2: is damaged, or a line before it is gone/u,
    );
  });

  it('are refused where their plan was written otherwise, as by an earlier version', async () => {
    await shard(1, 3, 'earlier');
    const journal = join(at('earlier'), JOURNAL_FILE);
    const { header, records } = readJournal<CellRecord>(journal);
    const plan = { ...(header!.plan as object), format: undefined };
    writeFileSync(journal, journalText({ ...header!, plan }, [...records.values()]));
    await expect(merge(['earlier', '2-of-3', '3-of-3'], 'never')).rejects.toThrow(
      /earlier: was begun by another version of the program, which wrote its plan otherwise: run it again with --force$/u,
    );
  });

  it('name what is missing, and what to run', async () => {
    await expect(merge(['1-of-3', '2-of-3'], 'never')).rejects.toThrow(
      /^3 of 10 cells are missing \([0-9a-f]{16}, .* at 500 users; .*\): add shard 3\/3, then merge again$/u,
    );
    const lines = readFileSync(join(at('3-of-3'), JOURNAL_FILE), 'utf8').split('\n');
    await shard(3, 3, 'stopped');
    // As after a kill: the header, a cell, and half of another.
    writeFileSync(
      join(at('stopped'), JOURNAL_FILE),
      `${lines.slice(0, 2).join('\n')}\n${lines[2]!.slice(0, 99)}`,
    );
    await expect(merge(['1-of-3', '2-of-3', 'stopped'], 'never')).rejects.toThrow(
      /^2 of 10 cells are missing .*: finish .*stopped with --shard 3\/3 --resume, then merge again$/u,
    );
    await expect(shard(2, 3, 'stopped', true)).rejects.toThrow(
      /stopped: holds shard 3\/3 of this run: continue it with --shard 3\/3 --resume/u,
    );
    await shard(3, 3, 'stopped', true);
    await merge(['1-of-3', '2-of-3', 'stopped'], 'finished');
  });

  it('of different runs, or of none, are refused before anything is written', async () => {
    const other = parseConfig(golden.replace('seed: golden', 'seed: other'), 'golden.yaml');
    await runShard(other, 'golden.yaml', { out: at('other'), shard: { index: 3, count: 3 }, workers: 0 });
    await expect(merge(['1-of-3', '2-of-3', 'other'], 'never')).rejects.toThrow(
      /other: holds another run than .*1-of-3 \(config, seed, trials, data or module differ\)$/u,
    );
    await expect(merge(['1-of-3', 'nowhere'], 'never')).rejects.toThrow(
      /nowhere: holds no run: its journal\.jsonl cannot be read$/u,
    );
    await expect(merge(['whole', '1-of-3'], '1-of-3', { force: true })).rejects.toThrow(
      /1-of-3: is one of the folders to merge: name another with --out$/u,
    );
    await expect(merge(['whole'], 'merged')).rejects.toThrow(
      /merged: holds a run of this config already: replace it with --force$/u,
    );
    expect(readdirSync(root)).not.toContain('never');
  });
});
