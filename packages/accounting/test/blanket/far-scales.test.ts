/** Divergences near the end of the doubles, of sums that are large and rarer than any double. */
import { expect, test } from 'vitest';
import { blanketDivergence } from '@shuffle-dp/accounting';
import type { LikelihoodAtoms } from '@shuffle-dp/core';

const SHARE = 1 / 760;
const USERS = 1000;
const LOG_FACTORIAL = [0];
for (let i = 1; i <= USERS; i++) LOG_FACTORIAL.push(LOG_FACTORIAL[i - 1]! + Math.log(i));

/** A bit of the victim's two inputs each, set by the others with a probability of `flip`. */
function twoBits(flip: number): LikelihoodAtoms {
  return {
    label: 'two bits',
    victim0: Float64Array.of(1 - SHARE, SHARE, flip),
    victim1: Float64Array.of(1 - SHARE, flip, SHARE),
    others: Float64Array.of(1 - SHARE, flip, flip),
    silent: SHARE,
    symmetric: true,
  };
}

/**
 * log of the divergence: a messages of the first bit, b silent ones, and no other bit, which outweighs all.
 */
function exactLog(flip: number, users: number, epsilon: number): number {
  const gain = (SHARE - Math.exp(epsilon) * flip) / flip;
  const loss = Math.expm1(epsilon);
  let scale = -Infinity;
  let total = 0;
  for (let a = 1; a <= 20; a++) {
    for (let b = 0; b <= users - a; b++) {
      const plain = users - a - b;
      const sum = a * gain - plain * loss;
      if (sum <= 0) continue;
      const ways = LOG_FACTORIAL[users]! - LOG_FACTORIAL[a]! - LOG_FACTORIAL[b]! - LOG_FACTORIAL[plain]!;
      const mass = a * Math.log(flip) + b * Math.log(SHARE) + plain * Math.log1p(-SHARE);
      const log = ways + mass + Math.log(sum);
      total = total * Math.exp(Math.min(0, scale - log)) + Math.exp(Math.min(0, log - scale));
      scale = Math.max(scale, log);
    }
  }
  return scale + Math.log(total / users);
}

test('scales below the doubles do not take the divergence with them', () => {
  let narrow = 0;
  for (const flip of [1.6e-38, 2e-38]) {
    // From here on nine of the first bit outweigh the plain messages, and ever less so.
    const last = Math.log((9 * SHARE) / flip / USERS);
    for (let step = 1; step <= 12; step++) {
      const epsilon = last - 0.002 * step;
      const log = exactLog(flip, USERS, epsilon);
      const { lower, upper } = blanketDivergence(twoBits(flip), USERS, epsilon);
      expect(Math.log(upper), `${flip} ${epsilon}`).toBeGreaterThanOrEqual(log - 1e-9);
      if (lower > 0) expect(Math.log(lower), `${flip} ${epsilon}`).toBeLessThanOrEqual(log + 1e-9);
      if (log < -650 && log > -700 && upper < 1.01 * lower) narrow++;
    }
  }
  expect(narrow).toBeGreaterThan(10);
});

test('a cell whose losses leave the doubles is not left out of the upper end', () => {
  // Of what only the victim shows, half a cell has no loss at all, and the other half one of e^300 1e180.
  const [mass, gain] = [1e-180, 1e-10];
  const cells: LikelihoodAtoms = {
    label: 'one cell and the rest',
    victim0: Float64Array.of(1 - gain, gain),
    victim1: Float64Array.of(0.5, 0.5),
    others: Float64Array.of(1 - mass, mass),
    cellEnds: {
      ratio0Start: Float64Array.of(1, (2 * gain) / mass),
      ratio0End: Float64Array.of(1, 0),
      ratio1Start: Float64Array.of(0.5, 0),
      ratio1End: Float64Array.of(0.5, 1 / mass),
    },
    symmetric: true,
  };
  for (const users of [2, 1000]) {
    expect(blanketDivergence(cells, users, 300).upper).toBeGreaterThanOrEqual(gain * (1 - 1e-9));
  }
});
