/** What the program prints fits 80 columns, whichever command: tables, messages, help. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../src/command-list.ts';
import { runProgram } from '../src/main.ts';
import { textTable } from '../src/output/text-table.ts';
import { fitted } from '../src/output/wrapped.ts';

// As if it were to be built, which takes seconds.
vi.mock('../src/explore/explorer-site.ts', () => ({
  explorerSite: (told: () => void): Promise<string> => {
    told();
    return Promise.resolve(tmpdir());
  },
}));

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
  - { kind: frequency, randomizer: grr, accounting: blanket }
  - { kind: frequency, randomizer: oue, accounting: blanket, label: a name that is rather long for a table }
`;
const TREE = `name: tree
seed: a
trials: 1
data: { kind: mixture, users: 500, attributes: 3, classes: 2, patterns: 2, clarity: 0.7 }
height: 2
messagesPerUser: [2, 3]
privacy: { delta: 0.01/n }
`;

const CENTRES = `name: centres
seed: a
trials: 1
data: { kind: blobs, users: 300, dimensions: 2, clusters: 2 }
method: { kind: k-means, clusters: 2, iterations: 2 }
messagesPerUser: 2
privacy: { delta: 0.01/n }
`;
const DIGITS = `name: digits
seed: a
trials: 1
data: { kind: idx, folder: . }
users: 40
rounds: 2
usersPerRound: 20
learningRate: 1
clipBound: 0.5
budgets: uniform(1, 4)
privacy: { delta: 1e-8, userDelta: 1e-5 }
frameworks: [{ kind: non-private }, { kind: apes, label: a name that is rather long for a table }]
`;

let folder: string;
let printed: string;

/** Images of 2 x 2 pixels in the format of MNIST, of which one pixel tells the digit. */
function writeImages(name: string, count: number): void {
  const head = (...sizes: number[]): Buffer => {
    const bytes = Buffer.from([0, 0, 8, sizes.length, ...Array<number>(4 * sizes.length).fill(0)]);
    sizes.forEach((size, i) => bytes.writeUInt32BE(size, 4 + 4 * i));
    return bytes;
  };
  const labels = Buffer.from(Array.from({ length: count }, (_, i) => i % 4));
  const pixels = Buffer.alloc(4 * count);
  labels.forEach((label, i) => (pixels[4 * i + label] = 255));
  writeFileSync(join(folder, `${name}-images-idx3-ubyte`), Buffer.concat([head(count, 2, 2), pixels]));
  writeFileSync(join(folder, `${name}-labels-idx1-ubyte`), Buffer.concat([head(count), labels]));
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'width-'));
  writeFileSync(join(folder, 'small.yaml'), SMALL);
  writeFileSync(join(folder, 'tree.yaml'), TREE);
  writeFileSync(join(folder, 'centres.yaml'), CENTRES);
  writeFileSync(join(folder, 'digits.yaml'), DIGITS);
  writeImages('train', 80);
  writeImages('t10k', 20);
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

/** Threads would load the source once more. */
const HERE = ['--workers', '0'];

/**
 * Of every command that prints text and ends, what makes it print much in little time. `explore`, which
 * stays, `work`, which needs a server, and `schema`, which prints JSON, have tests of their own below.
 */
const PRINTING: readonly (readonly string[])[] = [
  ['account', ...ACCOUNT, '--explain', '--cite', '--certificate', '{}/grr.json'],
  ['verify', '{}/grr.json'],
  ['compose', ...ACCOUNT, '--rounds', '4'],
  ['calibrate', 'grr', '--domain', '4', '--users', '100', '--epsilon', '0.5', '--delta', '1e-4'],
  ['personalized', ...PERSONAL, '--explain'],
  ['plan', '--task', 'mean', '--users', '100', '--epsilon', '1', '--delta', '1e-4'],
  [
    'audit',
    ...ACCOUNT.slice(0, 7),
    '--trials',
    '1000',
    '--simulation',
    'aggregated',
    '--deltas',
    '1e-1,1e-2',
    ...HERE,
  ],
  ['compare', '{}/small.yaml', '--out', '{}/compared', '--no-report', ...HERE],
  ['compare', '{}/small.yaml', '--dry-run'],
  ['run', '{}/small.yaml', '--trace', '--no-report', '--out', '{}/run', ...HERE],
  ['figures', '--list'],
  ['figures', 'vr.table5', '--quick', '--out', '{}/figures', ...HERE],
  ['claims', '--list'],
  ['claims', 'vr.table5', '--out', '{}/claims', ...HERE],
  ['mechanisms'],
  ['datasets'],
  ['demo', 'sealed', '{}/small.yaml', '--out', '{}/demo'],
  ['forest', '{}/tree.yaml', '--no-report', '--out', '{}/tree', ...HERE],
  ['learn', '{}/digits.yaml', '--no-report', '--out', '{}/digits', ...HERE],
  ['unsupervised', '{}/centres.yaml', '--no-report', '--out', '{}/centres', ...HERE],
  ['run', '{}/small.yaml', '--shard', '1/2', '--out', '{}/first', ...HERE],
  ['run', '{}/small.yaml', '--shard', '2/2', '--out', '{}/second', ...HERE],
  ['merge', '{}/first', '{}/second', '--no-report', '--out', '{}/merged'],
];

describe('what is printed', () => {
  it.each(PRINTING)('by %s %s %s fits 80 columns', async (...args) => {
    const code = await run(...args.map((arg) => arg.replace('{}', folder)));
    expect({ code, printed }).toEqual({ code: 0, printed: expect.stringMatching(/./u) as string });
    expect(tooWide(printed)).toEqual([]);
  });

  it.each(Object.keys(COMMANDS))('as help of %s fits 80 columns', async (name) => {
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

  it('by work, of a server that is not there, fits 80 columns', async () => {
    expect(await run('work', '--queue', 'redis://127.0.0.1:1')).toBe(2);
    expect(printed).toContain('start a server there');
    expect(tooWide(printed)).toEqual([]);
  });

  it('by explore fits 80 columns', async () => {
    const stopped = vi.spyOn(process, 'once').mockImplementation((_, stop: (...args: unknown[]) => void) => {
      setTimeout(stop, 0);
      return process;
    });
    expect(await run('explore', '--port', '0', '--no-open', '--results', folder)).toBe(0);
    expect(stopped).toHaveBeenCalled();
    expect(printed).toMatch(/building the explorer, which takes some seconds\nhttp:.*\nStop it by Ctrl-C\./u);
    expect(tooWide(printed)).toEqual([]);
  });

  it('by schema is JSON and nothing else, whose lines are not broken', async () => {
    expect(await run('schema')).toBe(0);
    expect(JSON.parse(printed)).toHaveProperty('title');
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
  // Within quotes a break would be part of the file's name.
  expect(fitted("the users' file: shuffle-dp verify 'a b c d e f'", 40)).toBe(
    "the users' file: shuffle-dp verify\n'a b c d e f'",
  );
  expect(fitted("shuffle-dp verify 'it'\\''s one' --json", 31)).toBe(
    "shuffle-dp verify \\\n  'it'\\''s one' --json",
  );
  expect(fitted("no 'command here'", 12)).toBe("no 'command\nhere'");
});
