// Statistical checks have fixed seeds; the false-alarm rate of the file is below 1e-3.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { parseIdentifiers } from '../../src/data/csv/csv-identifiers.ts';
import { readDataFile } from '../../src/data/data-file.ts';
import { FOUND_AT_ZERO, itemEstimates } from '../../src/results/item-estimates.ts';
import { estimatesCsv, resultsCsv } from '../../src/results/result-tables.ts';
import type { CellResult, RunResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';
import { addAnswer, roomFor } from '../../src/trials/trial-range.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-identifiers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const given = {
  name: 'identifiers',
  seed: 'identifiers',
  adjacency: 'replace-one',
  trials: 10,
  top: 4,
  data: { kind: 'identifiers-zipf', bits: 20, different: 200, exponent: 1.5 },
  users: 20_000,
  privacy: { epsilon: 2, delta: 1e-6 },
  protocols: [{ kind: 'prefix-tree' }, { kind: 'hashed-bits' }],
};

let runs = 0;
async function run(changes: object): Promise<RunResult> {
  const file = join(root, 'identifiers.yaml');
  const config = parseConfig(JSON.stringify({ ...given, ...changes }), file);
  return runExperiment(config, file, { out: join(root, `run ${runs++}`), workers: 0 });
}

function fileOf(lines: readonly string[]): string {
  const file = join(root, `words ${runs++}.csv`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

describe('a run that looks for heavy hitters', () => {
  it('finds them, within the target, and says how well', async () => {
    const result = await run({});
    for (const { quality, certified, mse, domain } of result.cells) {
      expect(domain).toBe(2 ** 20);
      expect(quality!.recall).toBeGreaterThan(0.9);
      expect(quality!.cumulativeRank).toBeGreaterThan(0.9);
      expect(certified[0]!.epsilon.upper).toBeLessThanOrEqual(2);
      // Of four frequencies of some tenths none is off by more than a tenth on average.
      expect(mse).toBeLessThan(0.04);
    }
    expect(resultsCsv(result).split('\n')[0]).toMatch(/,precision,recall,cumulative_rank$/u);
    const found = itemEstimates(result.cells[0]!, result);
    expect(found.length).toBeGreaterThanOrEqual(4);
    expect(found.map(({ mean }) => mean)).toEqual(found.map(({ mean }) => mean).sort((a, b) => b - a));
  });

  it('lists the same identifiers, clipped or not', async () => {
    // Of four identifiers eight are looked for: some are found that nobody holds, at estimates below 0.
    const changes = {
      top: 8,
      users: 2000,
      seed: 1,
      privacy: { epsilon: 1, delta: 1e-6 },
      data: { kind: 'identifiers-zipf', bits: 16, different: 4 },
      protocols: [{ kind: 'hashed-bits' }],
    };
    const [raw, clipped] = [await run(changes), await run({ ...changes, postprocess: 'clip' })];
    expect(raw.cells[0]!.quality!.precision).toBeLessThan(1);
    expect(clipped.cells[0]!.quality).toEqual(raw.cells[0]!.quality);
    const listed = (result: RunResult) => itemEstimates(result.cells[0]!, result);
    const items = (result: RunResult) =>
      listed(result)
        .map(({ item }) => item)
        .sort((a, b) => a - b);
    expect(items(clipped)).toEqual(items(raw));
    // Clipped from below 0 in every trial: at 0 itself, not near it.
    const least = listed(clipped).at(-1)!;
    expect([least.mean, least.deviation]).toEqual([0, 0]);
  });

  it('lists what only a later trial finds, at an estimate of 0', () => {
    const { answers } = roomFor(3, 2, null);
    const estimates = [Float64Array.of(0, 0), Float64Array.of(FOUND_AT_ZERO, 0), Float64Array.of(0, 0)];
    estimates.forEach((estimate, trial) => addAnswer(answers, trial, estimate, new Float64Array(2)));
    const quality = { precision: 0, recall: 0, cumulativeRank: 0 };
    const found = itemEstimates({ answers, trials: 3, quality } as CellResult, {});
    expect(found.map(({ item, mean }) => [item, mean])).toEqual([[0, 0]]);
  });

  it('errs as much message by message', { tags: 'long' }, async () => {
    const changes = { trials: 40, protocols: [{ kind: 'prefix-tree', oracle: 'grr' }, given.protocols[1]] };
    const [counted, made] = [await run(changes), await run({ ...changes, simulation: 'messages' })];
    counted.cells.forEach(({ squaredErrors, mse }, i) => {
      const other = made.cells[i]!;
      const spread = (errors: readonly number[], mean: number): number =>
        errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / errors.length ** 2;
      const deviation = Math.sqrt(spread(squaredErrors, mse) + spread(other.squaredErrors, other.mse));
      expect(Math.abs(mse - other.mse) / deviation).toBeLessThan(4);
    });
  });

  it('gives back the words that came in', async () => {
    const held: [string, number][] = [
      ['ζ-hydra', 500],
      ['a rather long phrase', 300],
      ['cat', 150],
      ...Array.from({ length: 50 }, (_, i): [string, number] => [`rare ${i}`, 1]),
    ];
    const path = fileOf(['word', ...held.flatMap(([word, count]) => Array<string>(count).fill(word))]);
    const result = await run({
      data: { kind: 'csv-identifiers', path, column: 'word', bits: 32 },
      users: 'all',
      top: 3,
      trials: 3,
      privacy: { epsilon: 6, delta: 1e-4 },
      protocols: [{ kind: 'prefix-tree' }],
    });
    const best = itemEstimates(result.cells[0]!, result).slice(0, 3);
    expect(best.map(({ name }) => name)).toEqual(held.slice(0, 3).map(([word]) => word));
    expect(best[0]!.truth).toBe(0.5);
    expect(estimatesCsv(result)).toContain('a rather long phrase');
    expect(result.cells[0]!.quality).toEqual({ precision: 1, recall: 1, cumulativeRank: 1 });
  });

  it.each([
    [{ top: undefined }, 'top is missing'],
    [{ error: 'maximum' }, 'error = "maximum": must be left out'],
    [{ protocols: [{ kind: 'pure-dump' }] }, 'a protocol for identifiers'],
    [{ protocols: [{ kind: 'prefix-tree', oracle: 'oue' }] }, 'oracle'],
    [{ data: { ...given.data, bits: 3 } }, 'at most 2^3'],
    [
      { data: { kind: 'categories-uniform', domain: 9 }, protocols: [{ kind: 'pure-dump' }] },
      'top = 4: must be left out',
    ],
    [{ postprocess: 'project-simplex' }, 'postprocess'],
    [{ threats: { colluding: 0.1 } }, 'no privacy is proved'],
  ])('refuses %j', async (changes, message) => {
    await expect(run(changes)).rejects.toThrow(message);
  });
});

describe('words as identifiers', () => {
  const parse = (words: readonly string[], bits: number) =>
    parseIdentifiers(readDataFile(fileOf(words)), 0, bits, { header: false });

  it('are numbers, letters, or a hash', () => {
    expect([...parse(['7', '12', '7'], 8).identifiers]).toEqual([7, 12]);
    expect([...parse(['7', '12', '7'], 8).codes]).toEqual([0, 1, 0]);
    expect([...parse(['ab', 'a'], 20).identifiers]).toEqual([0x6162 * 16, 0x6100 * 16]);
    // sha256('abc') = ba7816bf 8f01…
    expect([...parse(['abc', 'longer than six'], 20).identifiers][0]).toBe(0xba781);
    expect([...parse(['abc', 'longer than six'], 48).identifiers][0]).toBe(0xba7816bf8f01);
  });

  it('are refused where two are one', () => {
    const many = Array.from({ length: 40 }, (_, i) => `a long word ${i}`);
    expect(() => parse(many, 4)).toThrow('one identifier of 4 bits');
  });
});
