/** Points around centres, for the tests of what is learnt without labels. */
import { RandomStream, sampleGaussian } from '@shuffle-dp/core';
import { gridPoints, type GridPoints } from '../../src/grids/grid-points.ts';

/** `perCentre` users around each centre, then `outliers` users anywhere in the unit cube. */
export function blobs(
  centres: readonly (readonly number[])[],
  perCentre: number,
  outliers: number,
  seed: string,
): GridPoints {
  const stream = RandomStream.fromSeed(seed);
  const dimensions = centres[0]!.length;
  const near = centres.flatMap((centre) =>
    Array.from({ length: perCentre }, () => centre.map((x) => x + 0.03 * sampleGaussian(stream))),
  );
  const far = Array.from({ length: outliers }, () => centres[0]!.map(() => stream.next()));
  return gridPoints([...near, ...far].flat(), dimensions, { low: 0, high: 1 }, 16);
}
