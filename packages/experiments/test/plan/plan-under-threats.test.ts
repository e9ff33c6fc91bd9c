/** Plans for the honest who take part, where other users collude or stay away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../src/account/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import { candidates, plan, planConfig, type PlannedProtocol } from '../../src/plan/index.ts';
import { planAmong } from '../../src/plan/plan.ts';
import { runExperiment } from '../../src/run/index.ts';

const FREQUENCIES = { task: 'frequencies', users: 20_000, domain: 16, epsilon: 1, delta: 1e-6 } as const;

const rowOf = (rows: readonly PlannedProtocol[], name: string): PlannedProtocol =>
  rows.find(({ protocol }) => protocol === name)!;

describe('a plan where users collude and stay away', () => {
  const threats = { colluding: 0.1, dropout: 0.2 };
  const setting = { ...FREQUENCIES, users: 2000, threats, limits: { messages: 1 } };
  const [response, unary] = [': grr', ': oue'].map((randomizer) =>
    candidates('frequencies').filter(({ title }) => title.endsWith(randomizer)),
  );
  const found = planAmong([...response!, ...unary!], setting);

  it('has the largest budgets with which the honest who take part are protected, and larger errors', () => {
    const { domain, delta, users } = setting;
    const row = rowOf(found.rows, 'Generalized randomized response');
    const epsilon0 = row.parameters['epsilon0'] as number;
    const upper = (budget: number): number =>
      accountMechanism('grr', { epsilon0: budget, domain }, users, { delta }, threats).bracket.upper;
    expect(upper(epsilon0)).toBeLessThanOrEqual(setting.epsilon * (1 + 1e-9));
    // What is told of the plan is the blanket's, which is a little above the sharpest bound.
    expect(row.epsilon.upper).toBeLessThanOrEqual(setting.epsilon * (1 + 1e-9));
    expect(row.epsilon.upper).toBeGreaterThan(0.995 * setting.epsilon);
    const { threats: _, ...without } = setting;
    expect(row.error).toBeGreaterThan(1.1 * rowOf(planAmong(response!, without).rows, row.protocol).error);
  });

  it('writes a config with the same parameters', { tags: 'long' }, async () => {
    const out = mkdtempSync(join(tmpdir(), 'shuffle-dp-plan-'));
    try {
      const config = parseConfig(
        JSON.stringify({ ...planConfig(found, 'threatened'), trials: 2 }),
        'threatened',
      );
      const run = await runExperiment(config, 'threatened', { out, workers: 0, command: 'test' });
      expect(run.cells).toHaveLength(2);
      for (const { protocol, parameters } of run.cells) {
        const planned = rowOf(found.rows, protocol).parameters['epsilon0'] as number;
        expect(Number(parameters['epsilon0']) / planned).toBeCloseTo(1, 2);
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });

  it('plans noise that users share for those who are left', () => {
    const some = candidates('mean').filter(({ title }) => /anonymous count|split and mix/iu.test(title));
    const mean = { task: 'mean', users: 2000, epsilon: 1, delta: 1e-6 } as const;
    const plain = planAmong(some, mean);
    const left = planAmong(some, { ...mean, threats: { colluding: 0.1, dropout: 0.2 } });
    expect(left.excluded).toEqual([]);
    expect(left.rows).toHaveLength(2);
    for (const { protocol, error, epsilon } of left.rows) {
      expect(epsilon.upper).toBeLessThanOrEqual(1 + 1e-9);
      expect(error).toBeGreaterThan(plain.rows.find((row) => row.protocol === protocol)!.error);
    }
  });

  it('leaves out what nothing is proved of, and refuses shares that are none', () => {
    const some = candidates('sets').filter(({ title }) => /balls into bins|^segmented/iu.test(title));
    const sets = { task: 'sets', users: 2000, domain: 17, items: 4, epsilon: 1, delta: 1e-6 } as const;
    expect(planAmong(some, { ...sets, threats: { colluding: 0.1 } }).excluded).toContainEqual({
      protocol: 'Balls into bins',
      why: 'no privacy is proved for it where users collude or stay away',
    });
    expect(() => plan({ ...setting, threats: { dropout: 1 } })).toThrow('dropout = 1');
    // One honest user is left where the shares round up to all.
    const alone = (colluding: number) =>
      planAmong(response!, { ...setting, users: 20, threats: { colluding } }).rows;
    expect(alone(0.99)).toEqual(alone(0.95));
    expect(() =>
      plan({ task: 'heavy-hitters', users: 2000, domain: 256, epsilon: 1, delta: 1e-6, threats }),
    ).toThrow('left out for the task heavy-hitters');
  });
});
