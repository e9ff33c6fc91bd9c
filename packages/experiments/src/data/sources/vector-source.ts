/** Sources of one vector per user. */
import { sampleGaussian, type RandomStream } from '@shuffle-dp/core';
import { averageVector, type VectorData } from '@shuffle-dp/protocols';
import { counted } from '../../words/counted.ts';
import type { NumberTable } from '../csv/csv-vectors.ts';
import type { NumberRange } from './number-source.ts';
import { chosenUsers, countOutside, GENERATED, type SourceUsers, withOutside } from './source-users.ts';

export interface VectorSource extends SourceUsers {
  readonly holds: 'vectors';
  /** Dimensions of the vectors. */
  readonly domain: number;
  /** Of every coordinate. */
  readonly range: NumberRange;
  /** One random data set. @throws RangeError for more users than the file has */
  draw(users: number, stream: RandomStream): VectorData;
}

/**
 * Directions: normal vectors around one of length `concentration` along the first coordinates, the i-th
 * weighing 1 / (i + 1), cut to unit length.
 */
export function syntheticDirections(dimensions: number, concentration: number): VectorSource {
  const centre = Float64Array.from({ length: dimensions }, (_, j) => 1 / (j + 1));
  const length = Math.hypot(...centre);
  return {
    holds: 'vectors',
    domain: dimensions,
    range: { low: -1, high: 1 },
    ...GENERATED,
    draw(users, stream) {
      const values = new Float64Array(users * dimensions);
      const own = stream.fork('values');
      for (let u = 0; u < users; u++) {
        let square = 0;
        for (let j = 0; j < dimensions; j++) {
          const value = (concentration * centre[j]!) / length + sampleGaussian(own) / Math.sqrt(dimensions);
          values[u * dimensions + j] = value;
          square += value * value;
        }
        const scale = 1 / Math.sqrt(square);
        for (let j = u * dimensions; j < (u + 1) * dimensions; j++) values[j]! *= scale;
      }
      return { kind: 'vectors', users, dimensions, values };
    },
  };
}

/**
 * The users of a file: all of them in order, or a uniform subset. Coordinates outside the range are moved to
 * its ends.
 */
export function fileVectors(
  { values: read, width, names, notices, skipped }: NumberTable,
  { low, high, unit }: NumberRange,
): VectorSource {
  const available = read.length / width;
  const outside = countOutside(read, { low, high });
  const told = `${counted(outside, 'coordinate')} outside ${low} to ${high}: counted as the nearer end, also in the true values`;
  const values = read.map((value) => Math.min(high, Math.max(low, value)));
  const all: VectorData = { kind: 'vectors', users: available, dimensions: width, values };
  const population = averageVector(all);
  return {
    holds: 'vectors',
    domain: width,
    range: { low, high, unit },
    available,
    ...(names === null ? {} : { names }),
    notices: withOutside(notices, outside, told),
    skipped,
    draw(users, stream) {
      const who = chosenUsers(users, available, stream);
      if (who === null) return { ...all, population };
      const chosen = new Float64Array(users * width);
      who.forEach((user, u) => chosen.set(values.subarray(user * width, (user + 1) * width), u * width));
      return { kind: 'vectors', users, dimensions: width, values: chosen, population };
    },
  };
}
