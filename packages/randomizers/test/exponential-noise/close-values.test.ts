/** Values that are close to each other: what others hide them by is below the law of every other user. */
import { expect, it } from 'vitest';
import { closePairs } from '../../src/exponential-noise/close-values.ts';

it.each([
  { width: 1, isClipped: true },
  { width: 4, isClipped: true },
  { width: 2, isClipped: false },
])('width $width, clipped: $isClipped: hidden as by a value of the cell, whatever it is', (noise) => {
  const { width, isClipped } = noise;
  const apart = width / 4;
  const total = (value: number): number => (isClipped ? 2 - Math.exp(-value) - Math.exp(value - width) : 2);
  const { blankets } = closePairs(noise, apart);
  blankets.forEach(({ victim0, victim1, others }, i) => {
    const from = (width * i) / blankets.length;
    const to = (width * (i + 1)) / blankets.length;
    const furthest = Math.min(width, to + apart);
    let within = 0;
    others.forEach((hidden, k) => {
      // Between the two values their likelihood ratio tells the output, and the output its mass.
      const ratio = Math.log((victim0[k]! * total(from)) / (victim1[k]! * total(furthest)));
      const output = (from + furthest - ratio) / 2;
      if (!(output > from && output < furthest)) return;
      const mass = victim0[k]! * total(from) * Math.exp(output - from);
      for (const value of [from, (from + to) / 2, to])
        for (let other = 0; other <= width; other += width / 8) {
          const least = Math.exp(-Math.abs(output - value) - Math.abs(value - other)) / total(other);
          if (hidden / mass > least * (1 + 1e-12))
            expect({ hidden: hidden / mass, output, value, other }).toEqual(least);
        }
      if (output < to) within++;
    });
    expect(within).toBeGreaterThan(0);
  });
});
