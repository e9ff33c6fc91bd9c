import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '@shuffle-dp/experiments/config';
import { plan } from '@shuffle-dp/experiments/plan';
import { buildProgram } from '../../src/main.ts';
import { planJson, planText } from '../../src/output/plan-text.ts';
import { cliInside } from '../inside.ts';
import { programIn } from '../program.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function printed(line: string): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  await (await buildProgram(['plan'])).parseAsync(['node', 'shuffle-dp', 'plan', ...line.split(' ')]);
  return lines.join('');
}

const FREQUENCIES = { task: 'frequencies', users: 2000, domain: 16, epsilon: 1, delta: 1e-6 } as const;
const MEAN = { task: 'mean', users: 2000, epsilon: 1, delta: 1e-6 } as const;
const HITTERS = { task: 'heavy-hitters', users: 3000, domain: 256, top: 4, epsilon: 2, delta: 1e-6 } as const;

// What is printed of plans that are made here, once each: the command makes them on threads, of which each
// loads the program.
describe('the text of a plan', () => {
  it('is within 80 columns, every protocol with its parameters', () => {
    const text = planText(plan({ ...FREQUENCIES, limits: { messages: 2 } }));
    const lines = text.split('\n');
    for (const line of lines) expect(line.length, `in "${line}"`).toBeLessThanOrEqual(80);
    expect(lines[0]).toBe('frequencies over 16, 2,000 users, epsilon 1, delta 0.000001');
    expect(text).toMatch(
      /^ {2}Generalized randomized response: epsilon0 [\d.]+; epsilon [\d.]+ to [\d.]+$/mu,
    );
    expect(text).toMatch(/^ {4}--trust augmented$/mu);
  });

  it('names the rows that have the blanket alone', () => {
    const made = plan({ ...MEAN, limits: { messages: 1 } });
    expect(planText(made).replaceAll(/\s+/gu, ' ')).toContain(
      'Calibrated by the blanket alone; a sharper bound may allow less error: Clip-Laplace mechanism, unbiased, Laplace mechanism, Gaussian mechanism.',
    );
    const { rows } = planJson(made) as {
      readonly rows: readonly { readonly blanketAlone: boolean; readonly config: object }[];
    };
    expect(rows.filter(({ blanketAlone }) => blanketAlone)).toHaveLength(3);
    for (const { blanketAlone, config } of rows)
      if (blanketAlone) expect(config).toMatchObject({ accounting: 'blanket' });
  });

  it('says of searches for heavy hitters that they are simulated', () => {
    const made = plan(HITTERS);
    const document = planJson(made) as {
      readonly rows: readonly {
        readonly errorBy: string;
        readonly error: number;
        readonly errorInterval: { readonly lower: number; readonly upper: number };
        readonly rounds: number;
      }[];
    };
    for (const { errorBy, error, errorInterval, rounds } of document.rows) {
      expect(errorBy).toBe('simulation');
      expect(errorInterval.lower).toBeLessThan(error);
      expect(errorInterval.upper).toBeGreaterThan(error);
      expect(rounds).toBeGreaterThanOrEqual(2);
    }
    const text = planText(made);
    for (const line of text.split('\n')) expect(line.length, `in "${line}"`).toBeLessThanOrEqual(80);
    expect(text.replaceAll(/\s+/gu, ' ')).toContain("by 12 trials each on identifiers by Zipf's law");
  });
});

