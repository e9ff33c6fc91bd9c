/** A plan's rows against what the accountant and textbook formulas say of the same parameters. */
import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../src/account/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import {
  front,
  candidates,
  plan,
  planConfig,
  planForError,
  planStages,
  type PlannedProtocol,
  type PlanSetting,
} from '../../src/plan/index.ts';
import { planAmong } from '../../src/plan/plan.ts';
import { planOnThreads } from '../../src/plan/plan-threads.ts';
import { runExperiment } from '../../src/run/index.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FREQUENCIES = { task: 'frequencies', users: 20_000, domain: 16, epsilon: 1, delta: 1e-6 } as const;
const SETTINGS: readonly PlanSetting[] = [
  FREQUENCIES,
  { task: 'ranges', users: 20_000, domain: 32, epsilon: 0.5, delta: 1e-6 },
  { task: 'mean', users: 5000, epsilon: 1, delta: 1e-6, limits: { messages: 1 } },
  { task: 'sets', users: 5000, domain: 32, items: 3, epsilon: 1, delta: 1e-6 },
  { task: 'vector-mean', users: 2000, domain: 8, epsilon: 1, delta: 1e-6 },
];

const rowOf = (rows: readonly PlannedProtocol[], name: string): PlannedProtocol =>
  rows.find(({ protocol }) => protocol === name)!;

/** The plan for this error reaches it, and none at a half percent less does. @returns its epsilon */
function expectLeast(setting: Omit<PlanSetting, 'epsilon'>, error: number): number {
  const found = planForError(setting, error);
  expect(found.rows[0]!.error).toBeLessThanOrEqual(error);
  const less = plan({ ...setting, epsilon: found.setting.epsilon * 0.995 });
  expect(less.rows[0]!.error).toBeGreaterThan(error);
  return found.setting.epsilon;
}

const PLANS = new Map(SETTINGS.map((setting) => [setting, plan(setting)]));

