/**
 * Trials of many users, every message made, shuffled and counted: whole processes on all cores, less one that
 * does all but these trials. That one has a trial of as many users, whose account and whose compiled loops
 * are no cost of a message, or few users.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once, timeRow, type BenchmarkRow } from './row.ts';

const PROGRAM = fileURLToPath(new URL('../packages/cli/bin/shuffle-dp.mjs', import.meta.url));

const GRR = {
  data: { kind: 'categories-zipf', domain: 16, exponent: 1 },
  privacy: { epsilon: 1, delta: '0.01/n' },
  protocols: [{ kind: 'frequency', randomizer: 'grr' }],
};
const SETS = {
  data: { kind: 'msnbc-like', items: 4 },
  privacy: { levels: [0.5, 1, 2], shares: [0.25, 0.5, 0.25], delta: '0.01/n' },
  protocols: [{ kind: 'segmented', blanketRate: 0.3 }],
};

const FEW_USERS = 1000;

/** Seconds of a trial, from the difference of two processes. */
function trialSeconds(config: object, simulation: string, users: number): number {
  const [many, few] = [users, FEW_USERS].map((n) => processSeconds(config, simulation, n, 1));
  return many! - few!;
}

/**
 * Seconds of a trial that comes after as many others, each the faster of two measurements: loops are compiled
 * again and again in the first of them, which is no cost of a message.
 */
function furtherTrialSeconds(config: object, simulation: string, users: number, trials: number): number {
  const least = (n: number): number =>
    Math.min(...[0, 1].map(() => processSeconds(config, simulation, users, n)));
  return (least(2 * trials) - least(trials)) / trials;
}

function processSeconds(config: object, simulation: string, users: number, trials: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'many-users-'));
  try {
    const file = join(folder, 'many.json');
    const rest = { name: 'many', seed: 'many', adjacency: 'replace-one', trials, simulation, users };
    writeFileSync(file, JSON.stringify({ ...rest, ...config }));
    const flags = ['--quiet', '--workers', '2', '--out', join(folder, 'out')];
    return once(() => {
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'run', file, ...flags], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function rows(): BenchmarkRow[] {
  const perMessage = [1e6, 1e7, 1e8, 1e9].map((users) => {
    // As many users in all, up to 1e8; of 1e9 what is done once is nothing.
    const seconds =
      users < 1e9
        ? furtherTrialSeconds(GRR, 'messages', users, 2e8 / users)
        : trialSeconds(GRR, 'messages', users);
    return { users, seconds: seconds / users };
  });
  const grr = perMessage.map(({ users, seconds }) =>
    timeRow('many users', `grr, ${users} users`, 'ns a message', seconds),
  );
  const each = perMessage.map(({ seconds }) => seconds);
  const spread = Math.max(...each) / Math.min(...each);
  const sets = trialSeconds(SETS, 'messages', 1e8);
  const counted = trialSeconds(SETS, 'aggregated', 1e9);
  return [
    ...grr,
    { group: 'many users', name: 'grr, the dearest message over the cheapest', value: spread, unit: 'times' },
    timeRow('many users', 'sets of four items, 1e8 users, messages', 's', sets),
    timeRow('many users', 'sets of four items, 1e9 users, aggregated', 's', counted),
  ];
}
