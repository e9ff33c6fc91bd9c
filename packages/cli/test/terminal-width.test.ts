/** What the program prints fits 80 columns, whichever command: tables, messages, help. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../src/command-list.ts';
import { runProgram } from '../src/main.ts';
import { textTable } from '../src/output/text-table.ts';
import { fitted } from '../src/output/wrapped.ts';

const WIDTH = 80;

const SMALL = `name: small
seed: a
adjacency: replace-one
trials: 2
simulation: messages
data: { kind: categories-zipf, domain: 4 }
users: 200
privacy: { epsilon: 1, delta: 1e-4 }
protocols:
  - { kind: frequency, randomizer: grr }
  - { kind: frequency, randomizer: oue, label: a name that is rather long for a table }
`;
const TREE = `name: tree
seed: a
trials: 1
data: { kind: mixture, users: 500, attributes: 3, classes: 2, patterns: 2, clarity: 0.7 }
height: 2
messagesPerUser: [2, 3]
privacy: { delta: 0.01/n }
`;

let folder: string;
let printed: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'width-'));
  writeFileSync(join(folder, 'small.yaml'), SMALL);
  writeFileSync(join(folder, 'tree.yaml'), TREE);
});

afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  printed = '';
  vi.stubEnv('COLUMNS', String(WIDTH));
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Lines that are too wide, but for those whose one word, a path or an address, is. */
function tooWide(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.length > WIDTH && !line.split(' ').some((word) => word.length > WIDTH - 12));
}

const run = async (...args: string[]): Promise<number> => await runProgram(['node', 'shuffle-dp', ...args]);

const ACCOUNT = ['grr', '--epsilon0', '1', '--domain', '16', '--users', '1000', '--delta', '1e-6'];
const PERSONAL = [
  '--budgets',
  'uniform(0.5,1)',
  '--users',
  '50',
  '--mechanism',
  'grr',
  '--domain',
  '4',
  '--delta',
  '1e-4',
  '--levels',
  '2',
];

/**
 * Of every command that prints text, what makes it print much in little time. Left out: `explore`, which prints an address and stays,
 * `work`, which prints nothing, `schema`, which prints JSON, and `learn` and `unsupervised`, whose tables are made as those of `forest`.
 */
const PRINTING: readonly (readonly string[])[] = [
  ['account', ...ACCOUNT, '--explain', '--cite'],
  ['account', ...ACCOUNT, '--certificate', '{}/grr.json'],
  ['verify', '{}/grr.json'],
  ['compose', ...ACCOUNT, '--rounds', '4'],
  ['calibrate', 'grr', '--domain', '4', '--users', '100', '--epsilon', '0.5', '--delta', '1e-4'],
  ['personalized', ...PERSONAL, '--explain'],
  ['plan', '--task', 'frequencies', '--domain', '4', '--users', '100', '--epsilon', '1', '--delta', '1e-4'],
  [
    'audit',
    ...ACCOUNT.slice(0, 7),
    '--trials',
    '1000',
    '--simulation',
    'aggregated',
    '--deltas',
    '1e-1,1e-2',
  ],
  ['compare', '{}/small.yaml', '--out', '{}/compared', '--no-report'],
  ['compare', '{}/small.yaml', '--dry-run'],
  ['run', '{}/small.yaml', '--trace', '--no-report', '--out', '{}/run'],
  ['figures', '--list'],
  ['figures', 'vr.table5', '--quick', '--out', '{}/figures'],
  ['claims', '--list'],
  ['claims', 'vr.table5', '--out', '{}/claims'],
  ['mechanisms'],
  ['datasets'],
  ['demo', 'sealed', '{}/small.yaml', '--out', '{}/demo'],
  ['forest', '{}/tree.yaml', '--no-report', '--out', '{}/tree'],
];

describe('what is printed', () => {
  it.each(PRINTING)('by %s %s %s fits 80 columns', async (...args) => {
    const code = await run(...args.map((arg) => arg.replace('{}', folder)));
    expect({ code, printed }).toEqual({ code: 0, printed: expect.stringMatching(/./u) as string });
    expect(tooWide(printed)).toEqual([]);
  });

  it.each(COMMANDS.map(({ name }) => name))('as help of %s fits 80 columns', async (name) => {
    expect(await run(name, '--help')).toBe(0);
    expect(printed).toContain(`Usage: shuffle-dp ${name}`);
    expect(tooWide(printed)).toEqual([]);
  });

  it.each([
    ['account', 'nothing'],
    ['claims', 'nothing'],
    ['run', '/nowhere/at/all.yaml'],
    [
      'account',
      ...ACCOUNT.slice(0, 3),
      '--order',
      '16',
      '--block',
      '4',
      '--sensitivity',
      '3',
      '--users',
      '-1',
    ],
  ])('as a refusal of %s %s fits 80 columns', async (...args) => {
    expect(await run(...args)).toBe(2);
    expect(tooWide(printed)).toEqual([]);
  });

  it('is wider where COLUMNS is', async () => {
    vi.stubEnv('COLUMNS', '200');
    expect(await run('account', ...ACCOUNT)).toBe(0);
    expect(Math.max(...printed.split('\n').map(({ length }) => length))).toBeGreaterThan(120);
  });
});

describe('a table that is too wide', () => {
  const prose = 'a sentence that is far too long for one line of a table';

  it('keeps numbers whole, and breaks heads and sentences', () => {
    expect(
      textTable(
        ['name', 'total squared error', 'note'],
        [
          ['one', '0.5', prose],
          ['two', '10', '-'],
        ],
        48,
      ),
    ).toBe(
      [
        'name    total  note',
        '      squared',
        '        error',
        '----  -------  ---------------------------------',
        'one       0.5  a sentence that is far too long',
        '               for one line of a table',
        'two        10  -',
      ].join('\n'),
    );
  });

  it('is cut into tables with the same first column', () => {
    const table = textTable(['name', 'first', 'second'], [['one', 'abcdefghij', 'klmnopqrst']], 20);
    expect(table).toBe(
      'name  first\n----  ----------\none   abcdefghij\n\nname  second\n----  ----------\none   klmnopqrst',
    );
  });
});

it('breaks a line below its text, and a command so that it can be copied', () => {
  expect(fitted('! one two three', 10)).toBe('! one two\n  three');
  expect(fitted('  paper:    one two', 16)).toBe('  paper:    one\n            two');
  expect(fitted('  shuffle-dp account grr --users 10', 24)).toBe(
    '  shuffle-dp account \\\n    grr --users 10',
  );
});
