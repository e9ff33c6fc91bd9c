// A run that replaces another takes over what was proved of cells that are accounted for alike, and only
// that.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import type { Executor } from '../../src/pool/pool.ts';
import { withPool } from '../../src/pool/pool.ts';
import { privacyCsv, resultsCsv } from '../../src/results/result-tables.ts';
import { CELL_TASKS } from '../../src/trials/cell-tasks.ts';
import type { CellRecord } from '../../src/run/cell-record.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { accountName, replacedAccounts } from '../../src/run/replaced-accounts.ts';
import { runExperiment, type RunOptions } from '../../src/run/run-experiment.ts';
import { JOURNAL_FILE, readJournal } from '../../src/run-folder/journal.ts';
import { ASIDE } from '../../src/run-folder/replaced-run.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-accounts-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONFIG = `
name: categories
seed: a
adjacency: replace-one
trials: 6
data: { kind: categories-zipf, domain: 16 }
users: [500, 2000]
privacy: { epsilon: 1, delta: 1e-6 }
protocols:
  - { kind: frequency, randomizer: [grr, oue], accounting: blanket }
`;
const configOf = (text: string) => parseConfig(text, 'test.yaml');
/** Counts the cells that are accounted for, which the calling thread does. */
async function run(text: string, out: string, options: Partial<RunOptions> = {}) {
  const phases = vi.fn<NonNullable<RunOptions['onProgress']>>();
  const asked = { workers: 0, force: true, onProgress: phases, ...options };
  const result = await runExperiment(configOf(text), 'test.yaml', { ...asked, out: join(root, out) });
  return {
    bytes: [resultsCsv(result), privacyCsv(result)],
    accounted: phases.mock.calls.filter(([{ phase }]) => phase === 'accounting').length,
  };
}
const records = (out: string): CellRecord[] => [
  ...readJournal<CellRecord>(join(root, out, JOURNAL_FILE)).records.values(),
];

it('more trials and another seed take accounts over, with the bytes of a run of their own', async () => {
  expect((await run(CONFIG, 'first')).accounted).toBe(4);
  for (const changed of [CONFIG.replace('trials: 6', 'trials: 9'), CONFIG.replace('seed: a', 'seed: b')]) {
    const again = await run(changed, 'first');
    expect(again.accounted).toBe(0);
    expect(again.bytes).toEqual((await run(changed, `alone ${again.bytes.join().length}`)).bytes);
  }
  const other = await run(CONFIG.replace('[500, 2000]', '[500, 2001]'), 'first');
  expect(other.accounted).toBe(2);
});

it('a run that is stopped before its first result leaves what it was to replace', async () => {
  const before = await run(CONFIG, 'kept');
  const journal = readFileSync(join(root, 'kept', JOURNAL_FILE), 'utf8');
  const reason = Object.assign(new Error('stop'), { code: 'interrupted' });
  const stop = new AbortController();
  const stopped = runExperiment(configOf(CONFIG.replace('domain: 16', 'domain: 17')), 'test.yaml', {
    workers: 0,
    force: true,
    out: join(root, 'kept'),
    signal: stop.signal,
    onProgress: () => stop.abort(reason),
  });
  await expect(stopped).rejects.toMatchObject({
    message: `stop; ${join(root, 'kept')} is as it was`,
    cause: reason,
  });
  expect(readdirSync(join(root, 'kept'))).toEqual([JOURNAL_FILE]);
  expect(readFileSync(join(root, 'kept', JOURNAL_FILE), 'utf8')).toBe(journal);
  expect((await run(CONFIG, 'kept', { force: false, resume: true })).bytes).toEqual(before.bytes);
});

it.each([
  ['users', 'users: [500, 2000]', 'users: [501, 2001]'],
  ['epsilon', 'epsilon: 1', 'epsilon: 0.9'],
  ['delta', '1e-6', '1e-7'],
  ['domain', 'domain: 16', 'domain: 15'],
  ['the accounting', 'delta: 1e-6 }', 'delta: 1e-6, accounting: certified }'],
  ['the name', '{ kind: frequency,', '{ kind: frequency, label: Mine,'],
])('another value of %s is another account', (_, from, to) => {
  const namesOf = (text: string) => planExperiment(configOf(text), 'test.yaml').cells.map(accountName);
  const known = new Set(namesOf(CONFIG));
  expect(known.size).toBe(4);
  expect(CONFIG).toContain(from);
  for (const name of namesOf(CONFIG.replace(from, to))) expect(known.has(name)).toBe(false);
});

it('what another machine accounted for is not taken over', async () => {
  const executor: Executor = {
    withPool: (_, __, ___, work) =>
      withPool(CELL_TASKS, { workers: 0 }, (pool) => work({ ...pool, wholeTasks: true })),
  };
  await run(CONFIG, 'elsewhere', { executor });
  expect(records('elsewhere').some(({ account }) => account !== undefined)).toBe(false);
  expect((await run(CONFIG, 'elsewhere')).accounted).toBe(4);
});

it('a damaged journal is no source of accounts', async () => {
  await run(CONFIG, 'damaged');
  const aside = join(root, 'stands', ASIDE);
  mkdirSync(aside, { recursive: true });
  cpSync(join(root, 'damaged', JOURNAL_FILE), join(aside, JOURNAL_FILE));
  expect(replacedAccounts(join(root, 'stands')).size).toBe(4);
  const text = readFileSync(join(aside, JOURNAL_FILE), 'utf8');
  writeFileSync(join(aside, JOURNAL_FILE), text.replace('"upper":', '"upper":0'));
  expect(replacedAccounts(join(root, 'stands')).size).toBe(0);
});
