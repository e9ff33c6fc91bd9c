/** Plans rank by the least of all proved bounds, and say which rows have the blanket alone. */
import { createNumberProtocol } from '@shuffle-dp/protocols';
import { describe, expect, it } from 'vitest';
import { plan, planForError, type PlannedProtocol } from '../../src/plan/index.ts';

const rowOf = (rows: readonly PlannedProtocol[], name: string): PlannedProtocol =>
  rows.find(({ protocol }) => protocol === name)!;

describe('a plan', () => {
  it.each([
    [{ task: 'mean', users: 3000, epsilon: 0.08, delta: 1e-6, limits: { bits: 8 } }, "Duchi's mechanism"],
    [
      { task: 'mean', users: 3000, epsilon: 0.08, delta: 1e-6, limits: { messages: 1 } },
      'Clip-Laplace mechanism, unbiased',
      "Duchi's mechanism",
    ],
    [
      { task: 'frequencies', users: 2000, domain: 128, epsilon: 0.2, delta: 1e-6, limits: { messages: 1 } },
      'Generalized randomized response',
      'Subset selection',
      'Optimized unary encoding',
      'Local hashing',
    ],
  ] as const)('ranks by the least of all bounds: %j', (setting, ...first) => {
    const { rows: ranked } = plan(setting);
    expect(ranked.slice(0, first.length).map(({ protocol }) => protocol)).toEqual(first);
    expect(ranked[0]).toMatchObject({ spec: { accounting: 'sharpest' }, blanketAlone: false });
  });

  it('calibrates no worse than what each protocol finds by itself', () => {
    const target = { users: 3000, epsilon: 0.1, delta: 1e-5 };
    const { rows: ranked } = plan({ task: 'mean', ...target, limits: { messages: 1 } });
    for (const [name, randomizer] of [
      ['Laplace mechanism', 'laplace'],
      ['Clip-Laplace mechanism, unbiased', 'clip-laplace'],
      ["Duchi's mechanism", 'duchi'],
    ] as const) {
      const spec = { kind: 'mean', randomizer, accounting: 'sharpest' } as const;
      const { epsilon0 } = createNumberProtocol(spec, target).parameters;
      expect(rowOf(ranked, name).parameters['epsilon0'] as number).toBeCloseTo(epsilon0 as number, 3);
    }
    // It errs twice the least and more, and says by what.
    expect(rowOf(ranked, 'Gaussian mechanism')).toMatchObject({
      spec: { accounting: 'blanket' },
      blanketAlone: true,
    });
  });

  it('has the same rows within any limits', () => {
    const setting = { task: 'mean', users: 3000, epsilon: 0.1, delta: 1e-5 } as const;
    const few = plan({ ...setting, limits: { messages: 1 } }).rows;
    expect(plan(setting).rows.filter(({ messages }) => messages === 1)).toEqual(few);
  });

  it('for an error follows what leads by a sharper bound', () => {
    const asked = { task: 'mean', users: 3000, delta: 1e-6, limits: { bits: 1 } } as const;
    const { setting, rows: found } = planForError(asked, 2e-4);
    expect(found[0]!.error).toBeLessThanOrEqual(2e-4);
    expect(found[0]!.error).toBeGreaterThan(0.99 * 2e-4);
    expect(plan({ ...setting, epsilon: 0.99 * setting.epsilon }).rows[0]!.error).toBeGreaterThan(2e-4);
  });
});