describe.each(SETTINGS)('a plan for $task', (setting) => {
  const { rows, excluded } = PLANS.get(setting)!;

  it('meets the target with every row, the least error first', () => {
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { epsilon, error, messages, bits } of rows) {
      expect(epsilon.upper).toBeLessThanOrEqual(setting.epsilon * (1 + 1e-9));
      expect(epsilon.lower).toBeLessThanOrEqual(epsilon.upper);
      expect(Math.min(error, messages, bits)).toBeGreaterThan(0);
      expect(messages).toBeLessThanOrEqual(setting.limits?.messages ?? Infinity);
    }
    const errors = rows.map(({ error }) => error);
    expect(errors).toEqual(errors.toSorted((a, b) => a - b));
    for (const { why } of excluded) expect(why.length).toBeGreaterThan(10);
  });

  it('writes a config that runs, and errs as planned', async () => {
    const out = mkdtempSync(join(tmpdir(), 'shuffle-dp-plan-'));
    try {
      // What is compared does not depend on the trials.
      const document = { ...planConfig({ setting, rows, excluded }, 'planned'), trials: 2 };
      const config = parseConfig(JSON.stringify(document), 'planned');
      const run = await runExperiment(config, 'planned', { out, workers: 0, command: 'test' });
      expect(run.cells).toHaveLength(Math.min(4, rows.length));
      // Theory lines of the run are closed forms at its own data, drawn from the even population.
      for (const cell of run.cells) {
        const row = rows.find(({ protocol }) => protocol === cell.protocol)!;
        expect(cell.mseTheory! / row.error, `${cell.protocol}: theory over plan`).toBeGreaterThan(0.9);
        expect(cell.mseTheory! / row.error, `${cell.protocol}: theory over plan`).toBeLessThan(1.1);
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});

describe('a plan', () => {
  const { rows, excluded } = PLANS.get(FREQUENCIES)!;

  it('has the largest budget of randomized response, and the variance of that budget', () => {
    const { parameters, error, epsilon } = rowOf(rows, 'Generalized randomized response');
    const epsilon0 = parameters['epsilon0'] as number;
    const { users, domain, delta } = FREQUENCIES;
    const account = (budget: number) =>
      accountMechanism('grr', { epsilon0: budget, domain }, users, { delta });
    expect(account(epsilon0).bracket.upper / epsilon.upper).toBeCloseTo(1, 4);
    // A thousandth more of the budget does not meet the target.
    expect(account(epsilon0 * 1.001).bracket.upper).toBeGreaterThan(FREQUENCIES.epsilon);
    // Each count is a sum of n p and n (1 - p) coins at even data: the variance of Wang et al. 2017, exactly.
    const p = Math.exp(epsilon0) / (Math.exp(epsilon0) + domain - 1);
    const q = (1 - p) / (domain - 1);
    const f = 1 / domain;
    const variance = (f * p * (1 - p) + (1 - f) * q * (1 - q)) / (users * (p - q) ** 2);
    expect(error / (domain * variance)).toBeCloseTo(1, 6);
  });

  it('calibrates what leads by the least of all bounds, which nothing refutes', () => {
    const target = { users: 10_000, epsilon: 0.1, delta: 1e-6 };
    const [leader] = plan({ task: 'mean', ...target, limits: { messages: 1, bits: 1 } }).rows;
    expect(leader).toMatchObject({ protocol: "Duchi's mechanism", spec: { accounting: 'sharpest' } });
    expect(leader!.epsilon.upper).toBe(0.1);
    const account = (epsilon0: number) =>
      accountMechanism('duchi', { epsilon0 }, target.users, { delta: target.delta }).bracket;
    const epsilon0 = leader!.parameters['epsilon0'] as number;
    expect(account(epsilon0).lower).toBeLessThan(0.1);
    expect(account(epsilon0 * 1.02).lower).toBeGreaterThan(0.1);
  });

  it('leaves out what asks for another trust, unless that is allowed', () => {
    const left = excluded.find(({ protocol }) => protocol.startsWith('SBin'));
    expect(left).toMatchObject({
      why: expect.stringContaining('drops and adds') as string,
      trust: 'augmented',
    });
    const augmented = plan({ ...FREQUENCIES, limits: { trust: 'augmented' } });
    expect(augmented.rows.map(({ trust }) => trust)).toContain('augmented');
  });

  it('counts the messages of users who are spread evenly', () => {
    const { rows } = plan({ task: 'mean', users: 2000, epsilon: 1, delta: 1e-6, limits: { messages: 1 } });
    const count = rows.find(({ spec }) => spec.kind === 'anonymous-count')!;
    const { ratio, sharedMean } = count.parameters as { ratio: number; sharedMean: number };
    // Half of the users have a one, beside the noise of both signs.
    expect(count.messages).toBeCloseTo(0.5 + (2 * (sharedMean + ratio / (1 - ratio))) / 2000, 9);
    expect(count.bits).toBe(count.messages);
  });

  it('keeps the limits of messages and bits, and says whom they leave out', () => {
    const few = plan({ ...FREQUENCIES, limits: { messages: 1, bits: 8 } });
    for (const { messages, bits } of few.rows) expect([messages <= 1, bits <= 8]).toEqual([true, true]);
    expect(few.excluded.map(({ why }) => why).join()).toContain('over the limit');
    expect(() => plan({ ...FREQUENCIES, limits: { bits: 0.1 } })).toThrow('no protocol is left');
    expect(() => plan({ ...FREQUENCIES, limits: { messages: NaN } })).toThrow('limits.messages = NaN');
    expect(() => plan({ ...FREQUENCIES, limits: { trust: 'foo' as 'shuffler' } })).toThrow('limits.trust');
    expect(() => plan({ ...FREQUENCIES, task: 'foo' as 'mean' })).toThrow('task = "foo": must be one of');
  });

  it('says why every protocol is left out before it is refused', () => {
    const among = candidates('frequencies').slice(0, 2);
    const stages = planStages({ ...FREQUENCIES, limits: { bits: 0.1 } }, among);
    const [, whole] = [stages.next(), stages.next().value];
    expect(whole).toMatchObject({ rows: [], left: 0, excluded: [{}, {}] });
    expect(() => stages.next()).toThrow('no protocol is left');
  });

  it('has a front that nothing beats in both', () => {
    for (const sent of ['messages', 'bits'] as const) {
      const kept = front(rows, sent);
      expect(kept).toContain(rows[0]);
      for (const row of rows.filter((each) => !kept.includes(each)))
        expect(kept.some((other) => other.error <= row.error && other[sent] <= row[sent])).toBe(true);
    }
  });

  it('for an error: reaches it, and not at a smaller epsilon', () => {
    const setting = {
      task: 'frequencies',
      users: 2000,
      domain: 4,
      delta: 1e-6,
      limits: { messages: 1, bits: 2 },
    } as const;
    expectLeast(setting, 1e-3);
    expect(() => planForError(setting, 1e-30)).toThrow('at epsilon 16 the best one errs');
    expect(() => planForError({ ...setting, threats: { dropout: 0.1 } }, 1e-3)).toThrow(
      'where users stay away',
    );
  });

  it('for an error that leaders at larger epsilons reach beyond limits alone', { tags: 'long' }, () => {
    const setting = {
      task: 'frequencies',
      users: 2000,
      domain: 16,
      delta: 1e-6,
      limits: { bits: 8 },
    } as const;
    // At the least epsilon of mixDUMP, which was the answer, the error is .0016.
    expect(expectLeast(setting, 0.02)).toBeLessThan(0.1);
  });

  it('is the same on two threads', async () => {
    const setting = SETTINGS.find(({ task }) => task === 'sets')!;
    const begun: number[] = [];
    const planned = await planOnThreads(setting, 2, (_, number) => begun.push(number));
    expect(planned).toEqual(PLANS.get(setting));
    expect(begun.length).toBeGreaterThan(0);
    expect(begun).toEqual([...new Set(begun)].toSorted((a, b) => a - b));
    await expect(planOnThreads({ ...FREQUENCIES, limits: { bits: 0.1 } }, 2)).rejects.toThrow(
      'no protocol is left',
    );
  });

  it.each([
    [{ task: 'mean', users: 100, domain: 4, epsilon: 1, delta: 1e-6 }, 'domain = 4'],
    [{ task: 'sets', users: 100, domain: 4, epsilon: 1, delta: 1e-6 }, 'items = "nothing"'],
    [{ ...FREQUENCIES, items: 2 }, 'items = 2'],
    [{ ...FREQUENCIES, epsilon: 0 }, 'epsilon = 0'],
    [{ ...FREQUENCIES, epsilon: 1000 }, 'epsilon = 1000: must be at most 300'],
    [{ ...FREQUENCIES, delta: 1 }, 'delta = 1'],
    [{ ...FREQUENCIES, users: 1.5 }, 'users = 1.5'],
  ] as const)('refuses %j', (setting, message) => {
    expect(() => plan(setting)).toThrow(message);
  });
});

describe('a plan for heavy hitters', () => {
  const setting = {
    task: 'heavy-hitters',
    users: 5000,
    domain: 1024,
    top: 8,
    epsilon: 2,
    delta: 1e-6,
  } as const;
  const found = plan(setting);

  it('meets the target with every row, by every protocol of the rounds', () => {
    const names = found.rows.map(({ protocol }) => protocol);
    expect(names).toHaveLength(10);
    expect(new Set(names).size).toBe(10);
    expect(names).toContain('Hashed bits: local-hash');
    for (const { epsilon, errorBy, errorInterval, error } of found.rows) {
      expect(epsilon.upper).toBeLessThanOrEqual(setting.epsilon * (1 + 1e-9));
      expect(errorBy).toBe('simulation');
      expect(errorInterval!.lower <= error && error <= errorInterval!.upper).toBe(true);
    }
  });

  it('writes a config whose run errs as simulated', async () => {
    const out = mkdtempSync(join(tmpdir(), 'shuffle-dp-plan-'));
    try {
      const document = planConfig(found, 'searched');
      const run = await runExperiment(parseConfig(JSON.stringify(document), 'searched'), 'searched', {
        out,
        workers: 0,
        command: 'test',
      });
      expect(run.cells).toHaveLength(4);
      run.cells.forEach(({ error }, i) => {
        // Both are means of few trials, whose intervals of 95 % are four standard errors wide: twice that.
        const { errorInterval, error: planned, protocol } = found.rows[i]!;
        const margin = errorInterval!.upper - planned + (error.interval.upper - error.mean);
        expect(Math.abs(error.mean - planned), `${protocol}: run and plan`).toBeLessThan(2 * margin);
      });
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });

  it('draws the same trials whenever it is asked', () => {
    // Identifiers of as many bits.
    const grr = candidates('heavy-hitters').filter(({ title }) => title.endsWith('grr'));
    const again = planAmong(grr, { ...setting, domain: 1000 });
    expect(again.rows).toHaveLength(2);
    for (const { protocol, error } of again.rows) expect(rowOf(found.rows, protocol).error).toBe(error);
  });

  it('has no least epsilon of an error, which would be a root of noise', () => {
    expect(() => planForError(setting, 1e-3)).toThrow(
      'error = 0.001: must be left out for the task heavy-hitters',
    );
  });
});
