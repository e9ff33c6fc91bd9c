// The real program through its launcher: what users and scripts meet.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';

const LAUNCHER = join(import.meta.dirname, '../../bin/shuffle-dp.mjs');
const GOLDEN = join(import.meta.dirname, '../fixtures/golden.yaml');
const EXPECTED = join(import.meta.dirname, '../fixtures/golden-results.csv');
const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-cli-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = (async () => {
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr!.on('data', (part: Buffer) => (stderr += part.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  })();
  return { child, ended };
}

function cli(...args: string[]): Promise<Ended> {
  return start(...args).ended;
}

describe('the golden config', () => {
  it('gives the recorded results', async () => {
    const { code, stdout, stderr } = await cli(
      'run',
      GOLDEN,
      '--out',
      'golden',
      '--keep-trials',
      '--workers',
      '1',
      '--json',
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as {
      rows: { protocol: string; mse: number; mse_ci: number[]; ratio_to_best: number }[];
    };
    expect(document.rows.length).toBe(10);
    expect(readdirSync(join(root, 'golden')).sort()).toEqual([
      'config.resolved.json',
      'figures',
      'journal.jsonl',
      'privacy.csv',
      'report.html',
      'results.csv',
      'summary.json',
      'timings.csv',
      'trials.csv',
    ]);
    const measured = readFileSync(join(root, 'golden/results.csv'), 'utf8').split('\n');
    const expected = readFileSync(EXPECTED, 'utf8').split('\n');
    expect(measured[0]).toBe(expected[0]);
    expect(measured.length).toBe(expected.length);
    // Searches for rates end within a tolerance, and their last bits may move: nine digits must not.
    measured.forEach((line, row) => {
      line.split(',').forEach((field, column) => {
        const known = expected[row]!.split(',')[column]!;
        if (field === known) return;
        expect(Math.abs(Number(field) - Number(known))).toBeLessThanOrEqual(1e-9 * Math.abs(Number(known)));
      });
    });
  });

  it('is not run over, and compared from what is there', async () => {
    const before = readFileSync(join(root, 'golden/results.csv'));
    const refused = await cli('run', GOLDEN, '--out', 'golden');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe(
      'golden: holds a run of this config already: continue it with --resume, or replace it with --force\n',
    );
    const other = await cli('run', GOLDEN, '--out', 'golden', '--seed', 'x', '--resume');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('golden: holds another run');
    const compared = await cli('compare', GOLDEN, '--out', 'golden', '--resume', '--no-report');
    expect(compared.code).toBe(0);
    expect(compared.stdout).toMatch(/^300 users, domain 19, 3 items a user/u);
    expect(compared.stdout).toContain('Segmented (blanketRate 4)');
    expect(readFileSync(join(root, 'golden/results.csv'))).toEqual(before);
  });
});

describe('bad usage', () => {
  it('of a config is one line, and exit code 2', async () => {
    const file = join(root, 'experiment.yaml');
    writeFileSync(file, readFileSync(GOLDEN, 'utf8').replace('levels: [1, 2]', 'levels: [1, -1]'));
    const { code, stdout, stderr } = await cli('run', 'experiment.yaml', '--out', 'never');
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'experiment.yaml: privacy.levels[1] = -1: must be a positive number\n',
    });
    expect(existsSync(join(root, 'never'))).toBe(false);
  });

  it.each([
    [['run', GOLDEN, '--trails', '3'], "error: unknown option '--trails' (Did you mean --trials?)\n"],
    [['account', 'gr', '--epsilon0', '1'], 'did you mean grr?\n'],
  ])('of the command line %j', async (args, message) => {
    const { code, stdout, stderr } = await cli(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.endsWith(message)).toBe(true);
    expect(stderr.trim().split('\n').length).toBe(1);
  });
});

describe('a run that is stopped', () => {
  const slow = join(root, 'slow.yaml');
  const text = readFileSync(GOLDEN, 'utf8')
    .replace('trials: 12', 'trials: 30\nsimulation: messages')
    .replace('[300, 500]', '[3000, 3001, 3002, 3003, 3004, 3005, 3006, 3007]');

  async function untilFirstCell(out: string, ended: Promise<Ended>): Promise<void> {
    const journal = join(root, out, 'journal.jsonl');
    const over = ended.then(() => true);
    for (;;) {
      if (existsSync(journal) && readFileSync(journal, 'utf8').split('\n').length > 2) return;
      // Polling is one wait after another.
      // oxlint-disable-next-line no-await-in-loop
      if (await Promise.race([over, setTimeout(10, false)]))
        throw new Error('the run ended before it was stopped');
    }
  }

  it('by kill -9 or Ctrl-C goes on with --resume to the same bytes', async () => {
    writeFileSync(slow, text);
    const args = ['run', 'slow.yaml', '--workers', '1', '--quiet', '--no-report', '--out'];
    const whole = await cli(...args, 'whole');
    expect(whole.code).toBe(0);

    const killed = start(...args, 'stopped');
    await untilFirstCell('stopped', killed.ended);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(existsSync(join(root, 'stopped/results.csv'))).toBe(false);

    const interrupted = start(...args, 'stopped', '--resume');
    await setTimeout(900);
    interrupted.child.kill('SIGINT');
    const { code, stderr } = await interrupted.ended;
    // Slow machines are still starting, fast ones may be done.
    if (code !== 0 && stderr !== '') {
      expect(code).toBe(130);
      expect(stderr).toBe(
        'interrupted; finished cells are kept in stopped: add --resume to the same command to go on\n',
      );
    }

    const resumed = await cli(...args, 'stopped', '--resume');
    expect(resumed.stderr).toBe('');
    expect(resumed.code).toBe(0);
    expect(readFileSync(join(root, 'stopped/results.csv'))).toEqual(
      readFileSync(join(root, 'whole/results.csv')),
    );
    expect(existsSync(join(root, 'stopped/run.lock'))).toBe(false);
  });
});
