// @module-tag long
/** Types of arcs against all functions of circles of more points than the ordinary test lists. */
import { expect, test } from 'vitest';
import { leastAllowance } from './arc-densities.ts';

test.each([
  [13, 2],
  [14, 2],
])('types allow for what densities on a circle of %d points, arcs of %d, are', (points, arc) => {
  expect(leastAllowance(points, arc)).toBeGreaterThan(-1e-12);
});
