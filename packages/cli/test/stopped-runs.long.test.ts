// @module-tag long
// Runs of the real program that are killed again and again, each soon after it has something new on the disk:
// they come to their end, with the bytes of an undisturbed run.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { CHECKPOINTS } from '../../experiments/src/run-folder/checkpoints.ts';
import { JOURNAL_FILE } from '../../experiments/src/run-folder/journal.ts';
import { programIn } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-killed-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { start, cli } = programIn(root);

/** Long enough for several checkpoints each, which are a second and a half apart at least. */
const CONFIGS = {
  run: `name: blocks
seed: s
adjacency: replace-one
trials: 1500
simulation: messages
data: { kind: msnbc-like, items: 3, padding: dummy }
users: 30000
privacy: { levels: [1, 2], shares: [0.5, 0.5], delta: 0.01/n }
protocols:
  - { kind: segmented, blanketRate: [1, 4] }
  - { kind: subexp-local }
  - { kind: balls-into-bins }
`,
  learn: `name: training
seed: s
trials: 1
data: { kind: mnist }
users: 10000
rounds: 16
usersPerRound: 1000
learningRate: 0.5
clipBound: 0.1
budgets: uniform(0.05,1)
privacy: { delta: 1e-8, userDelta: 3.6e-5 }
frameworks: [{ kind: apes }]
`,
  forest: `name: trees
seed: s
trials: 120
data: { kind: mixture, users: 40000, attributes: 8 }
height: 4
messagesPerUser: 64
privacy: { delta: 0.01/n }
`,
} as const;

/** More are of a run that never ends. Checkpoints come by the clock: slow machines have more of them. */
const MOST_LIVES = 300;

/** All that the run has on the disk. */
function kept(out: string): string {
  const folder = join(root, out);
  const checkpoints = join(folder, CHECKPOINTS);
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'latin1') : '');
  const parts = existsSync(checkpoints)
    ? readdirSync(checkpoints).filter((file) => file.endsWith('.json'))
    : [];
  return [read(join(folder, JOURNAL_FILE)), ...parts.map((file) => read(join(checkpoints, file)))].join('');
}

/**
 * Kills the run as soon as there is something new on the disk, but for its first line. @returns whether it
 * ended before
 */
async function life(args: readonly string[], out: string, delay: number): Promise<boolean> {
  const before = kept(out);
  const begun = (text: string): boolean => text.split('\n').length > 2;
  const run = start(...args);
  const over = run.ended.then(() => true);
  // Polling is one wait after another.
  // oxlint-disable-next-line no-await-in-loop
  while (!(await Promise.race([over, setTimeout(20, false)]))) {
    const now = kept(out);
    if (now === before || !begun(now)) continue;
    // oxlint-disable-next-line no-await-in-loop
    await setTimeout(delay);
    run.child.kill('SIGKILL');
    // oxlint-disable-next-line no-await-in-loop
    return (await run.ended).code === 0;
  }
  const { code, stderr } = await run.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return true;
}

describe.each(Object.entries(CONFIGS))('%s', (command, config) => {
  it('killed whenever it has something new comes to its end', async () => {
    const file = `${command}.yaml`;
    writeFileSync(join(root, file), config);
    const args = [command, file, '--quiet', '--no-report', '--workers', '1', '--out'];
    expect((await cli(...args, `${command}-whole`)).code).toBe(0);
    const out = `${command}-killed`;
    let lives = 1;
    let ended = await life([...args, out], out, 0);
    for (; !ended; lives++) {
      expect(lives).toBeLessThan(MOST_LIVES);
      // One life after another: that is what is tested.
      // oxlint-disable-next-line no-await-in-loop
      ended = await life([...args, out, '--resume'], out, (lives % 3) * 150);
    }
    expect(lives).toBeGreaterThan(3);
    expect(readdirSync(join(root, out)).sort()).toEqual(readdirSync(join(root, `${command}-whole`)).sort());
    for (const view of ['results.csv', 'summary.json', 'config.resolved.json'])
      expect(readFileSync(join(root, out, view), 'utf8')).toBe(
        readFileSync(join(root, `${command}-whole`, view), 'utf8'),
      );
  });
});
