// Runs of the real program that are killed or interrupted, and of shards: nothing finished is lost or counted
// twice.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJournal } from '../../experiments/src/run-folder/journal.ts';
import { cliInside } from './inside.ts';
import { GOLDEN, programIn, type Ended } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-stopped-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { start, cli } = programIn(root);

// Without the protocols whose certificates take longer than their trials: they would be found anew in every
// run.
const SLOW = readFileSync(GOLDEN, 'utf8')
  .replace(/ {2}- \{ kind: (?:segmented|weighted-sep-mm).*\n/gu, '')
  .replace('trials: 12', 'trials: 24\nsimulation: messages')
  .replace('[300, 500]', '[3000, 3001, 3002, 3003, 3004, 3005]');
const ARGS = ['run', 'slow.yaml', '--quiet', '--no-report', '--out'];
const ONE_THREAD = ['--workers', '0'];
const KEPT = 'finished cells are kept in';

const journalOf = (out: string): string => join(root, out, 'journal.jsonl');
const linesOf = (out: string): string[] =>
  existsSync(journalOf(out)) ? readFileSync(journalOf(out), 'utf8').split('\n').slice(0, -1) : [];
const bytesOf = (out: string, file: string): string => readFileSync(join(root, out, file), 'latin1');

async function untilLines(out: string, count: number, ended: Promise<Ended>): Promise<void> {
  const over = ended.then(() => true);
  while (linesOf(out).length < count) {
    // Polling is one wait after another.
    // oxlint-disable-next-line no-await-in-loop
    if (await Promise.race([over, setTimeout(5, false)]))
      throw new Error('the run ended before it was stopped');
  }
}

beforeAll(() => writeFileSync(join(root, 'slow.yaml'), SLOW));

describe('a run', () => {
  it('killed again and again, then interrupted, ends with the bytes of an undisturbed one', async () => {
    const whole = cli(...ARGS, 'whole', ...ONE_THREAD);
    let finished: string[] = [];
    // Milliseconds after a cell was finished: while others are on their way, or their lines are being
    // written.
    for (const [delay, ...more] of [
      [0, '--workers', '1'],
      [13, '--resume', ...ONE_THREAD],
      [40, '--resume', ...ONE_THREAD],
    ] as const) {
      const run = start(...ARGS, 'stopped', ...more);
      // One kill after another: that is what is tested.
      // oxlint-disable-next-line no-await-in-loop
      await untilLines('stopped', finished.length + 2, run.ended);
      // oxlint-disable-next-line no-await-in-loop
      await setTimeout(delay);
      run.child.kill('SIGKILL');
      // oxlint-disable-next-line no-await-in-loop
      await run.ended;
      const now = linesOf('stopped');
      expect(now.slice(0, finished.length)).toEqual(finished);
      expect(existsSync(join(root, 'stopped/results.csv'))).toBe(false);
      finished = now;
    }

    const run = start(...ARGS, 'stopped', '--resume', ...ONE_THREAD);
    await untilLines('stopped', finished.length + 1, run.ended);
    run.child.kill('SIGINT');
    expect(await run.ended).toEqual({
      code: 130,
      stdout: '',
      stderr: `interrupted; ${KEPT} stopped: add --resume to the same command, without --force, to go on\n`,
    });

    const resumed = await cli(...ARGS, 'stopped', '--resume', ...ONE_THREAD);
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect((await whole).code).toBe(0);
    for (const file of [
      'results.csv',
      'privacy.csv',
      'estimates.csv',
      'summary.json',
      'config.resolved.json',
    ])
      expect(bytesOf('stopped', file)).toBe(bytesOf('whole', file));
    expect(readdirSync(join(root, 'stopped')).sort()).toEqual(readdirSync(join(root, 'whole')).sort());
    // Every cell has one line.
    expect(linesOf('stopped').length).toBe(1 + readJournal(journalOf('stopped')).records.size);
  });
});

it('figures that are interrupted say what to do, and stop between two points', async () => {
  const run = start('figures', 'comp', '--out', 'figures', '--workers', '0');
  await once(run.child.stderr!, 'data');
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toMatch(/^1\/4 comp\.fig2: .* \(about .* left\)$/mu);
  expect(stderr).toMatch(/^interrupted; finished figures are kept in figures: the same command goes on$/mu);
});

it('shards on the command line say what is left to do, and merge to the whole', async () => {
  const one = ['run', 'slow.yaml', '--trials', '1', '--workers', '0', '--quiet', '--shard'];
  const shard = async (of: string): Promise<Ended> => await cliInside(root, ...one, of);
  const shards = [await shard('1/2'), await shard('2/2')];
  const merge = 'shuffle-dp merge results/golden-shard-*-of-2 --out results/golden';
  shards.forEach(({ code, stdout, stderr }, i) => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `shard ${i + 1}/2: 6 of 12 cells are in results/golden-shard-${i + 1}-of-2/journal.jsonl; when all 2 shards are done: ${merge}\n`,
    );
  });
  const folders = [1, 2].map((index) => `results/golden-shard-${index}-of-2`);
  const merged = await cliInside(
    root,
    'merge',
    ...folders,
    '--out',
    'results/golden',
    '--no-report',
    '--json',
  );
  expect(merged).toMatchObject({ code: 0, stderr: '' });
  expect((JSON.parse(merged.stdout) as { rows: unknown[] }).rows.length).toBe(12);
});
