/** What is drawn of a curve of which some points are sharp. */
import { expect, it } from 'vitest';
import type { CurvePoint } from '../../src/account/contract.ts';
import { gainingValues, withSharp } from '../../src/account/sharp-points.ts';

const XS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** A curve whose logarithm bends down, as that of delta over users. */
const points = (xs: readonly number[], loosened: number): CurvePoint[] =>
  xs.map((x) => ({
    x,
    bracket: { lower: 0.9 * Math.exp(-x * x), upper: loosened * Math.exp(-x * x) },
    bounds: [],
  }));

it('has an upper edge that is nowhere below what is certified, and a lower one nowhere above', () => {
  const loose = points(XS, 1.2);
  const drawn = withSharp(loose, points([9, 1, 5], 1));
  expect(drawn.map(({ x }) => x)).toEqual(XS);
  drawn.forEach(({ bracket }, i) => {
    expect(bracket.upper).toBe(
      [0, 4, 8].includes(i) ? points([XS[i]!], 1)[0]!.bracket.upper : loose[i]!.bracket.upper,
    );
    expect(bracket.lower).toBeLessThanOrEqual(loose[i]!.bracket.lower);
  });
});

it('is sharpened where a neighbour has gained by it, in its upper end or its lower one', () => {
  const sharp = points([1, 5, 9], 1);
  expect(gainingValues(points(XS, 1), sharp)).toEqual([]);
  expect(gainingValues(points(XS, 1.2), sharp)).toEqual([2, 3, 4, 6, 7, 8]);
  const [first, ...others] = points(XS, 1);
  const without = { ...first!, bracket: { lower: 0, upper: first!.bracket.upper } };
  expect(gainingValues([without, ...others], sharp)).toEqual([2, 3, 4]);
});
