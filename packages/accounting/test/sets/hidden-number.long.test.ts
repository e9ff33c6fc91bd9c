// @module-tag long
import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { hiddenNumberDivergence } from '../../src/sets/hidden-number.ts';
import { slotSetDivergenceLower } from '../../src/sets/slot-set-divergence.ts';

it('the number hidden by others: above what a data set shows, anywhere', () => {
  let said = 0;
  fc.assert(
    fc.property(
      fc.record({
        domain: fc.integer({ min: 2, max: 300 }),
        users: fc.integer({ min: 10, max: 100_000 }),
        slotsPerUser: fc.integer({ min: 1, max: 6 }),
        full: fc.constantFrom(1, 1, 0.9999, 0.99),
        rate: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        share: fc.double({ min: 0.05, max: 1, noNaN: true }),
        otherRate: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        logDelta: fc.double({ min: -60, max: -3, noNaN: true }),
        size: fc.integer({ min: 1, max: 12 }),
        near: fc.double({ min: 0.3, max: 3, noNaN: true }),
      }),
      ({ domain, users, slotsPerUser, full, rate, share, otherRate, logDelta, size, near }) => {
        const itemsChanged = Math.min(size, Math.floor(domain / 2));
        const slots = users * slotsPerUser;
        const delta = Math.exp(logDelta);
        const pair = {
          slots,
          domain,
          slotProbability: full,
          rate,
          itemsChanged,
          others: { users: Math.floor(share * (users - 1)), items: itemsChanged, rate: otherRate },
        };
        // About where normal losses of all items have the delta.
        const deviation = rate * Math.sqrt((2 * itemsChanged * domain) / slots);
        const epsilon = Math.min(20, near * deviation * Math.sqrt(-2 * logDelta));
        const upper = hiddenNumberDivergence(pair, { delta });
        const lower = slotSetDivergenceLower(pair, { delta });
        if (!upper) return;
        for (const at of [epsilon, epsilon * 1.1]) expect(lower(at)).toBeLessThanOrEqual(upper(at));
        if (upper(epsilon) < 1) said++;
      },
    ),
    { numRuns: 400, seed: 20261129 },
  );
  expect(said).toBeGreaterThan(200);
});
