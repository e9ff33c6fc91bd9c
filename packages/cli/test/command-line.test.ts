// The real program through its launcher: what users and scripts meet.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GOLDEN, programIn } from './program.ts';

const EXPECTED = join(import.meta.dirname, '../../experiments/test/fixtures/golden-results.csv');
const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-cli-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const { cli } = programIn(root);

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
      'estimates.csv',
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
