import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { zTest } from '@shuffle-dp/core/testkit';
import { parseConfig } from '../../src/config/load-config.ts';
import { comparisonText } from '../../../cli/src/output/comparison-table.ts';
import { runCharts } from '../../src/report/run-charts.ts';
import { reportPage } from '../../src/report/run-report.ts';
import { chosenCells, compareCells } from '../../src/results/comparison.ts';
import { privacyCsv, resultsCsv, trialsCsv } from '../../src/results/result-tables.ts';
import type { RunResult } from '../../src/results/run-result.ts';
import { resolvedConfigJson, summaryJson } from '../../src/results/summary.ts';
import { JOURNAL_FILE } from '../../src/run-folder/journal.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { runExperiment, type RunOptions } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const GOLDEN = join(import.meta.dirname, '../fixtures/golden.yaml');
const golden = readFileSync(GOLDEN, 'utf8');
/**
 * Without the protocols whose certificates take longer than their trials, where the trials are what matters.
 */
const light = golden.replace(/ {2}- \{ kind: (?:segmented|weighted-sep-mm).*\n/gu, '');

function sampleVariance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

let folders = 0;
function run(text: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
  const out = options.out ?? join(root, `run-${folders++}`);
  return runExperiment(parseConfig(text, 'test.yaml'), 'test.yaml', { workers: 0, ...options, out });
}

const CATEGORIES = `
name: categories
seed: a
adjacency: replace-one
trials: 15
data: { kind: categories-zipf, domain: 16 }
users: [2000]
privacy: { epsilon: [0.5, 1], delta: 1e-6 }
protocols:
  - { kind: frequency, randomizer: [grr, oue] }
  - { kind: frequency, label: Hashed, randomizer: local-hash }
`;

const LAST_PROTOCOL = '  - { kind: frequency, label: Hashed, randomizer: local-hash }\n';

describe('a run', () => {
  it('gives the same bytes for any number of workers, and after a kill', async () => {
    const out = join(root, 'inline');
    // One rate is as good as two, and each has certificates that take longer than its trials.
    const text = golden.replace('blanketRate: [1, 4]', 'blanketRate: 4');
    const inline = await run(text, { out });
    const bytes = [resultsCsv(inline), privacyCsv(inline), trialsCsv(inline)];
    // More threads than cores: cells and ranges of trials end in any order.
    const other = await run(text, { workers: 3 });
    expect([resultsCsv(other), privacyCsv(other), trialsCsv(other)]).toEqual(bytes);
    // As after a kill: some cells, and half a line.
    const journal = join(out, JOURNAL_FILE);
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${lines.slice(0, 4).join('\n')}\n`);
    appendFileSync(journal, lines[4]!.slice(0, 100));
    let simulated = 0;
    const resumed = await run(text, {
      out,
      resume: true,
      onProgress: ({ phase, total }) => {
        if (phase === 'trials') simulated = total;
      },
    });
    expect(simulated).toBe((inline.cells.length - 3) * 12);
    expect([resultsCsv(resumed), privacyCsv(resumed), trialsCsv(resumed)]).toEqual(bytes);
  });

  it('with a trace of more users than can be drawn at once is refused before it begins', async () => {
    const out = join(root, 'no-trace');
    await expect(run(CATEGORIES.replace('[2000]', '1e12'), { trace: true, out })).rejects.toThrow(
      'users = 1000000000000: must be at most 268435456 for a trace, which draws every user',
    );
    expect(existsSync(out)).toBe(false);
  });

  it('that is aborted keeps what it has, and goes on from there', async () => {
    const out = join(root, 'aborted');
    const interruption = new AbortController();
    const config = light.replace('[300, 500]', '[300, 400, 500]');
    const first = run(config, {
      out,
      signal: interruption.signal,
      onProgress: ({ cellsDone }) => {
        if (cellsDone > 0) interruption.abort(new Error('stop'));
      },
    });
    await expect(first).rejects.toThrow('stop');
    const kept = readFileSync(join(out, JOURNAL_FILE), 'utf8').trim().split('\n').length - 1;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(6);
    const resumed = await run(config, { out, resume: true });
    expect(resultsCsv(resumed)).toBe(resultsCsv(await run(config)));
  });

  it('with more trials extends the one with fewer, trial by trial', async () => {
    const few = await run(light);
    const more = await run(light.replace('trials: 12', 'trials: 17'));
    few.cells.forEach((cell, i) => {
      expect(more.cells[i]!.squaredErrors.slice(0, 12)).toEqual(cell.squaredErrors);
      expect(more.cells[i]!.cell).not.toBe(cell.cell);
    });
  });

  it('does not change a cell when another one is added to the config', async () => {
    const swept = '  - { kind: subexp-local, subsetSize: [1, 4] }\n';
    const among = await run(`${light}${swept}`);
    const alone = await run(`${light}${swept.replace('[1, 4]', '4')}`);
    expect(among.cells.length).toBe(alone.cells.length + 2);
    const known = new Map(among.cells.map((cell) => [cell.cell, cell]));
    for (const cell of alone.cells) expect(known.get(cell.cell)!.squaredErrors).toEqual(cell.squaredErrors);
  });

  it('with another seed gives other numbers, on both paths about the same error', async () => {
    const one = await run(light.replace('trials: 12', 'trials: 60'));
    const other = await run(
      light.replace('trials: 12', 'trials: 60').replace('seed: golden', 'seed: other\nsimulation: messages'),
    );
    one.cells.forEach((cell, i) => {
      const twin = other.cells[i]!;
      expect(twin.mse).not.toBe(cell.mse);
      expect(twin.simulation).toBe('messages');
      // Widths of the 95 % intervals times 3: six standard errors of the difference or more, 4 comparisons.
      const width =
        (cell.mseInterval.upper - cell.mseInterval.lower + twin.mseInterval.upper - twin.mseInterval.lower) /
        2;
      expect(Math.abs(cell.mse - twin.mse)).toBeLessThan(2.2 * width);
      expect(Math.abs(cell.mse - cell.mseTheory!)).toBeLessThan(3 * (cell.mseInterval.upper - cell.mse));
    });
  });

  it('of categories sweeps epsilon and randomizers', async () => {
    const result = await run(CATEGORIES);
    expect(result.parameterColumns).toEqual(['randomizer', 'targetEpsilon']);
    expect(result.cells.map(({ sweep }) => `${sweep['randomizer']} ${sweep['targetEpsilon']}`)).toEqual([
      'grr 0.5',
      'oue 0.5',
      'grr 1',
      'oue 1',
      'local-hash 0.5',
      'local-hash 1',
    ]);
    for (const cell of result.cells) {
      expect(cell.msePopulation).toBeGreaterThan(0);
      expect(cell.certified[0]!.epsilon.upper).toBeLessThanOrEqual(cell.sweep['targetEpsilon'] as number);
    }
    const groups = compareCells(result);
    expect(groups.map(({ cells }) => cells.length)).toEqual([3, 3]);
    for (const group of groups) {
      const best = group.cells.find(({ cell }) => cell === group.best)!;
      expect(best).toMatchObject({ ratioToBest: 1, separated: false, chosen: true });
      const chosen = chosenCells(group);
      expect(chosen.map(({ cell }) => cell.series)).toEqual([0, 1]);
      expect(Math.min(...chosen.map(({ ratioToBest }) => ratioToBest))).toBe(1);
      // Of grr and oue that of the less expected error, whatever was measured.
      const [first, second] = group.cells.map(({ cell }) => cell.mseTheory!);
      expect(chosen[0]!.cell.mseTheory).toBe(Math.min(first!, second!));
      expect(chosen.map(({ chosenBy }) => chosenBy)).toEqual(['theory', null]);
    }
  });

  it('names clean-ups in every row and states no theory for them', async () => {
    const raw = await run(CATEGORIES);
    const projected = await run(`${CATEGORIES}postprocess: project-simplex\n`);
    projected.cells.forEach((cell, i) => {
      expect(cell.postprocess).toBe('project-simplex');
      expect(cell.mseTheory).toBeNull();
      // Up to rounding: some estimates lie on the simplex already.
      expect(cell.mse).toBeLessThanOrEqual(raw.cells[i]!.mse * (1 + 1e-12));
    });
    expect(resultsCsv(projected)).toContain(',project-simplex,');
  });

  it('measures ranges of the same estimates, and says so', async () => {
    const text = CATEGORIES.replace(LAST_PROTOCOL, '  - { kind: range-queries }\n');
    const frequencies = await run(text);
    const ranges = await run(`${text}measure: ranges\n`);
    ranges.cells.forEach((cell, i) => {
      const twin = frequencies.cells[i]!;
      expect(cell.cell).not.toBe(twin.cell);
      expect(cell.biasMaxAbs).toBe(twin.biasMaxAbs);
      expect(cell.mse).not.toBe(twin.mse);
      expect(cell.msePopulation).not.toBe(twin.msePopulation);
      // Widths of 95 % intervals of 15 trials, three for each side.
      const { lower, upper } = cell.mseInterval;
      expect(Math.abs(cell.mse - cell.mseTheory!)).toBeLessThan(1.5 * (upper - lower));
      expect(cell.mseTheory).not.toBe(twin.mseTheory);
    });
    expect(resultsCsv(frequencies).split('\n')[1]).toMatch(/,replace-one,frequencies,total-squared,/u);
    expect(resultsCsv(ranges).split('\n')[1]).toMatch(/,replace-one,ranges,total-squared,/u);
    const summary = JSON.parse(summaryJson(ranges)) as { measure: string };
    expect(summary.measure).toBe('ranges');
    const { chart, caption } = runCharts(ranges)[0]!;
    expect(chart.y.title).toBe('squared error of a range, mean');
    expect(caption).toContain('mean over all ranges');
    expect(reportPage(ranges, []).headline).toContain('the least squared error of a range is');
    expect(reportPage(frequencies, []).headline).toContain('the least total squared error is');
    expect(comparisonText(ranges, false)).toContain(
      'squared error of a range: squared error of the frequency of a range',
    );
  });

  // The errors of both categories cancel: of the three ranges two have a half of the sum of squares, and the
  // third none.
  it('of two categories has a third of the sum of squares as the error of ranges', async () => {
    const text = CATEGORIES.replace('domain: 16', 'domain: 2')
      .replace('[grr, oue]', 'grr')
      .replace(LAST_PROTOCOL, '');
    const frequencies = await run(text);
    const ranges = await run(`${text}measure: ranges\n`);
    ranges.cells.forEach(({ squaredErrors, mse }, i) => {
      const sums = frequencies.cells[i]!.squaredErrors;
      squaredErrors.forEach((error, trial) => expect(error / sums[trial]!).toBeCloseTo(1 / 3, 12));
      expect(mse).toBeGreaterThan(0);
    });
  });

  it('projects the joint law: both paths have one error', async () => {
    const text = `
name: projected
seed: projected
adjacency: replace-one
trials: 400
data: { kind: categories-zipf, domain: 12 }
users: 200
privacy: { delta: 1e-6 }
postprocess: project-simplex
protocols:
  - { kind: frequency, randomizer: subset, epsilon0: 1 }
`;
    const cells = await Promise.all(
      ['aggregated', 'messages'].map(async (path) => (await run(`${text}simulation: ${path}\n`)).cells[0]!),
    );
    const [aggregated, messages] = cells.map(({ squaredErrors, mse }) => ({
      mean: mse,
      variance: sampleVariance(squaredErrors) / squaredErrors.length,
    }));
    // Drawn as if independent the counts gave 0.76 of this error: ten standard errors.
    expect(
      zTest(aggregated!.mean, messages!.mean, Math.sqrt(aggregated!.variance + messages!.variance)),
    ).toBeGreaterThan(1e-4);
  });

  it.each([
    ['maximum', 'largest absolute error', (errors: readonly number[]) => Math.max(...errors.map(Math.abs))],
    [
      'total-variation',
      'half the sum',
      (errors: readonly number[]) => errors.reduce((sum, error) => sum + Math.abs(error), 0) / 2,
    ],
  ])('compares by the error that the config names: %s', async (error, words, errorOf) => {
    // For two categories the errors are opposite: the squared error gives all others.
    const text = CATEGORIES.replace('domain: 16', 'domain: 2')
      .replace(LAST_PROTOCOL, '')
      .replace('oue', 'subset');
    const squared = await run(text);
    const named = await run(`${text}error: ${error}\n`);
    expect(named.cells.map(({ mse }) => mse)).toEqual(squared.cells.map(({ mse }) => mse));
    named.cells.forEach((cell, i) => {
      expect(cell.cell).not.toBe(squared.cells[i]!.cell);
      expect(cell.errors.length).toBe(15);
      cell.errors.forEach((value, trial) => {
        const each = Math.sqrt(cell.squaredErrors[trial]! / 2);
        expect(value).toBeCloseTo(errorOf([each, -each]), 12);
      });
      expect(cell.error.theory).toBeNull();
      expect(cell.error.mean).toBeGreaterThan(cell.error.interval.lower);
    });
    expect(resultsCsv(named).split('\n')[1]).toContain(`,frequencies,${error},`);
    expect(comparisonText(named, false)).toContain(words);
    expect(runCharts(named)[0]!.caption).toContain(words);
    expect(reportPage(named, []).threatModel.join(' ')).toContain(words);
    // Without theory a sweep is chosen on trials of its own, which are not those reported.
    expect(squared.cells.every(({ choiceError }) => choiceError === null)).toBe(true);
    for (const {
      choiceError,
      error: { mean },
    } of named.cells) {
      expect(choiceError).toBeGreaterThan(mean / 4);
      expect(choiceError).toBeLessThan(mean * 4);
      expect(choiceError).not.toBe(mean);
    }
    expect(comparisonText(named, false)).toContain('best in as many trials of their own');
  });

  it('compares by the error per item, of which theory is known', async () => {
    const squared = await run(CATEGORIES);
    const perItem = await run(`${CATEGORIES}error: per-item\n`);
    perItem.cells.forEach((cell, i) => {
      expect(cell.mse).toBe(squared.cells[i]!.mse);
      expect(cell.error.mean).toBeCloseTo(cell.mse / 16, 15);
      expect(cell.error.theory).toBeCloseTo(cell.mseTheory! / 16, 15);
    });
    expect(comparisonText(perItem, false)).toContain('squared error per item');
  });

  it('keeps the trials that choose apart, whatever the workers', async () => {
    const text = `${CATEGORIES.replace(LAST_PROTOCOL, '')}postprocess: clip\n`;
    const [inline, pooled] = [await run(text), await run(text, { workers: 2 })];
    expect(pooled.cells.map(({ choiceError }) => choiceError)).toEqual(
      inline.cells.map(({ choiceError }) => choiceError),
    );
    const only = await run(text.replace('[grr, oue]', 'grr'));
    expect(only.cells[0]!.choiceError).toBeNull();
    expect(only.cells[0]!.squaredErrors).toEqual(inline.cells[0]!.squaredErrors);
  });

  it('writes its provenance', async () => {
    const result = await run(light, { command: 'shuffle-dp run golden.yaml' });
    const summary = JSON.parse(summaryJson(result)) as Record<string, Record<string, unknown>>;
    expect(summary['provenance']).toMatchObject({
      seed: 'golden',
      nodeVersion: process.version,
      command: 'shuffle-dp run golden.yaml',
    });
    expect(summary['provenance']!['configHash']).toMatch(/^[0-9a-f]{64}$/u);
    const resolved = JSON.parse(resolvedConfigJson(result)) as {
      cells: unknown[];
      config: { simulation: string };
    };
    expect(resolved.cells.length).toBe(4);
    expect(resolved.config.simulation).toBe('aggregated');
  });

  it('of one trial has no interval, and one of a thousand an order that is fixed', async () => {
    const single = await run(light.replace('trials: 12', 'trials: 1'));
    expect(single.cells[0]!.mseInterval).toEqual({ lower: 0, upper: Infinity });
    expect(resultsCsv(single).split('\n')[1]).toContain(',0,Infinity,');
  });
});

describe('a plan', () => {
  const plan = (text: string): ReturnType<typeof planExperiment> =>
    planExperiment(parseConfig(text, 'test.yaml'), 'test.yaml');

  it('refuses twins, delta out of range, and files that lack users', () => {
    expect(() => plan(golden.replace('[1, 4]', '[1, 1]'))).toThrow('test.yaml: protocols[0]');
    expect(() => plan(golden.replace('0.01/n', 'n'))).toThrow(
      'privacy.delta = "n": must be in (0, 1); it is 300 at n = 300, d = 19, s = 3',
    );
    const file = join(root, 'lists.csv');
    writeFileSync(file, '1 2\n3\n2 0 1\n');
    const lists = golden.replace(
      /data: .*/u,
      `data: { kind: csv-sets, path: ${file}, separator: ' ', items: 2 }`,
    );
    expect(() => plan(lists)).toThrow(
      'users[0] = 300: must be at most 3, the users of the file who can take part',
    );
    expect(plan(lists.replace('[300, 500]', 'all')).cells[0]!.data.users).toBe(3);
    expect(() => plan(lists.replace('[300, 500]', '[all, 3]'))).toThrow(
      'users[0] = "all": must be listed once: it is 3',
    );
    expect(() => plan(lists.replace('lists.csv', 'none.csv'))).toThrow(
      'cannot be read: no such file or folder',
    );
  });

  it('has another hash for other data under the same name, and the same for the same data elsewhere', () => {
    const write = (name: string, content: string): string => {
      writeFileSync(join(root, name), content);
      return golden
        .replace(/data: .*/u, `data: { kind: csv-sets, path: ${join(root, name)}, items: 2 }`)
        .replace('[300, 500]', 'all');
    };
    const first = plan(write('a.csv', '1,2\n3\n'));
    const moved = plan(write('b.csv', '1,2\n3\n'));
    const changed = plan(write('a.csv', '1,3\n3\n'));
    expect(moved.configHash).toBe(first.configHash);
    expect(moved.cells.map(({ id }) => id)).toEqual(first.cells.map(({ id }) => id));
    expect(changed.configHash).not.toBe(first.configHash);
    expect(changed.cells[0]!.id).not.toBe(first.cells[0]!.id);
  });

  it('names cells as before where ranges are not measured, and else otherwise', () => {
    const before = plan(CATEGORIES);
    const said = plan(`${CATEGORIES}measure: frequencies\n`);
    expect(said).toEqual(before);
    // The hash in journals of versions that knew no other measure.
    expect(plan(golden).configHash).toBe('a89d9f151fdcabc003c331797dc3bbacf8c64a91c5b1f4bd97018a15c28ef9a7');
    expect(JSON.stringify(before.cells)).not.toContain('measure');
    const ranges = plan(`${CATEGORIES}measure: ranges\n`);
    expect(ranges.configHash).not.toBe(before.configHash);
    ranges.cells.forEach((cell, i) => {
      expect(cell.id).not.toBe(before.cells[i]!.id);
      expect(cell.streamLabel).toBe(before.cells[i]!.streamLabel);
    });
  });

  it.each([['measure: ranges', 'measure ranges']])(
    'refuses %s on counts that are drawn one by one',
    async (field, step) => {
      const example = new URL('../../../../examples/own-randomizer/abstaining-response.mjs', import.meta.url);
      writeFileSync(
        join(root, 'marginal.mjs'),
        `import example from ${JSON.stringify(example.href)};\n` +
          'export default (given) => ({ ...example(given), jointSupportCounts: false });\n',
      );
      const text = CATEGORIES.replace(
        LAST_PROTOCOL,
        `  - { kind: own-randomizer, module: ${join(root, 'marginal.mjs')} }\n`,
      );
      await expect(run(`${text}${field}\n`)).rejects.toThrow(
        `test.yaml: protocols[1] (own-randomizer) at 2000 users: simulation = "aggregated": must be 'messages' to ${step}: without messages marginal.mjs draws its counts one by one`,
      );
      const [cell] = (await run(`${text}${field}\nsimulation: messages\n`)).cells.slice(-1);
      expect(cell!.mse).toBeGreaterThan(0);
    },
  );

  it('refuses parameters that a protocol refuses before any trial', async () => {
    const text = golden.replace('{ kind: subexp-local }', '{ kind: subexp-local, subsetSize: 400 }');
    await expect(run(text)).rejects.toThrow(
      /^test\.yaml: protocols\[1\] \(subexp-local\) at 300 users: subsetSize = 400: must be/u,
    );
  });
});
