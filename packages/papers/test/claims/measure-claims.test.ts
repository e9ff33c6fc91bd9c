/** Measuring goes on where it was stopped, and the command says what it found. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { Claim, ClaimContext, Finding } from '../../src/claims/claim.ts';
import type { Ledger } from '../../src/claims/ledger.ts';
import { CLAIMS } from '../../src/claims/registry.ts';
import { measureClaims } from '../../src/claims/measure-claims.ts';
import { DataFileError } from '../../../experiments/src/data/data-file.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-claims-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const FOUND: Finding = {
  verdict: 'reproduced',
  measured: '1 as printed.',
  note: 'A constant.',
  evidence: { columns: ['value', 'limit'], rows: [[1, Infinity]] },
};

function claimOf(id: string, measure: (context: ClaimContext) => Finding): Claim {
  return {
    id,
    paper: 'segmented',
    source: 'Table 1',
    published: 'The value is 1.',
    criterion: 'equal',
    measure,
  };
}

/** A claim that counts how often it is measured. */
function counted(id: string): { readonly claim: Claim; times(): number } {
  let count = 0;
  const measure = (): Finding => {
    count++;
    return FOUND;
  };
  return { claim: claimOf(id, measure), times: () => count };
}

function measureIn(folder: string, claims: readonly Claim[], force = false): Promise<Ledger> {
  return measureClaims(claims, { out: join(root, folder), force, report: () => {} });
}

describe('a run of claims', () => {
  it('of some claims keeps what the folder has of others', async () => {
    const [first, second] = CLAIMS.map((claim): Claim => ({ ...claim, measure: () => FOUND }));
    await measureIn('some', [second!]);
    const { claims } = await measureIn('some', [first!]);
    expect(claims.map(({ id }) => id)).toEqual([first!.id]);
    const written = JSON.parse(readFileSync(join(root, 'some/claims.json'), 'utf8')) as Ledger;
    expect(written.claims.map(({ id }) => id)).toEqual([first!.id, second!.id]);
  });

  it('keeps what it has measured, and measures again when asked', async () => {
    const { claim, times } = counted('x.one');
    const first = await measureIn('kept', [claim]);
    const second = await measureIn('kept', [claim]);
    expect(times()).toBe(1);
    expect(second).toEqual(first);
    await measureIn('kept', [claim], true);
    expect(times()).toBe(2);
  });

  it('goes on after a failure with what is missing', async () => {
    const { claim, times } = counted('x.one');
    let broken = true;
    const second = claimOf('x.two', () => {
      if (broken) throw new Error('broken');
      return FOUND;
    });
    await expect(measureIn('stopped', [claim, second])).rejects.toThrow('broken');
    broken = false;
    const ledger = await measureIn('stopped', [claim, second]);
    expect(ledger.claims.map(({ id }) => id)).toEqual(['x.one', 'x.two']);
    expect(times()).toBe(1);
  });

  it('measures what threads work on beside the others, and what states a time alone', async () => {
    const running = new Set<string>();
    const seen: string[][] = [];
    const slow = (id: string, company?: Claim['company']): Claim => ({
      ...claimOf(id, () => FOUND),
      ...(company ? { company } : {}),
      measure: async () => {
        running.add(id);
        for (let turn = 0; turn < 5; turn++) await setImmediate();
        seen.push([...running].sort());
        running.delete(id);
        return FOUND;
      },
    });
    const claims = [slow('x.a'), slow('x.b', 'threads'), slow('x.c', 'alone'), slow('x.d')];
    const ledger = await measureIn('together', claims);
    expect(ledger.claims.map(({ id }) => id)).toEqual(['x.a', 'x.b', 'x.c', 'x.d']);
    expect(seen[0]).toEqual(['x.c']);
    expect(seen).toContainEqual(['x.a', 'x.b']);
  });

  it('ends what goes on beside a failure, and says what failed', async () => {
    let ended = false;
    const endless: Claim = {
      ...claimOf('x.endless', () => FOUND),
      company: 'threads',
      measure: async ({ signal }) => {
        await once(signal!, 'abort');
        ended = true;
        throw signal!.reason;
      },
    };
    const broken = claimOf('x.broken', () => {
      throw new Error('broken');
    });
    await expect(measureIn('beside', [endless, broken])).rejects.toThrow('broken');
    expect(ended).toBe(true);
  });

  it('calls a claim without its data not run, and tries again the next time', async () => {
    let missing = true;
    const claim = claimOf('x.data', () => {
      if (missing) throw new DataFileError('MNIST', 'is not installed');
      return FOUND;
    });
    const [entry] = (await measureIn('data', [claim])).claims;
    expect(entry).toMatchObject({ verdict: 'not-run', note: 'MNIST: is not installed' });
    missing = false;
    expect((await measureIn('data', [claim])).claims[0]!.verdict).toBe('reproduced');
  });

  it('writes the ledger as data and as a page', async () => {
    await measureIn('written', [counted('x.one').claim]);
    const ledger = JSON.parse(readFileSync(join(root, 'written', 'claims.json'), 'utf8')) as Ledger;
    expect(ledger.claims[0]).toMatchObject({
      id: 'x.one',
      published: 'The value is 1.',
      note: 'A constant.',
    });
    const page = readFileSync(join(root, 'written', 'claims.md'), 'utf8');
    expect(page).toContain('reproduced 1.\n');
    expect(page).toContain('### `x.one`: reproduced\n');
    expect(page).toContain('| value | limit    |\n| ----- | -------- |\n| 1     | Infinity |');
  });
});

describe('the command', () => {
  const program = join(import.meta.dirname, '../../../cli/bin/shuffle-dp.mjs');
  const run = promisify(execFile);
  const claims = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    run(process.execPath, [program, 'claims', ...args], { cwd: root });

  it('prints one JSON document with the promised fields', async () => {
    const { stdout, stderr } = await claims('vr.closed-form', '--json', '--quiet');
    expect(stderr).toBe('');
    const { claims: entries } = JSON.parse(stdout) as Ledger;
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ id: 'vr.closed-form', verdict: 'refuted' });
    expect(Object.keys(entries[0]!)).toEqual(
      expect.arrayContaining(['id', 'verdict', 'published', 'measured', 'note']),
    );
  });

  it('refuses an unknown claim in one line', async () => {
    await expect(claims('vr.table6')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^claims vr\.table6: must be one of vr\.table5, .*, or their beginning up to a dot, such as vr\n$/u,
      ) as string,
    });
  });
});
