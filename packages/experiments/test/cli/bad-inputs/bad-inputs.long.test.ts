// Bad inputs to the real program: one line and exit code 2 within 5 seconds, with less than 1 GB in every process and thread.
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
/** About so many of those that are tried in one process elsewhere. */
const SAMPLE = 25;

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-bad-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Writes the most memory that the process ever held to a file of its own, when it ends. */
const WITNESS = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(process.env.MEMORY_FOLDER + '/' + process.pid, String(process.resourceUsage().maxRSS)));
`)}`;

interface Measured {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly bytes: number;
}

async function measured(args: readonly string[], cwd: string): Promise<Measured> {
  const memory = mkdtempSync(join(root, 'memory-'));
  const start = performance.now();
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: `--import=${WITNESS}`, MEMORY_FOLDER: memory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - start) / 1000;
  const kilobytes = readdirSync(memory).map((file) => Number(readFileSync(join(memory, file), 'utf8')));
  return { code, stdout, stderr, seconds, bytes: 1024 * Math.max(...kilobytes) };
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

/** What the program takes to begin and end here: a slow machine is not the input's fault. */
const idle = measured(['--version'], root);

async function expectRefusal(args: readonly string[], folder: string, says: string): Promise<void> {
  const { seconds: least } = await idle;
  const { code, stdout, stderr, seconds, bytes } = await measured(args, folder);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  expect(stderr).toMatch(/^[^\n]+\n$/u);
  expect(seconds).toBeLessThan(Math.max(MOST_SECONDS, 2 * least));
  expect(bytes).toBeLessThan(MOST_BYTES);
}

const step = Math.floor(BAD_INPUTS.length / SAMPLE);
const sample = BAD_INPUTS.flatMap((input, i) => (i % step === 0 ? [{ ...input, i }] : []));

it.each(sample)('$i: $says', async ({ i, args, files, says }) => {
  await expectRefusal(args, folderOf(String(i), files), says);
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
  await expectRefusal(['run', 'c.yaml'], folder, 'd.csv.gz: unpacks to more than 268435456 bytes');
});

it('a list of 20 MB', async () => {
  const users = `users: [${Array.from({ length: 2_800_000 }, (_, i) => i + 1).join(',')}]`;
  const folder = folderOf('list', { 'c.yaml': edited(CATEGORIES, 'users: 40', users) });
  await expectRefusal(['run', 'c.yaml'], folder, 'c.yaml: is too long');
});

it('an output that is a link to nothing', async () => {
  const folder = folderOf('link', { 'c.yaml': CATEGORIES });
  symlinkSync('nowhere', join(folder, 'out'));
  await expectRefusal(
    ['run', 'c.yaml', '--out', 'out'],
    folder,
    'out: cannot be written: it is a link to nothing',
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
