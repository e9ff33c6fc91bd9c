/** A search for the sharp bound ends where it has taken what it may, with a bound or with none. */
import { wheel } from '@shuffle-dp/randomizers';
import { expect, it } from 'vitest';
import { Allowance, SHARP_SINES } from '../../../src/allowance.ts';
import { certifiedEpsilon } from '../../../src/one-round.ts';
import { sharpEpsilon } from '../../../src/sharp/sharp-epsilon.ts';

const profile = wheel({ epsilon0: 2, items: 4, domain: 16, length: 0.0625 }).amplification();

function searched(users: number, delta: number, most: number) {
  const range = certifiedEpsilon(profile, users, delta);
  const work = new Allowance(most);
  const { value, parameters } = sharpEpsilon(profile.typed!, users, delta, { ...range, work });
  return { range, value, parameters, sines: work.sines };
}

/** What one step takes that has begun, at most. */
const STEP = 15e6;

it.each([
  { most: 0, finds: false },
  { most: SHARP_SINES, finds: true },
])('ends after about $most sines among few users, where every epsilon needs a search', ({ most, finds }) => {
  const { range, value, parameters, sines } = searched(1000, 1e-9, most);
  expect(sines).toBeLessThan(most + STEP);
  expect(value).toBeGreaterThan(range.lower);
  if (finds) expect(value).toBeLessThan(0.95 * range.upper);
  else expect([value, parameters]).toEqual([range.upper, null]);
});

it('takes a fifth of what it may among many users', () => {
  const { range, value, sines } = searched(10_000, 1e-6, SHARP_SINES);
  expect(value).toBeLessThan(range.upper);
  expect(sines).toBeGreaterThan(1e5);
  expect(sines).toBeLessThan(SHARP_SINES / 5);
});
