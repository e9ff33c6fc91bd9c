// Accounts that runs share: the bytes of a run without them, nothing of other code, and no harm by damage or
// by two writers.
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { privacyCsv, resultsCsv } from '../../src/results/result-tables.ts';
import type { CellDescription } from '../../src/trials/cell-protocol.ts';
import { dryRun } from '../../src/run/dry-run/dry-run.ts';
import { keptAccounts } from '../../src/run/kept-accounts.ts';
import { accountName } from '../../src/run/replaced-accounts.ts';
import { runExperiment, type RunOptions } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-kept-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONFIG = `
name: kept
seed: a
adjacency: replace-one
trials: 4
data: { kind: msnbc-like, items: 4 }
users: 2000
privacy: { levels: [0.5, 1], shares: [0.5, 0.5], delta: 1e-6, accounting: [published, certified] }
protocols:
  - { kind: segmented, blanketRate: 2 }
  - { kind: subexp-shuffled }
`;
let runs = 0;
/** In a folder of its own; says how many cells it accounted for. */
async function run(cache: string | null, text = CONFIG) {
  const onProgress = vi.fn<NonNullable<RunOptions['onProgress']>>();
  const result = await runExperiment(parseConfig(text, 'test.yaml'), 'test.yaml', {
    workers: 0,
    out: join(root, `run-${runs++}`),
    onProgress,
    ...(cache === null ? {} : { keptAccounts: cache }),
  });
  return {
    bytes: [resultsCsv(result), privacyCsv(result)],
    accounted: onProgress.mock.calls.filter(([{ phase }]) => phase === 'accounting').length,
  };
}

it('a second run accounts for nothing, in whatever folder, to the bytes of a run without', async () => {
  const cache = join(root, 'cache', 'not there yet');
  const alone = await run(null);
  const first = await run(cache);
  expect(first.accounted).toBe(4);
  const second = await run(cache);
  expect(second.accounted).toBe(0);
  expect([first.bytes, second.bytes]).toEqual([alone.bytes, alone.bytes]);
  const wide = CONFIG.replace('users: 2000', 'users: [2000, 900]');
  const wider = await run(cache, wide);
  expect(wider.accounted).toBe(4);

  const [place] = readdirSync(cache);
  const files = readdirSync(join(cache, place!)).map((file) => join(cache, place!, file));
  expect(files).toHaveLength(8);
  // One digit of one account, and an account under the name of another.
  const text = readFileSync(files[0]!, 'utf8');
  writeFileSync(
    files[0]!,
    text.replace(/(\d)(?=[^\d]*"seal")/u, (digit) => String((Number(digit) + 1) % 10)),
  );
  writeFileSync(files[1]!, readFileSync(files[2]!));
  writeFileSync(files[3]!, text.slice(0, 100));
  const damaged = await run(cache, wide);
  expect(damaged.accounted).toBe(3);
  expect(damaged.bytes).toEqual(wider.bytes);
});

const DESCRIPTION: CellDescription = {
  name: 'Mine',
  description: 'A protocol.',
  parameters: { rate: 1 / 3, most: Infinity },
  theoreticalBound: null,
  messagesPerUser: 1,
  bitsPerUser: 4.1,
  certified: [],
  stated: [],
};

it('a dry run keeps them for the run, and takes them over', async () => {
  const text = CONFIG.replace('subexp-shuffled', 'balls-into-bins');
  const config = parseConfig(text, 'test.yaml');
  const cache = join(root, 'dry');
  const dry = async (keptAccounts?: string) => {
    const { cells } = await dryRun(config, 'test.yaml', { workers: 1, keptAccounts });
    return cells.map((cell) => ({ ...cell, seconds: 0 }));
  };
  const alone = await dry();
  expect(await dry(cache)).toEqual(alone);
  const { accounted, bytes } = await run(cache, text);
  expect(accounted).toBe(0);
  expect(bytes).toEqual((await run(null, text)).bytes);

  const [cell] = planExperiment(config, 'test.yaml').cells;
  keptAccounts(cache).keep(accountName(cell!)!, DESCRIPTION);
  expect((await dry(cache)).map(({ protocol }) => protocol)).toEqual([
    'Mine',
    ...alone.slice(1).map(({ protocol }) => protocol),
  ]);
});

it('accounts of other code are not met, and removed once nobody has used them for a month', () => {
  const folder = join(root, 'codes');
  const of = (digit: string) => keptAccounts(folder, () => digit.repeat(64));
  of('a').keep('one', DESCRIPTION);
  expect(of('a').get('one')).toEqual(DESCRIPTION);
  expect(of('b').get('one')).toBeUndefined();
  of('b').keep('one', DESCRIPTION);
  expect(readdirSync(folder)).toHaveLength(2);
  const before = Date.now() / 1000 - 31 * 24 * 3600;
  utimesSync(join(folder, `accounts-${'a'.repeat(16)}`), before, before);
  mkdirSync(join(folder, 'of somebody else'));
  utimesSync(join(folder, 'of somebody else'), before, before);
  of('c').keep('one', DESCRIPTION);
  expect(readdirSync(folder).sort()).toEqual([
    `accounts-${'b'.repeat(16)}`,
    `accounts-${'c'.repeat(16)}`,
    'of somebody else',
  ]);
});

it('a folder that cannot be made keeps nothing, and stops nothing', () => {
  const file = join(root, 'a file');
  writeFileSync(file, '');
  const accounts = keptAccounts(join(file, 'below'));
  expect(accounts.keep('one', DESCRIPTION)).toBe(false);
  expect(accounts.get('one')).toBeUndefined();
});
