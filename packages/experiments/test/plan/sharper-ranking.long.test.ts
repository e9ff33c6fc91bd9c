// @module-tag long
/** Plans of more protocols of numbers than the ordinary test calibrates again. */
import { createNumberProtocol } from '@shuffle-dp/protocols';
import { expect, it } from 'vitest';
import { plan } from '../../src/plan/index.ts';

it('a plan calibrates no worse than what each protocol finds by itself', () => {
  const target = { users: 3000, epsilon: 0.1, delta: 1e-5 };
  const { rows } = plan({ task: 'mean', ...target, limits: { messages: 1 } });
  const rowOf = (name: string) => rows.find(({ protocol }) => protocol === name)!;
  for (const [name, randomizer] of [
    ['Laplace mechanism', 'laplace'],
    ['Clip-Laplace mechanism, unbiased', 'clip-laplace'],
    ["Duchi's mechanism", 'duchi'],
  ] as const) {
    const spec = { kind: 'mean', randomizer, accounting: 'sharpest' } as const;
    const { epsilon0 } = createNumberProtocol(spec, target).parameters;
    expect(rowOf(name).parameters['epsilon0'] as number).toBeCloseTo(epsilon0 as number, 3);
  }
  // It errs twice the least and more, and says by what.
  expect(rowOf('Gaussian mechanism')).toMatchObject({ spec: { accounting: 'blanket' }, blanketAlone: true });
});
