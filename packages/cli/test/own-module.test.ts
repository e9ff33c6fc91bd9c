// Modules of users, in a folder that has nothing of this project, through the real program.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../experiments/src/config/load-config.ts';
import { withPool } from '../../experiments/src/pool/pool.ts';
import { CELL_TASKS, describeCell } from '../../experiments/src/trials/cell-tasks.ts';
import { planExperiment } from '../../experiments/src/cells/plan-experiment.ts';
import { programIn } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-module-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { cli } = programIn(root);

const EXAMPLE = readFileSync(
  new URL('../../../examples/own-randomizer/abstaining-response.mjs', import.meta.url),
  'utf8',
);
/** The example with one line in place of another. */
const example = (line: string, instead: string): string => {
  expect(EXAMPLE).toContain(line);
  return EXAMPLE.replace(line, instead);
};
const IN_A_CALL = 'randomizeInto(values, messages, stream) {';

function configOf(module: string, more = ''): string {
  return [
    'name: own',
    'seed: s',
    'adjacency: replace-one',
    'trials: 2',
    'data: { kind: categories-zipf, domain: 4 }',
    'users: 1000',
    'privacy: { epsilon: 1, delta: 1e-6 }',
    `protocols: [{ kind: own-randomizer, module: ${module}${more} }]`,
  ].join('\n');
}

function write(name: string, content: string, more = ''): string {
  writeFileSync(join(root, name), content);
  writeFileSync(join(root, `${name}.yaml`), configOf(name, more));
  return `${name}.yaml`;
}

describe.concurrent('in a folder of its own, a module', () => {
  it('in TypeScript imports this program and its own files; what it prints is kept off stdout', async () => {
    writeFileSync(join(root, 'shy.ts'), 'export const share: number = 0.25 as const;\n');
    const content = EXAMPLE.replace(
      'export default function abstainingResponse({ domain, epsilon0, abstain = 0.1 }) {',
      `import type { FrequencyOracle } from '@shuffle-dp/core';
import { share } from './shy.ts';
interface Parameters { readonly domain: number; readonly epsilon0: number }
console.log('loaded', share);
export default function abstainingResponse({ domain, epsilon0 }: Parameters): FrequencyOracle {
  const abstain = share;`,
    ).replace(IN_A_CALL, `${IN_A_CALL} process.stdout.write('x\\n');`);
    const config = write('typed.ts', content);
    const { code, stdout, stderr } = await cli(
      'run',
      config,
      '--json',
      '--no-report',
      '--workers',
      '0',
      '--trace',
    );
    expect({ code, stderr: stderr.split('\n').slice(0, 3) }).toEqual({
      code: 0,
      stderr: ['typed.ts: loaded 0.25', 'typed.ts: x', 'typed.ts: x'],
    });
    expect(stderr).toContain('typed.ts: …, further lines are left out\n');
    const document = JSON.parse(stdout) as { readonly rows: readonly unknown[]; readonly trace: unknown };
    expect(document.rows.length).toBe(1);
  });

  const LOOP = 'for (;;);';
  it.each([
    [
      'ends the program',
      'exit.mjs',
      example(IN_A_CALL, `${IN_A_CALL} process.exit(0);`),
      'one that works: it called process.exit(0) (line 25)',
    ],
    [
      'loops as it is loaded',
      'load.mjs',
      `${LOOP}\n${EXAMPLE}`,
      'one that ends: loading has not ended after 0.5 seconds',
    ],
    [
      'loops in a call',
      'call.mjs',
      example(IN_A_CALL, `${IN_A_CALL} ${LOOP}`),
      'one that ends: randomizeInto has not ended after 1.5 seconds',
    ],
  ])('that %s is refused in one line', async (_, name, content, reason) => {
    const config = write(
      name,
      content,
      name === 'exit.mjs' ? '' : `, timeLimit: ${name === 'load.mjs' ? 0.5 : 1.5}`,
    );
    const asked = `run ${config} --out out-${name} --quiet --workers 1`;
    const { code, stdout, stderr } = await cli(...asked.split(' '));
    const where = name === 'exit.mjs' ? `${config}: protocols[0] (own-randomizer) at 1000 users` : config;
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `${where}: module = "${name}": must be ${reason}\n`,
    });
  });
});

it('a module that runs differently each time is refused in its thread', async () => {
  const cases: [what: string, content: string, reason: string][] = [
    [
      'chance',
      example(IN_A_CALL, `${IN_A_CALL} Math.random();`),
      'randomizeInto uses Math.random: randomness must come from the stream it is given (line 25)',
    ],
    [
      'clock',
      example(IN_A_CALL, `${IN_A_CALL} Date.now();`),
      'randomizeInto uses Date.now: what it gives must not depend on the clock (line 25)',
    ],
    ['date', example(IN_A_CALL, `${IN_A_CALL} new Date();`), 'randomizeInto uses new Date()'],
    ['timer', example(IN_A_CALL, `${IN_A_CALL} performance.now();`), 'randomizeInto uses performance.now'],
    [
      'typed',
      `type A = {\n  b: 1;\n};\nexport default () => {\n  throw new Error('no');\n};\n`,
      'Error: no (line 5)',
    ],
  ];
  await withPool(CELL_TASKS, { workers: 1, watched: true }, async (pool) => {
    for (const [what, content, reason] of cases) {
      const name = `${what}.${what === 'typed' ? 'ts' : 'mjs'}`;
      const config = join(root, write(name, content));
      const { cells } = planExperiment(parseConfig(configOf(name), config), config);
      // oxlint-disable-next-line no-await-in-loop
      const answer = await pool.run(describeCell, cells[0]!);
      expect('refused' in answer ? answer.refused : answer).toContain(reason);
    }
  });
});
