/** Names in an address that are none here: they are told beside what is shown in their place. */
import { describe, expect, it } from 'vitest';
import { accountState, unknownBounds } from '../../src/account/account-state.ts';
import type { ShownMechanism } from '../../src/account/contract.ts';
import { budgetsState } from '../../src/budgets/budgets-state.ts';
import { planState } from '../../src/plan/plan-state.ts';
import { shuffleStep } from '../../src/shuffle/shuffle-state.ts';

describe('a name in an address that is none here', () => {
  it.each(['nonsense', 'toString'])('%s is told beside what is shown in its place', (asked) => {
    expect(budgetsState({ mechanism: asked })).toMatchObject({ mechanism: 'grr', unknown: asked });
    expect(planState({ task: asked })).toMatchObject({ task: 'frequencies', unknown: asked });
    expect(planState({ trust: asked, sort: asked })).toMatchObject({
      augmented: false,
      unknownTrust: asked,
      sort: 'error',
      unknownSort: asked,
    });
    expect(shuffleStep(asked, 4)).toEqual({ step: 3, unknown: asked });
    expect(unknownBounds(new Set(['sharp', asked, 'x']), new Set(['sharp']))).toBe(`${asked}”, “x`);
    const grr = { name: 'grr', parameters: [], example: {} } as unknown as ShownMechanism;
    expect(accountState({ over: asked }, [grr])).toMatchObject({ over: 'users', unknownAxis: asked });
  });

  it('is not told where none is asked for, or one that is', () => {
    expect(budgetsState({ mechanism: 'laplace' })).toMatchObject({ mechanism: 'laplace', unknown: null });
    expect([budgetsState({}).unknown, planState({}).unknown]).toEqual([null, null]);
  });
});
