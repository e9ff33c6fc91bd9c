// The sealed run through the program: three processes, their views, and what is refused.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOCK_FILE, lockFolder } from '../../../experiments/src/run-folder/lock/run-lock.ts';
import { EXIT_USAGE, exitCodeOf } from '../../src/exit.ts';
import { buildProgram } from '../../src/main.ts';
import { programIn, type Ended } from '../program.ts';

const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-demo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { cli } = programIn(folder);
const config = {
  name: 'small',
  seed: 'small',
  adjacency: 'replace-one',
  trials: 1,
  data: { kind: 'categories-zipf', domain: 300 },
  users: 60,
  privacy: { delta: 1e-3 },
  protocols: [{ kind: 'frequency', randomizer: 'grr', epsilon0: 6 }],
};
writeFileSync(join(folder, 'c.json'), JSON.stringify(config));

type Row = Readonly<Record<string, string>>;
/** No value of these files has a comma in it. */
const rows = (file: string): Row[] => {
  const [head, ...lines] = readFileSync(join(folder, 'out', file), 'utf8')
    .trim()
    .split('\n');
  const columns = head!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [columns[i]!, value])));
};

let first: Ended;
beforeAll(async () => {
  first = await cli('demo', 'sealed', 'c.json', '--out', 'out', '--attacks', '2', '--json', '--quiet');
});

it('gives the estimates of the unsealed run, and says what it refused', () => {
  expect(first.stderr).toBe('');
  expect(first.code).toBe(0);
  const answer = JSON.parse(first.stdout);
  expect(answer.largest_difference_from_unsealed).toBe(0);
  expect(answer.rounds).toMatchObject([
    {
      messages: 60,
      bytes_open: 2,
      bytes_sealed: 50,
      minimum_batch: 30,
      added_by_network: { damaged: 2, truncated: 2, foreign: 2, duplicate: 2 },
      at_shuffler: { accepted: 64, 'wrong length': 2, duplicate: 2 },
      at_analyzer: { opened: 60, 'does not open': 4 },
    },
  ]);
});

it('keeps the whole view of every party', () => {
  const [sent, arrived, read] = [rows('clients.csv'), rows('shuffler.csv'), rows('analyzer.csv')];
  expect(rows('users.csv')).toHaveLength(60);
  expect(sent).toHaveLength(60);
  expect(arrived).toHaveLength(68);
  expect(read).toHaveLength(64);
  const opened = read.filter(({ verdict }) => verdict === 'opened');
  const says = new Map(sent.map((message) => [message['sealed'], message['says']]));
  for (const { sealed, says: told } of opened) expect(told).toBe(says.get(sealed!));
  // The shuffler's columns have what was sealed, and nothing that was in it.
  expect(Object.keys(arrived[0]!)).not.toContain('says');
  const handedOn = arrived.filter(({ place }) => place !== '');
  expect(handedOn.map(({ place }) => Number(place)).toSorted((a, b) => a - b)).toEqual([...Array(64).keys()]);
  for (const { place, sealed } of handedOn) expect(read[Number(place)]!['sealed']).toBe(sealed);
});

it.each([
  [['--out', 'out'], 'holds a sealed run already: replace it with --force'],
  [['--out', 'new', '--cell', '2'], 'has 1 cell'],
  [['--out', 'ordinary'], 'is not empty and holds no sealed run'],
  [['--out', 'ordinary', '--force'], 'is not empty and holds no sealed run'],
])('%j is refused before any process starts', async ([flag, out, ...words], reason) => {
  mkdirSync(join(folder, 'ordinary'), { recursive: true });
  // A run that is not sealed has one too.
  writeFileSync(join(folder, 'ordinary', 'estimates.csv'), 'item,estimate');
  const { says, code } = await endOf([flag!, join(folder, out!), ...words]);
  expect(says).toContain(reason);
  expect(code).toBe(EXIT_USAGE);
});

it('a folder that another run writes to is refused, even with --force', async () => {
  const taken = join(folder, 'taken');
  mkdirSync(taken);
  const release = await lockFolder(taken);
  const { says, code } = await endOf(['--out', taken, '--force']);
  release();
  expect(says).toContain(`${taken}: another run is going on here`);
  expect(code).toBe(EXIT_USAGE);
  expect(readdirSync(taken)).toEqual([]);
  // Nor is a lock left behind by a run that has its end.
  expect(readdirSync(join(folder, 'out'))).not.toContain(LOCK_FILE);
});

/** How the program ends. */
async function endOf(words: readonly string[]): Promise<{ readonly says: string; readonly code: number }> {
  const args = ['demo', 'sealed', join(folder, 'c.json'), ...words];
  const program = await buildProgram(args);
  const end: unknown = await program
    .parseAsync(['node', 'shuffle-dp', ...args])
    .catch((error: unknown) => error);
  return { says: String(end), code: exitCodeOf(end) };
}

it('a batch that is too small is refused as other requests are', () => {
  const asTold = Object.assign(new Error('the shuffler: too small'), { code: 'small-batch' });
  expect(exitCodeOf(asTold)).toBe(EXIT_USAGE);
});
