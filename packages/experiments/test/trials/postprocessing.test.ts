import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { postprocessEstimate } from '../../src/trials/postprocessing.ts';
import { uniform } from '../../../core/test/uniform.ts';

const limits = { low: 0, high: 1, sum: 1 };

it('clips, or leaves alone', () => {
  const estimate = Float64Array.of(-0.1, 0.4, 1.2);
  expect(postprocessEstimate(estimate, 'none', limits)).toBe(estimate);
  expect([...postprocessEstimate(estimate, 'clip', limits)]).toEqual([0, 0.4, 1]);
  expect([...estimate]).toEqual([-0.1, 0.4, 1.2]);
  expect([...postprocessEstimate(estimate, 'clip', { low: -5, high: 0.2 })]).toEqual([-0.1, 0.2, 0.2]);
  const each = { low: [0, 0.5, -1], high: [1, 0.7, 0.9] };
  expect([...postprocessEstimate(estimate, 'clip', each)]).toEqual([0, 0.5, 0.9]);
  const some = { low: 0.3, high: 1, missed: 0 };
  expect([...postprocessEstimate(Float64Array.of(0, -0.1, 0.4), 'clip', some)]).toEqual([0, 0.3, 0.4]);
});

it('projects to the simplex: known points', () => {
  const inside = [0.2, 0.3, 0.5];
  postprocessEstimate(Float64Array.from(inside), 'project-simplex', limits).forEach((x, i) =>
    expect(x).toBeCloseTo(inside[i]!, 15),
  );
  expect([...postprocessEstimate(Float64Array.of(2, 0), 'project-simplex', limits)]).toEqual([1, 0]);
  const shifted = postprocessEstimate(Float64Array.of(0.6, 0.6, -5), 'project-simplex', limits);
  expect([...shifted]).toEqual([0.5, 0.5, 0]);
});

it('the projection has the sum, no negative entry, and no point of the simplex is nearer', () => {
  fc.assert(
    fc.property(
      fc.array(uniform(-3, 3), { minLength: 2, maxLength: 12 }),
      fc.array(uniform(0, 1), { minLength: 12, maxLength: 12 }),
      (values, weights) => {
        const estimate = Float64Array.from(values);
        const projected = postprocessEstimate(estimate, 'project-simplex', { ...limits, sum: 4 });
        expect(projected.reduce((a, b) => a + b, 0)).toBeCloseTo(4, 9);
        expect(Math.min(...projected)).toBeGreaterThanOrEqual(0);
        const total = weights.slice(0, values.length).reduce((a, b) => a + b, 0);
        fc.pre(total > 0.01);
        const other = values.map((_, i) => (4 * weights[i]!) / total);
        const distance = (point: ArrayLike<number>): number =>
          values.reduce((sum, x, i) => sum + (x - point[i]!) ** 2, 0);
        expect(distance(projected)).toBeLessThanOrEqual(distance(other) + 1e-9);
      },
    ),
  );
});
