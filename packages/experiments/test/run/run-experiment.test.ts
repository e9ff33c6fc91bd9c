import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chosenCells, compareCells } from '../../src/results/comparison.ts';
import { privacyCsv, resultsCsv, trialsCsv } from '../../src/results/result-tables.ts';
import { resolvedConfigJson, summaryJson } from '../../src/results/summary.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';
import { JOURNAL_FILE } from '../../src/run-folder/journal.ts';
import { light, CATEGORIES, LAST_PROTOCOL, runFolder } from './run-fixture.ts';

const { root, run } = runFolder();

describe('a run', () => {
  it('gives the same bytes for any number of workers, and after a kill', async () => {
    const out = join(root, 'inline');
    const inline = await run(light, { out });
    const bytes = [resultsCsv(inline), privacyCsv(inline), trialsCsv(inline)];
    // Cells and ranges of trials end in any order. A thread takes a second to load, which is all it costs.
    const other = await run(light, { workers: 2 });
    expect([resultsCsv(other), privacyCsv(other), trialsCsv(other)]).toEqual(bytes);
    // As after a kill: some cells, and half a line.
    const journal = join(out, JOURNAL_FILE);
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${lines.slice(0, 4).join('\n')}\n`);
    appendFileSync(journal, lines[4]!.slice(0, 100));
    let simulated = 0;
    const resumed = await run(light, {
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

  it('that is aborted before it begins leaves no folder', async () => {
    const out = join(root, 'never');
    const reason = new Error('enough');
    await expect(run(light, { out, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
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
    expect(result.parameterColumns).toEqual(['randomizer', 'accounting', 'targetEpsilon']);
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

  it('keeps the trials that choose apart, whatever the workers', async () => {
    const text = `${CATEGORIES.replace(LAST_PROTOCOL, '')}postprocess: clip\n`;
    const [inline, pooled] = [await run(text), await run(text, { workers: 1 })];
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

it.each([
  [{ trials: 2.5 }, {}, 'config.trials = 2.5: must be an integer from 1'],
  [{ trials: NaN }, {}, 'config.trials = NaN: must be an integer from 1'],
  [{}, { workers: -1 }, 'workers = -1: must be an integer'],
  [{}, { workers: 1.5 }, 'workers = 1.5: must be an integer'],
])('a run from code is refused with %o and %o', async (changed, options, message) => {
  const config = { ...parseConfig(light, 'light.yaml'), ...changed };
  const out = join(root, 'refused');
  await expect(runExperiment(config, 'light.yaml', { out, ...options })).rejects.toThrow(message);
});
