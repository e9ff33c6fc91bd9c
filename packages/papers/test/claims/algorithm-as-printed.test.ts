/** docs/composition.md prints what Algorithm 1 of the composition paper sums up to; the claim computes it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { variationRatioDivergence } from '@shuffle-dp/accounting';
import { algorithmSums } from '../../src/composition/algorithm-claim.ts';

const SETTING = { users: 20, p: Math.E, beta: 0.3, q: Math.E, epsilon: 0.3 };
const page = readFileSync(new URL('../../../../docs/composition.md', import.meta.url), 'utf8');

describe('what the composition paper prints', () => {
  const sums = algorithmSums(SETTING);

  it('is the pair where mass and loss are right', () => {
    const truth = variationRatioDivergence(SETTING, SETTING.users, SETTING.epsilon);
    expect(sums.right / truth.upper).toBeCloseTo(1, 9);
    expect(sums.right / truth.lower).toBeCloseTo(1, 9);
  });

  it.each([
    { shown: 'right', value: sums.right },
    { shown: 'mass', value: sums.printedMass },
    { shown: 'loss', value: sums.printedRatio },
    { shown: 'printed', value: sums.asPrinted },
    { shown: 'missing', value: sums.missing },
  ])('stands on the page: $shown', ({ shown, value }) => {
    const [, printed] = new RegExp(`<!-- ${shown} --> ([0-9.e-]+)`, 'u').exec(page) ?? [];
    expect(Number(printed) / value).toBeCloseTo(1, 3);
  });
});
