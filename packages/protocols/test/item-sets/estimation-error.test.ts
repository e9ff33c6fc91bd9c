import { describe, expect, it } from 'vitest';
import {
  blanketVariance,
  errorGivenLevels,
  errorOverAssignments,
} from '../../src/item-sets/estimation-error.ts';
import { levelHistograms } from '../../src/item-sets/level-histograms.ts';
import { randomSets } from '../laws/random-data.ts';

describe('the expected error', () => {
  it('over assignments is the average over all of them', () => {
    const [users, domain] = [6, 4];
    const rates = [0.3, 0.8, 1];
    const data = randomSets('assignments', users, domain, 2, [1]);
    let sum = 0;
    let assignments = 0;
    for (let code = 0; code < 3 ** users; code++) {
      const levelOf = Uint8Array.from({ length: users }, (_, u) => Math.floor(code / 3 ** u) % 3);
      const histograms = levelHistograms({ ...data, levelOf }, 3);
      if (histograms.users[0] !== 3 || histograms.users[1] !== 2) continue;
      sum += errorGivenLevels(data.histogram, users, histograms, rates, 1.7);
      assignments++;
    }
    expect(assignments).toBe(60);
    const formula = errorOverAssignments(data.histogram, users, [3, 2, 1], rates, 1.7);
    expect(formula).toBeCloseTo(sum / assignments, 12);
  });

  it('is the blankets alone where everything is sent', () => {
    const data = randomSets('all sent', 50, 5, 2, [0.5, 0.5]);
    const variance = blanketVariance(50, 5, 1.5, { blankets: 'paper', successProbability: 1, slots: 0 });
    expect(variance).toBeCloseTo(75 * (1 - 0.75 / 5), 12);
    expect(errorGivenLevels(data.histogram, 50, levelHistograms(data, 2), [1, 1], variance)).toBeCloseTo(
      variance / 2500,
      14,
    );
  });

  it('has the Poisson blankets vary as much as their mean, the negative-binomial ones more', () => {
    expect(blanketVariance(50, 5, 1.5, { blankets: 'poisson', successProbability: 1, slots: 0 })).toBe(75);
    expect(
      blanketVariance(50, 5, 1.5, { blankets: 'negative-binomial', successProbability: 0.25, slots: 0 }),
    ).toBe(300);
  });
});
