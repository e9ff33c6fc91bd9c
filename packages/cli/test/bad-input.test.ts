// What a newcomer gets wrong: one line that names the place, exit code 2, and nothing written.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { integerOption, numberOption } from '../src/options/options.ts';
import { counted } from '../../experiments/src/words/counted.ts';
import { GOLDEN, LAUNCHER, programIn } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-input-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { cli } = programIn(root);

const config = (data: string, protocol: string): string =>
  [
    'name: small',
    'seed: s',
    'adjacency: replace-one',
    'trials: 2',
    `data: ${data}`,
    'users: 4',
    'privacy: { epsilon: 1, delta: 0.01 }',
    `protocols: [${protocol}]`,
  ].join('\n');

it('a column of numbers with a name in it is read as names, and said to be unless --quiet', async () => {
  writeFileSync(join(root, 'votes.csv'), 'party\n0\n1\n2\nblue\n');
  const data = '{ kind: csv-categories, path: votes.csv, column: party }';
  writeFileSync(join(root, 'votes.yaml'), config(data, '{ kind: frequency, randomizer: grr }'));
  const args = ['run', 'votes.yaml', '--no-report', '--workers', '0'];
  const { code, stderr } = await cli(...args, '--out', 'said');
  expect(code).toBe(0);
  expect(stderr).toBe(`${join(root, 'votes.csv')}: column party: 4 names, not numbers: 0, 1, 2, blue\n`);
  expect(await cli(...args, '--out', 'quiet', '--quiet')).toMatchObject({ code: 0, stderr: '' });
});

it.each([
  ["{ throw new Error('not today'); }", 'Error: not today (line 1)'],
  [
    "({ domain, epsilon0 }) => ({ domain, epsilon0, estimate: () => 'hello' })",
    'one whose oracle has allocate',
  ],
])('an own randomizer that is %s is refused before anything is written', async (body, reason) => {
  writeFileSync(join(root, 'own.mjs'), `export default ${body.startsWith('{') ? `() => ${body}` : body};\n`);
  const protocol = '{ kind: own-randomizer, module: own.mjs }';
  writeFileSync(join(root, 'own.yaml'), config('{ kind: categories-uniform, domain: 4 }', protocol));
  const { code, stdout, stderr } = await cli('run', 'own.yaml', '--out', 'never');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(
    stderr.startsWith('own.yaml: protocols[0] (own-randomizer) at 4 users: module = "own.mjs": must be one'),
  ).toBe(true);
  expect(stderr).toContain(reason);
  expect(stderr.trim().split('\n').length).toBe(1);
  expect(existsSync(join(root, 'never'))).toBe(false);
});

it('numbers are decimal, with an exponent or without', () => {
  expect(['1', '-0.5', '.5', '2.', '1e-6', 'inf'].map(numberOption)).toEqual([
    1,
    -0.5,
    0.5,
    2,
    1e-6,
    Infinity,
  ]);
  for (const text of ['0x10', '0b1', '', ' ', '1e', 'NaN', '1_000'])
    expect(() => numberOption(text)).toThrow('Must be a finite number.');
  expect(() => integerOption(1)('0x10')).toThrow('Must be an integer of at least 1.');
});

it('one thing is no plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'user'))).toEqual(['0 users', '1 user', '2 users']);
});

it.skipIf(!existsSync('/dev/full'))('an output that cannot be written is said in one line', () => {
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', '"$@" > /dev/full', 'sh', process.execPath, LAUNCHER, 'mechanisms'],
    {
      encoding: 'utf8',
    },
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'the output cannot be written: no space is left on the device\n',
  });
});

it.skipIf(process.platform === 'win32')('a current folder that is gone is said in one line', () => {
  const gone = join(root, 'gone');
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [
      '-c',
      'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"',
      gone,
      process.execPath,
      LAUNCHER,
      'run',
      GOLDEN,
      '--out',
      join(root, 'never'),
    ],
    { encoding: 'utf8' },
  );
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'the current folder is gone: change to one that is there\n',
  });
});
