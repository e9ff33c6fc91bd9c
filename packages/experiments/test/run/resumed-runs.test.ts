// What a run that is interrupted between two ranges of trials leaves, and what it is when it goes on: the run
// that was begun.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { threadsFor } from '../../src/pool/pool.ts';
import { writeResults } from '../../src/report/write-run.ts';
import type { RunResult } from '../../src/results/run-result.ts';
import { CHECKPOINTS } from '../../src/run-folder/checkpoints.ts';
import type { RunProgress } from '../../src/run/run-progress.ts';
import { runExperiment, type RunOptions } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-resumed-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const config = parseConfig(
  readFileSync(join(import.meta.dirname, '../fixtures/golden.yaml'), 'utf8'),
  'golden.yaml',
);
const begun = { configFile: 'golden.yaml', command: 'shuffle-dp run golden.yaml' };
const elsewhere = { configFile: 'moved/copy.yaml', command: 'shuffle-dp run moved/copy.yaml' };

function run(name: string, named: typeof begun, options: Partial<RunOptions> = {}): Promise<RunResult> {
  return runExperiment(config, named.configFile, {
    out: join(root, name),
    workers: 0,
    command: named.command,
    write: (result, out) => writeResults(result, out, { keepTrials: true, report: false }),
    ...options,
  });
}

/** Stops after the first ranges of trials: no cell is finished. @returns the trials that were done */
async function interrupted(name: string): Promise<number> {
  const stop = new AbortController();
  let trials = 0;
  const onProgress = ({ phase, done }: RunProgress): void => {
    if (phase !== 'trials') return;
    trials = done;
    stop.abort(new Error('stopped'));
  };
  await expect(run(name, begun, { signal: stop.signal, onProgress })).rejects.toThrow('stopped');
  return trials;
}

/** Files of cells that have trials. */
function begunCells(name: string): string[] {
  const folder = join(root, name, CHECKPOINTS);
  return readdirSync(folder)
    .filter((file) => /^[0-9a-f]{16}\.json$/u.test(file))
    .map((file) => join(folder, file));
}

describe('a run that is interrupted before its first cell is finished', () => {
  it('keeps its trials, and goes on under another path as the run that was begun', async () => {
    const before = await interrupted('stopped');
    expect(before).toBeGreaterThan(0);
    expect(begunCells('stopped').length).toBe(5);
    const first: RunProgress[] = [];
    const onProgress = (progress: RunProgress): void => void first.push(progress);
    const resumed = await run('stopped', elsewhere, { resume: true, onProgress });
    const [progress] = first.filter(({ phase }) => phase === 'trials');
    expect(progress!.done).toBeGreaterThan(before);
    expect(resumed).toMatchObject({ configFile: 'golden.yaml', provenance: { command: begun.command } });
    expect(existsSync(join(root, 'stopped', CHECKPOINTS))).toBe(false);
    await run('whole', begun);
    for (const file of ['results.csv', 'privacy.csv', 'estimates.csv', 'trials.csv', 'summary.json'])
      expect(readFileSync(join(root, 'stopped', file), 'utf8')).toBe(
        readFileSync(join(root, 'whole', file), 'utf8'),
      );
  });

  it('is refused with a damaged checkpoint, which is named', async () => {
    await interrupted('damaged');
    const file = begunCells('damaged')[0]!;
    writeFileSync(file, readFileSync(file, 'utf8').replace('"added":', '"Added":'));
    await expect(run('damaged', begun, { resume: true })).rejects.toThrow(
      `${file}: line 1: is damaged; delete the file: what it holds is run again`,
    );
    rmSync(file);
    const { cells } = await run('damaged', begun, { resume: true });
    expect(cells.length).toBe(10);
  });
});

describe('threads', () => {
  it('are as many as the tasks and the cores can use, and a line says so', () => {
    const said: string[] = [];
    const notice = (line: string): void => void said.push(line);
    expect(threadsFor(1000, 3, notice)).toBe(3);
    const most = 4 * availableParallelism();
    expect(threadsFor(1000, 1000, notice)).toBe(most);
    expect(said).toEqual([
      '--workers 1000: 3 are used, as many as there are tasks',
      `--workers 1000: ${most} are used, 4 for each core`,
    ]);
    expect(threadsFor(0, 1000, notice)).toBe(0);
    expect(threadsFor(undefined, 1000, notice)).toBe(availableParallelism());
    expect(threadsFor(undefined, 1, notice)).toBe(1);
    expect(said.length).toBe(2);
  });
});
