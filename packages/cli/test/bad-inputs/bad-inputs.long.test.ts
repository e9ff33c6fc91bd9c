// @module-tag long
// Bad inputs to the real program: one line and exit code 2 within 5 seconds of work and 1 GB of every
// process, threads included.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { LAUNCHER } from '../program.ts';
import { edited, type BadInput } from './bad-input.ts';
import { CATEGORIES } from './experiment-configs.ts';
import { BAD_INPUTS } from './index.ts';

const MOST_SECONDS = 5;
const MOST_BYTES = 2 ** 30;
/** Who waits so long for nothing hangs. */
const HANGS_MS = 120_000;
/** About so many of those that are tried in one process elsewhere; BAD_INPUTS says how many, or `all`. */
const SAMPLE = process.env['BAD_INPUTS'] ?? '25';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-bad-'));
/** The dearest of the bad inputs, told at the end. */
const dearest = { seconds: 0, bytes: 0 };
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  console.log(`at most ${dearest.seconds.toFixed(1)} s and ${(dearest.bytes / 2 ** 20).toFixed(0)} MB`);
});

/**
 * Writes the most memory that the process ever held, and its time on the cores, to a file of its own when it
 * ends.
 */
const WITNESS = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(process.env.USAGE_FOLDER + '/' + process.pid, JSON.stringify(process.resourceUsage())));
`)}`;

interface Measured {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly bytes: number;
}

async function measured(args: readonly string[], cwd: string): Promise<Measured> {
  const usage = mkdtempSync(join(root, 'usage-'));
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: `--import=${WITNESS}`, USAGE_FOLDER: usage },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANGS_MS,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const used = readdirSync(usage).map(
    (file) => JSON.parse(readFileSync(join(usage, file), 'utf8')) as NodeJS.ResourceUsage,
  );
  // Time on the cores: what else the machine does is not the input's fault.
  const seconds =
    used.reduce((sum, { userCPUTime, systemCPUTime }) => sum + userCPUTime + systemCPUTime, 0) / 1e6;
  return { code, stdout, stderr, seconds, bytes: 1024 * Math.max(...used.map(({ maxRSS }) => maxRSS)) };
}

function folderOf(name: string, files: BadInput['files'] = {}): string {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return folder;
}

async function judged(args: readonly string[], folder: string): Promise<object> {
  const { seconds, bytes, ...said } = await measured(args, folder);
  dearest.seconds = Math.max(dearest.seconds, seconds);
  dearest.bytes = Math.max(dearest.bytes, bytes);
  const isOneLine = /^[^\n]+\n$/u.test(said.stderr);
  return { ...said, isOneLine, isSoon: seconds < MOST_SECONDS, isSmall: bytes < MOST_BYTES };
}

function refusal(says: string): object {
  const stderr: unknown = expect.stringContaining(says);
  return { code: 2, stdout: '', stderr, isOneLine: true, isSoon: true, isSmall: true };
}

const step = SAMPLE === 'all' ? 1 : Math.max(1, Math.floor(BAD_INPUTS.length / Number(SAMPLE)));
/** No process can be given a zero byte. */
const isPossible = ({ args }: BadInput): boolean => !args.some((arg) => arg.includes('\0'));
const sample = BAD_INPUTS.flatMap((input, i) =>
  i % step === 0 && isPossible(input) ? [{ ...input, i }] : [],
);

it.each(sample)('$i: $says', async ({ i, args, files, says }) => {
  expect(await judged(args, folderOf(String(i), files))).toEqual(refusal(says));
});

const data = '{ kind: categories-zipf, domain: 4, exponent: 1 }';

it('a gz of megabytes that holds gigabytes', async () => {
  const folder = folderOf('gz', {
    'c.yaml': edited(CATEGORIES, data, '{ kind: csv-categories, path: d.csv.gz }'),
  });
  const part = gzipSync(Buffer.alloc(2 ** 26, '1\n'));
  const file = openSync(join(folder, 'd.csv.gz'), 'w');
  for (let i = 0; i < 48; i++) writeFileSync(file, part);
  closeSync(file);
  expect(await judged(['run', 'c.yaml'], folder)).toEqual(
    refusal('d.csv.gz: unpacks to more than 268435456 bytes'),
  );
});

it('a list of 20 MB', async () => {
  const users = `users: [${Array.from({ length: 2_800_000 }, (_, i) => i + 1).join(',')}]`;
  const folder = folderOf('list', { 'c.yaml': edited(CATEGORIES, 'users: 40', users) });
  expect(await judged(['run', 'c.yaml'], folder)).toEqual(refusal('c.yaml: is too long'));
});

it('an output that is a link to nothing', async () => {
  const folder = folderOf('link', { 'c.yaml': CATEGORIES });
  symlinkSync('nowhere', join(folder, 'out'));
  expect(await judged(['run', 'c.yaml', '--out', 'out'], folder)).toEqual(
    refusal('out: cannot be written: it is a link to nothing'),
  );
});

it('a thousand workers are no more than there is work or there are cores for', async () => {
  const folder = folderOf('workers', {
    'c.yaml': edited(CATEGORIES, 'epsilon: 1', 'epsilon: [1, 2, 3, 4, 5, 6, 7, 8]'),
  });
  const { code, stderr, bytes } = await measured(
    ['run', 'c.yaml', '--workers', '1000', '--no-report'],
    folder,
  );
  expect(code).toBe(0);
  const used = Math.min(8, 4 * availableParallelism());
  expect(stderr).toContain(`--workers 1000: ${used} are used`);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
