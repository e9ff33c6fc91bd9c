/**
 * About the law of a buffer's draw, of fewer draws: at each lattice point gains next to each other are put
 * together, with their mean. For estimates, never for a bound.
 */
import { onceEachObject } from '@shuffle-dp/core';
import { ofDraws, type BufferLaw } from '../buffer/buffer.ts';

/** Of fewer draws all are kept. */
const MANY_DRAWS = 1024;
/** Of one lattice point: as many stretches of gains as wide as each other. */
const MOST_GAINS = 32;

export const fewerDraws = onceEachObject((law: BufferLaw): BufferLaw => {
  const { gains, points, probabilities, smallestPoint, largestPoint } = law;
  if (gains.length <= MANY_DRAWS) return law;
  const count = largestPoint - smallestPoint + 1;
  const [least, most] = [new Float64Array(count).fill(Infinity), new Float64Array(count).fill(-Infinity)];
  for (let i = 0; i < gains.length; i++) {
    const place = points[i]! - smallestPoint;
    least[place] = Math.min(least[place]!, gains[i]!);
    most[place] = Math.max(most[place]!, gains[i]!);
  }
  const [masses, sums] = [new Float64Array(count * MOST_GAINS), new Float64Array(count * MOST_GAINS)];
  for (let i = 0; i < gains.length; i++) {
    const place = points[i]! - smallestPoint;
    const width = most[place]! - least[place]!;
    const share = width > 0 ? (gains[i]! - least[place]!) / width : 0;
    const cell = place * MOST_GAINS + Math.min(MOST_GAINS - 1, Math.floor(share * MOST_GAINS));
    masses[cell]! += probabilities[i]!;
    sums[cell]! += probabilities[i]! * gains[i]!;
  }
  const cells = Int32Array.from(masses.keys()).filter((cell) => masses[cell]! > 0);
  return ofDraws(law, {
    probabilities: Float64Array.from(cells, (cell) => masses[cell]!),
    gains: Float64Array.from(cells, (cell) => sums[cell]! / masses[cell]!),
    points: cells.map((cell) => smallestPoint + Math.floor(cell / MOST_GAINS)),
  });
});
