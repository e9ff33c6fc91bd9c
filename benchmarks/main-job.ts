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

export function rows(): BenchmarkRow[] {
  const folder = mkdtempSync(join(tmpdir(), 'main-job-'));
  try {
    const byMessages = join(folder, 'messages.yaml');
    writeFileSync(
      byMessages,
      readFileSync(CONFIG, 'utf8').replace('simulation: aggregated', 'simulation: messages'),
    );
    const seconds = (config: string, workers: string): number => {
      const start = performance.now();
      const flags = ['--quiet', '--force', '--workers', workers, '--out', join(folder, 'out'), ...ONE_TABLE];
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'compare', config, ...flags], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
      return (performance.now() - start) / 1000;
    };
    const plain = { name: 'every message made, one thread', seconds: seconds(byMessages, '0') };
    return [
      timeRow('main job', 'msnbc-s1: 38 cells of 100 trials, with report', 's', seconds(CONFIG, '2'), plain),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
