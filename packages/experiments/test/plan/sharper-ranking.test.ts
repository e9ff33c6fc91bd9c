/** Plans rank by the least of all proved bounds, and say which rows have the blanket alone. */
import { createNumberProtocol } from '@shuffle-dp/protocols';
import { describe, expect, it } from 'vitest';
import { candidates, plan, planForError, type PlannedProtocol } from '../../src/plan/index.ts';
import { planAmong } from '../../src/plan/plan.ts';

const rowOf = (rows: readonly PlannedProtocol[], name: string): PlannedProtocol =>
  rows.find(({ protocol }) => protocol === name)!;

const MEAN = { task: 'mean', users: 3000, epsilon: 0.08, delta: 1e-6 } as const;
const FREQUENCIES = {
  task: 'frequencies',
  users: 2000,
  domain: 128,
  epsilon: 0.2,
  delta: 1e-6,
  limits: { messages: 1 },
} as const;

describe('a plan', () => {
  const ofOneMessage = plan({ ...MEAN, limits: { messages: 1 } }).rows;

  it.each([
    ['numbers in a byte', plan({ ...MEAN, limits: { bits: 8 } }).rows, ["Duchi's mechanism"]],
    ['numbers in one message', ofOneMessage, ['Clip-Laplace mechanism, unbiased', "Duchi's mechanism"]],
    [
      'categories in one message',
      plan(FREQUENCIES).rows,
      // Subsets of one category are randomized response, and left out.
      ['Generalized randomized response', 'Local hashing', 'Optimized unary encoding'],
    ],
  ] as const)('ranks %s by the least of all bounds', (_, ranked, first) => {
    expect(ranked.slice(0, first.length).map(({ protocol }) => protocol)).toEqual(first);
    expect(ranked[0]).toMatchObject({ spec: { accounting: 'sharpest' }, blanketAlone: false });
  });

  it('calibrates no worse than what each protocol finds by itself', () => {
    const { task: kind, ...target } = MEAN;
    for (const [name, randomizer] of [
      ['Clip-Laplace mechanism, unbiased', 'clip-laplace'],
      ["Duchi's mechanism", 'duchi'],
    ] as const) {
      const spec = { kind, randomizer, accounting: 'sharpest' } as const;
      const { epsilon0 } = createNumberProtocol(spec, target).parameters;
      expect(rowOf(ofOneMessage, name).parameters['epsilon0'] as number).toBeCloseTo(epsilon0 as number, 3);
    }
  });

  it('leaves what errs twice the least and more with the blanket, and says so', () => {
    const some = candidates('mean').filter(({ title }) => /piecewise|gaussian/u.test(title));
    const { rows } = planAmong(some, { task: 'mean', users: 3000, epsilon: 0.1, delta: 1e-5 });
    expect(rowOf(rows, 'Gaussian mechanism').error).toBeGreaterThan(1.5 * rows[0]!.error);
    expect(rowOf(rows, 'Gaussian mechanism')).toMatchObject({
      spec: { accounting: 'blanket' },
      blanketAlone: true,
    });
  });

  it('has the same rows within any limits', { tags: 'long' }, () => {
    expect(plan(MEAN).rows.filter(({ messages }) => messages === 1)).toEqual(ofOneMessage);
  });

  it('for an error follows what leads by a sharper bound', () => {
    const asked = { task: 'mean', users: 3000, delta: 1e-6, limits: { bits: 1 } } as const;
    const { setting, rows: found } = planForError(asked, 2e-4);
    expect(found[0]!.error).toBeLessThanOrEqual(2e-4);
    expect(found[0]!.error).toBeGreaterThan(0.99 * 2e-4);
    expect(plan({ ...setting, epsilon: 0.99 * setting.epsilon }).rows[0]!.error).toBeGreaterThan(2e-4);
  });
});