describe('plan', () => {
  it('has every row in its document, the best first', async () => {
    const asked = '--task mean --users 2000 --epsilon 1 --delta 1e-6 --max-messages 1 --max-bits 8 --json';
    const document = JSON.parse(await printed(asked)) as {
      readonly best: { readonly protocol: string; readonly error: number };
      readonly rows: readonly { readonly error: number; readonly epsilon: { readonly upper: number } }[];
      readonly excluded: readonly { readonly why: string }[];
    };
    const made = plan({ ...MEAN, limits: { trust: 'shuffler', messages: 1, bits: 8 } });
    expect(document).toEqual(JSON.parse(JSON.stringify(planJson(made))));
    expect(document.rows[0]).toEqual(document.best);
    expect(document.rows.length).toBeGreaterThan(1);
    expect(Math.min(...document.rows.map(({ error }) => error))).toBe(document.best.error);
    for (const { epsilon } of document.rows) expect(epsilon.upper).toBeLessThanOrEqual(1 + 1e-9);
    const reasons = document.excluded.map(({ why }) => why).join('\n');
    expect(reasons).toMatch(/^messages a user: .*, over the limit$/mu);
    expect(reasons).toMatch(/^bits a user: .*, over the limit$/mu);
    expect(planText(made)).not.toContain('blanket alone');
  });

  it('says where a smaller epsilon may do for the error asked for', async () => {
    const asked = '--task mean --users 2000 --delta 1e-6 --max-messages 1 --max-bits 8 --error';
    expect(await printed(`${asked} 1`)).toMatch(
      /Epsilons below 0\.01 are not searched: a smaller one may suffice\.\n$/u,
    );
    const text = await printed(`${asked} 1e-3`);
    expect(text).not.toContain('looked at');
    // The target is nowhere below what is proved.
    const [, target] = / epsilon ([\d.]+),/u.exec(text)!;
    const proved = [...text.matchAll(/epsilon [\d.]+ to\s+([\d.]+)/gu)];
    expect(proved.length).toBeGreaterThan(1);
    for (const [, upper] of proved) expect(Number(upper)).toBeLessThanOrEqual(Number(target));
  });

  it('writes no config that compare refuses', async () => {
    const sets = '--task sets --users 5000 --domain 16 --items 2 --epsilon 1 --delta 1e-6 --dropout 0.1';
    await expect(printed(`${sets} --write plan.yaml`)).rejects.toThrow(
      '--write: trials of the task sets have no users who stay away',
    );
  });

  it('writes a config under a name that configs may have, however long that of its file is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plan-'));
    try {
      const file = join(folder, `${'long'.repeat(55)}.yaml`);
      await printed(
        `--task mean --users 2000 --epsilon 1 --delta 1e-6 --max-messages 1 --max-bits 8 --quiet --write ${file}`,
      );
      expect(loadConfig(file).name).toBe('long'.repeat(50));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('replaces no run where it makes none', async () => {
    const mean = '--task mean --users 5000 --epsilon 1 --delta 1e-6 --write plan.yaml';
    await expect(printed(`${mean} --force`)).rejects.toThrow('--force replaces the run of --verify');
  });

  // By the launcher: bundled, a library may have other names than in the build.
  it('writes a config that runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plan-'));
    try {
      const { cli } = programIn(folder);
      const asked = '--task mean --users 2000 --epsilon 1 --delta 1e-6';
      const wanted = '--write plan.yaml --chart plan.svg --verify --json --quiet';
      const ended = await cli('plan', ...asked.split(' '), ...wanted.split(' '));
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const { best, verification } = JSON.parse(ended.stdout) as {
        readonly best: { readonly name: string };
        readonly verification: { readonly rows: readonly { readonly trials: number }[] };
      };
      expect(best.name).not.toBe('');
      expect(verification.rows).toHaveLength(4);
      expect(loadConfig(join(folder, 'plan.yaml'))).toMatchObject({ name: 'plan', users: 2000 });

      const again = `plan ${asked} --write plan.yaml --verify --json --quiet`.split(' ');
      expect(await cliInside(folder, ...again)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(
          '--verify: results/plan is there already: name another file with --write, or replace it with --force',
        ) as string,
      });
      const replaced = await cliInside(folder, ...again, '--force');
      expect(replaced).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(replaced.stdout)).toEqual(JSON.parse(ended.stdout));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.skipIf(process.platform === 'win32')('says how to go on with the run when that is stopped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plan-'));
    try {
      // A report is larger.
      const { cliWithSmallFiles } = programIn(folder);
      const asked = 'plan --task mean --users 2000 --epsilon 1 --delta 1e-6 --write p.yaml --verify --quiet';
      const { code, stderr } = await cliWithSmallFiles(100, ...asked.split(' '));
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /; finished cells are kept in results\/p: free some space, then shuffle-dp compare p\.yaml --resume goes on\n$/u,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
