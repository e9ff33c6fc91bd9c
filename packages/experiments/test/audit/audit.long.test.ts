// @module-tag long
/** How often audits of a correct program are right. */
import { expect, it } from 'vitest';
import { consistentAudits } from './audits.ts';

it('a correct program stays consistent at confidence 0.95 in at least 186 of 200 audits', async () => {
  expect(await consistentAudits(200)).toBeGreaterThanOrEqual(186);
});
