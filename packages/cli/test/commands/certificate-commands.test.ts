import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { certificateLines } from '../../src/account-files.ts';
import { inside } from '../inside.ts';
import type { Ended } from '../program.ts';

const folder = mkdtempSync(join(tmpdir(), 'certificate-commands-'));
const file = (name: string): string => join(folder, name);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = async (line: string): Promise<Ended> => await inside(...line.split(' '));

const ACCOUNT = 'account grr --epsilon0 1 --domain 4 --users 500 --delta 1e-5';

describe('a certificate', () => {
  it('is written, and holds: exit code 0', async () => {
    const written = await program(`${ACCOUNT} --certificate ${file('grr.json')} --json`);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    const { certificate, epsilon } = JSON.parse(written.stdout) as {
      certificate: { epsilon: number; delta: number };
      epsilon: { upper: number };
    };
    expect(certificate.epsilon / epsilon.upper).toBeLessThan(1.01);
    const verified = await program(`verify ${file('grr.json')} --json`);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(verified.stdout)).toMatchObject({
      valid: true,
      epsilon: certificate.epsilon,
      delta: 1e-5,
    });
  });

  it('that does not hold ends with 1, and says why in one line', async () => {
    const text = readFileSync(file('grr.json'), 'utf8').replace('"500"', '"499"');
    writeFileSync(file('fewer.json'), text);
    const { code, stdout, stderr } = await program(`verify ${file('fewer.json')} --json`);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ valid: false });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('does not hold');
  });

  it('of many rounds is written and holds, and says of how many it is', async () => {
    const compose = 'compose grr --epsilon0 1 --domain 4 --users 60 --rounds 3 --delta 1e-3';
    const written = await program(`${compose} --certificate ${file('rounds.json')} --json`);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    const { certificate, epsilon } = JSON.parse(written.stdout) as {
      certificate: { epsilon: number };
      epsilon: { upper: number };
    };
    expect(certificate.epsilon / epsilon.upper).toBeLessThan(1.01);
    const verified = await program(`verify ${file('rounds.json')}`);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toContain('3 rounds of grr');
  });

  it('is written of entries of a schedule that are alike', { tags: 'long' }, async () => {
    const entry = '{ mechanism: grr, epsilon0: 1, domain: 16, users: 10000, rounds: 2 }';
    writeFileSync(file('alike.yaml'), `- ${entry}\n- ${entry}\n`);
    const alike = `compose --schedule ${file('alike.yaml')} --delta 1e-6 --certificate ${file('alike.json')}`;
    expect((await program(alike)).code).toBe(0);
    expect((await program(`verify ${file('alike.json')}`)).stdout).toContain('4 rounds of grr');
  });

  it(
    'of rounds whose proved end is of the blanket too says that its lattice is coarser',
    { tags: 'long' },
    async () => {
      const rounds = 'compose grr --epsilon0 1 --domain 16 --users 1000 --rounds 2 --epsilon 0.3';
      const { stdout } = await program(`${rounds} --certificate ${file('far.json')}`);
      expect(stdout.replaceAll(/\s+/gu, ' ')).toMatch(
        /Its delta is larger than the one proved above, by [\d.]+ %: a certificate puts losses on a coarser lattice/u,
      );
    },
  );

  it('that proves less than is printed above it says so', async () => {
    const laplace = 'account laplace --epsilon0 3 --users 1000 --delta 1e-6';
    const { code, stdout } = await program(`${laplace} --certificate ${file('laplace.json')}`);
    expect(code).toBe(0);
    // The sharp bound has 0.575417, the blanket 0.640556.
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'Its epsilon is larger than the one proved above, by 12 %: the proved one rests on more than the blanket, and has no certificate.',
    );
  });

  it(
    'of a delta that is proved to be 0 does not say by how much it is larger',
    { tags: 'long' },
    async () => {
      const grr = 'account grr --epsilon0 0.1 --domain 4 --users 2 --epsilon';
      const { code, stdout } = await program(`${grr} 0.1 --certificate ${file('local.json')}`);
      expect(code).toBe(0);
      expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
        'Its delta is larger than the one proved above, which is 0: there is no certificate for 0.',
      );
      const beyond = await program(`${grr} 699 --certificate ${file('beyond.json')}`);
      expect(beyond.stdout).toContain('certifies epsilon 699 at delta 0');
      expect(beyond.stdout).not.toContain('larger');
      expect((await program(`verify ${file('beyond.json')}`)).code).toBe(0);
    },
  );

  it('says that none is looked for where delta is smaller than any', () => {
    const written = { file: '-x.json', epsilon: 0.9, delta: 2e-12 };
    const lines = certificateLines(written, { epsilon: 0.9 }, { upper: 5e-324, isOfBlanket: false });
    expect(lines.at(-1)).toBe(
      'Its delta is larger than the one proved above: no certificate is made for a delta below 1e-100.',
    );
    expect(lines[1]).toMatch(/shuffle-dp verify \.\/-x\.json$/u);
  });

  it.each([
    ['1e-399', 5e-324],
    ['0.1', 0.1],
    ['0.10000000000000000556', 0.10000000000000003],
    ['1', 1],
  ])('that claims a delta of %s is never shown below it', async (claimed, shown) => {
    const text = readFileSync(file('grr.json'), 'utf8').replace('"delta":"0.00001"', `"delta":"${claimed}"`);
    writeFileSync(file('claimed.json'), text);
    const { stdout } = await program(`verify ${file('claimed.json')} --json`);
    expect(JSON.parse(stdout)).toMatchObject({ delta: shown, claim: { delta: claimed } });
  });

  it.each([
    ['not there', file('none.json'), 'cannot be read'],
    ['a folder', folder, 'cannot be read'],
    ['no JSON', file('text.json'), 'must be a certificate: it is not JSON'],
    ['other JSON', file('other.json'), 'must be a certificate'],
  ])('that is %s is refused with 2', async (_, name, message) => {
    writeFileSync(file('text.json'), 'epsilon');
    writeFileSync(file('other.json'), '{"valid":true}');
    const { code, stdout, stderr } = await program(`verify ${name}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('files of an account', () => {
  it('hold a profile that falls, as CSV and as JSON', async () => {
    const general = 'account general --epsilon0 1 --users 5000 --delta 1e-5 --profile';
    expect((await program(`${general} ${file('p.csv')}`)).code).toBe(0);
    const rows = readFileSync(file('p.csv'), 'utf8').trim().split('\n');
    expect(rows[0]).toBe('epsilon,delta');
    const points = rows.slice(1).map((row) => row.split(',').map(Number) as [number, number]);
    for (let i = 1; i < points.length; i++) {
      expect(points[i]![0]).toBeGreaterThan(points[i - 1]![0]);
      expect(points[i]![1]).toBeLessThan(points[i - 1]![1]);
    }
    expect(points.length).toBeGreaterThan(15);
    expect(points.at(-1)).toEqual([1, 0]);
    // One user alone: the distance of two answers, (e - 1) / (e + 1), at 0.
    const alone = 'account general --epsilon0 1 --users 1 --delta 1e-5 --profile';
    expect((await program(`${alone} ${file('p.json')}`)).code).toBe(0);
    const { points: own } = JSON.parse(readFileSync(file('p.json'), 'utf8')) as {
      points: { readonly epsilon: number; readonly delta: number }[];
    };
    expect(own[0]).toMatchObject({ epsilon: 0, delta: expect.closeTo(Math.tanh(0.5), 12) as number });
    expect(own.at(-1)).toEqual({ epsilon: 1, delta: 0 });
    expect((await program(`${alone} ${file('P.JSON')}`)).code).toBe(0);
    expect(readFileSync(file('P.JSON'), 'utf8')).toBe(readFileSync(file('p.json'), 'utf8'));
  });

  it.each([
    [`${ACCOUNT} --certificate ${file('no/grr.json')}`, 'no such file or folder'],
    [
      `account variation-ratio --p 3 --beta 0.1 --q 3 --users 100 --delta 1e-5 --profile ${file('x.csv')}`,
      'is a pair of laws',
    ],
    [
      `account grr --epsilon0 1 --domain 4 --users 500 --epsilon 701 --certificate ${file('x.json')}`,
      'no certificate: epsilon = 701: must be at most 700',
    ],
    [
      `compose grr --epsilon0 1 --domain 4 --users 9 --rounds 2 --epsilon 701 --certificate ${file('x.json')}`,
      'no certificate: epsilon = 701: must be at most 700',
    ],
    [`${ACCOUNT} --profile ${folder}`, 'must be a file; it is a folder'],
    [
      `account grr --epsilon0 1 --domain 4 --users 1 --delta 1e-9 --certificate ${file('x.json')}`,
      'nothing beyond the local budget',
    ],
    [
      `account poisson-blanket --rate 1 --domain 16 --blankets 10 --users 100 --delta 1e-6 --certificate ${file('x.json')}`,
      'does not come from a blanket',
    ],
    [
      `compose grr --epsilon0 1 --domain 4 --users 9 --rounds 2 --delta 1e-5 --dropout 0.1 --certificate ${file('x.json')}`,
      'needs that all users take part',
    ],
    [
      `compose --schedule ${file('two.yaml')} --delta 1e-5 --certificate ${file('x.json')}`,
      '[1] of the schedule is not like [0]',
    ],
  ])('are refused with 2: %s', async (line, message) => {
    const round = '- { mechanism: grr, epsilon0: 1, domain: 4, users: 9, rounds: 1 }\n';
    writeFileSync(file('two.yaml'), round + round.replace('domain: 4', 'domain: 5'));
    const { code, stderr } = await program(line);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  // A file in the place of /dev/null, or of the link /dev/stdout, would be one for all programs.
  it.skipIf(process.platform === 'win32')('never take the place of a link or a device', async () => {
    symlinkSync('/dev/null', file('link'));
    execFileSync('mkfifo', [file('pipe')]);
    for (const [name, kind] of [
      ['link', 'a link'],
      ['pipe', 'no plain file'],
    ] as const) {
      // One file after another is refused before anything is computed.
      // oxlint-disable-next-line no-await-in-loop
      expect(await program(`${ACCOUNT} --profile ${file(name)}`)).toEqual({
        code: 2,
        stdout: '',
        stderr: `--profile ${file(name)}: must be a file; it is ${kind}\n`,
      });
    }
    expect(readlinkSync(file('link'))).toBe('/dev/null');
  });
});

describe('audit', () => {
  const AUDIT = 'audit grr --epsilon0 2 --domain 4 --users 20 --trials 2000 --workers 0 --quiet';

  it('prints rows and a verdict, and writes a table and a chart', async () => {
    const { code, stdout } = await program(`${AUDIT} --deltas 0.05 --json --out ${file('audit')}`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'consistent', rows: [{ delta: 0.05 }] });
    expect(readFileSync(file('audit/audit.csv'), 'utf8')).toContain('measured_lower');
    expect(readFileSync(file('audit/figures/audit.svg'), 'utf8')).toContain('</svg>');
    const again = await program(`${AUDIT} --deltas 0.05 --json --out ${file('audit')}`);
    expect([again.code, again.stdout]).toEqual([2, '']);
    expect(again.stderr).toContain('continue it with --resume');
    const resumed = await program(`${AUDIT} --deltas 0.05 --json --resume --out ${file('audit')}`);
    expect([resumed.code, resumed.stdout]).toEqual([0, stdout]);
  });

  it('ends with 1 where a claim is violated', async () => {
    const line =
      'audit grr --epsilon0 1.3862943611198906 --domain 3 --users 2 --deltas 0.0138889 --published variation-ratio --workers 0 --json';
    const { code, stdout, stderr } = await program(line);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'violated' });
    expect(stderr).toContain('exceeds the claim of variation-ratio');
  });

  it.each([
    [AUDIT.replace('grr', 'gr'), 'did you mean grr'],
    [AUDIT.replace('--users 20 ', ''), '--users is missing'],
    [AUDIT.replace('--trials 2000', '--trials 10'), '--trials'],
    [`${AUDIT} --deltas 0,1`, "'--deltas <list>' argument '0,1' is invalid. Must be above 0 and below 1"],
    [`${AUDIT} --deltas a`, 'Must be a finite number'],
    [
      `${AUDIT} --confidence 1.5`,
      "'--confidence <share>' argument '1.5' is invalid. Must be above 0 and below 1",
    ],
    [`${AUDIT} --published none`, 'published = "none": must be one of'],
    [`${AUDIT} --simulation guess`, 'aggregated, messages'],
    [`${AUDIT} --resume`, '--out is missing'],
    ['audit wheel --epsilon0 1 --items 2 --users 20 --workers 0', 'must be one of grr'],
    ['audit none.yaml', 'none.yaml: cannot be read'],
    ['audit none.yaml --epsilon0 1', '--epsilon0 is not used with a config'],
    ['audit none.yaml --users 10', '--users is not used with a config'],
  ])('refuses with 2: %s', async (line, message) => {
    const { code, stderr, stdout } = await program(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
