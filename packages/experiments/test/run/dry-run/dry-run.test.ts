import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/load-config.ts';
import { dryRun } from '../../../src/run/dry-run/dry-run.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-dry-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONFIG = `
name: dry
seed: a
adjacency: replace-one
trials: 2
data: { kind: categories-uniform, domain: 4 }
users: 100
privacy: { epsilon: 1, delta: 1e-3 }
protocols:
  - { kind: own-randomizer, module: own.mjs, timeLimit: 1 }
`;

describe('a dry run calls modules of users in a thread of their own', () => {
  it.each([
    ['that ends the program', 'export default () => process.exit(0);', /it called process\.exit\(0\)/u],
    ['that never ends', 'export default () => { for (;;); };', /has not ended after 1 second$/u],
  ])('%s is refused in one line', async (_, content, reason) => {
    writeFileSync(join(root, 'own.mjs'), content);
    const file = join(root, 'dry.yaml');
    await expect(dryRun(parseConfig(CONFIG, file), file, { workers: 1 })).rejects.toThrow(reason);
  });
});

it('expects no more of threads than of cores, and says how many are used', async () => {
  const text = CONFIG.replace(/ {2}- .*/u, '  - { kind: frequency, randomizer: grr }').replace(
    'trials: 2',
    'trials: 99',
  );
  const { cells, seconds, workers, notices } = await dryRun(parseConfig(text, 'dry.yaml'), 'dry.yaml', {
    workers: 1000,
  });
  expect(workers).toBeLessThan(1000);
  expect(notices).toEqual([expect.stringMatching(/^--workers 1000: \d+ (?:are|is) used, /u)]);
  expect(seconds).toBeGreaterThanOrEqual(cells[0]!.seconds / availableParallelism());
});

it('refuses more messages than one list holds', async () => {
  const text = CONFIG.replace(/ {2}- .*/u, '  - { kind: pure-dump, blanketRate: 1e8 }')
    .replace('epsilon: 1, ', '')
    .replace('trials: 2', 'trials: 2\nsimulation: messages');
  await expect(dryRun(parseConfig(text, 'dry.yaml'), 'dry.yaml')).rejects.toThrow(
    /\(pure-dump\) at 100 users: simulation = "messages": must be 'aggregated', or have fewer messages: /u,
  );
});

it('calls cells that are alike but for their labels by these', async () => {
  const labelled = (label: string) =>
    parseConfig(
      CONFIG.replace(/ {2}- .*/u, `  - { kind: frequency, randomizer: grr, label: ${label} }`),
      'dry.yaml',
    );
  for (const label of ['one', 'other']) {
    const { cells } = await dryRun(labelled(label), 'dry.yaml');
    expect(cells.map(({ protocol }) => protocol)).toEqual([label]);
  }
});
