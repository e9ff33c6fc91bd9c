/** The main job as its users start it: a whole process, from the command line to the report. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { timeRow, type BenchmarkRow } from './row.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PROGRAM = join(ROOT, 'packages/cli/bin/shuffle-dp.mjs');
const CONFIG = join(ROOT, 'configs/msnbc-s1.yaml');

/** The job that was measured before it had a second table. */
const ONE_TABLE = ['--set', 'privacy.accounting=published'];
const FRESH = ['--no-cache'];
/** As little as a run on threads can be. */
const LEAST = `
name: least
seed: least
adjacency: replace-one
trials: 1
data: { kind: categories-zipf, domain: 2 }
users: 10
privacy: { epsilon: 1, delta: 1e-3 }
protocols: [{ kind: frequency, randomizer: grr }]
`;

export function rows(): BenchmarkRow[] {
  const folder = mkdtempSync(join(tmpdir(), 'main-job-'));
  let runs = 0;
  try {
    const byMessages = join(folder, 'messages.yaml');
    writeFileSync(
      byMessages,
      readFileSync(CONFIG, 'utf8').replace('simulation: aggregated', 'simulation: messages'),
    );
    const least = join(folder, 'least.yaml');
    writeFileSync(least, LEAST);
    /** In a folder of its own. */
    const seconds = (config: string, ...flags: string[]): number => {
      const start = performance.now();
      const common = ['--quiet', '--out', join(folder, `out-${runs++}`)];
      const env = { ...process.env, SHUFFLE_DP_CACHE: join(folder, 'cache') };
      const { status, stderr } = spawnSync(
        process.execPath,
        [PROGRAM, 'compare', config, ...common, ...flags],
        { encoding: 'utf8', env },
      );
      if (status !== 0) throw new Error(stderr);
      return (performance.now() - start) / 1000;
    };
    const best = (...run: Parameters<typeof seconds>): number =>
      Math.min(...[0, 1, 2].map(() => seconds(...run)));
    const plain = {
      name: 'every message made, one thread',
      seconds: seconds(byMessages, '--workers', '0', ...ONE_TABLE, ...FRESH),
    };
    const row = (name: string, value: number, beside?: typeof plain): BenchmarkRow =>
      timeRow('main job', name, 's', value, beside);
    const published = best(CONFIG, ...ONE_TABLE, ...FRESH);
    const bare = best(CONFIG, ...ONE_TABLE, ...FRESH, '--no-report');
    const both = best(CONFIG, ...FRESH);
    const bareBoth = best(CONFIG, ...FRESH, '--no-report');
    // Keeps the accounts that the runs after it take over.
    seconds(CONFIG);
    return [
      row('start and end of a run: one trial of ten users', best(least, '--no-report', ...FRESH)),
      row('that with its report', best(least, ...FRESH)),
      row('msnbc-s1: 36 cells of 100 trials, with report', published, plain),
      row('msnbc-s1: 36 cells, without report', bare),
      row('msnbc-s1, both tables: 72 cells', both),
      row('msnbc-s1, both tables, without report', bareBoth),
      row('msnbc-s1, both tables, accounts kept by another run', best(CONFIG, '--seed', 'other')),
      row('that without report', best(CONFIG, '--seed', 'other', '--no-report')),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
