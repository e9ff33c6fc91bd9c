import { expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { duchiMechanism } from '@shuffle-dp/randomizers';

test.each([
  [1000, 1000.1],
  [0.1, 0.3],
  [-1, 2],
])('Duchi: no probability leaves [0, 1] at a large budget on [%d, %d]', (low, high) => {
  const mechanism = duchiMechanism({ epsilon0: 60, inputRange: { low, high } });
  for (const input of [low, high]) {
    const likely = mechanism.density(mechanism.outputs.high, input);
    expect(likely).toBeGreaterThanOrEqual(0);
    expect(likely).toBeLessThanOrEqual(1);
    const sum = mechanism.sampleSum!(input, 10, RandomStream.fromSeed('ends'));
    expect(sum / 10).toBeCloseTo(input, 9);
  }
});
