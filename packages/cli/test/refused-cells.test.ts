// What a user reads of a protocol that cannot be made at equal certified privacy.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInside } from './inside.ts';
import type { Ended } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-refused-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const cli = async (...args: string[]): Promise<Ended> => await cliInside(root, ...args);

writeFileSync(
  join(root, 'two.yaml'),
  `name: two
seed: two
adjacency: replace-one
trials: 2
users: 500
data: { kind: categories-zipf, domain: 8, exponent: 1 }
privacy: { epsilon: 1e-7, delta: 1e-8 }
protocols:
  - { kind: pure-dump }
  - { kind: frequency, randomizer: grr }
`,
);
const common = ['two.yaml', '--certified', '--quiet', '--no-report', '--workers', '0'];
const why = 'epsilon = 1e-7: must be larger: it would take over 1000000000000 blanket messages';

describe('a protocol that cannot be made at equal certified privacy', () => {
  it('is a line below the comparison', async () => {
    const { code, stdout } = await cli('compare', ...common, '--out', 'text');
    expect(code).toBe(0);
    const lines = stdout.replaceAll(/\s+/gu, ' ');
    expect(lines).toContain('500 users, domain 8, central epsilon 1e-7, delta 1e-8, equal certified privacy');
    expect(lines).toContain(`- pureDUMP is not ranked: ${why}`);
  });

  it('is a row of the JSON, and of that of a dry run', async () => {
    const row = {
      cell: expect.stringMatching(/^[0-9a-f]{16}$/u) as string,
      protocol: 'pureDUMP',
      kind: 'pure-dump',
      parameters: { accounting: 'blanket', targetEpsilon: 1e-7, privacyAccounting: 'certified' },
      users: 500,
      why,
    };
    const run = await cli('run', ...common, '--out', 'json', '--json');
    const dry = await cli('run', ...common, '--dry-run', '--json');
    for (const { code, stdout } of [run, dry]) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ excluded: [row] });
    }
  });

  it('stops a run of nothing else in one line', async () => {
    const alone = await cli('run', ...common, '--out', 'alone', '--set', 'protocols=[{kind: pure-dump}]');
    expect(alone).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `two.yaml: protocols[0] (pure-dump) at 500 users: ${why}\n`,
    });
  });
});
