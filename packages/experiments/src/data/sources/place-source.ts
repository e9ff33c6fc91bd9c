/** Sources of one place of the plane per user. */
import { sampleGaussian, type RandomStream } from '@shuffle-dp/core';
import { meanPlace, type PlaceData } from '@shuffle-dp/protocols';
import type { PlaneRegion } from '@shuffle-dp/randomizers';
import { counted } from '../../words/counted.ts';
import type { PlaceColumns } from '../csv/csv-numbers.ts';
import { chosenUsers, GENERATED, type SourceUsers, withOutside } from './source-users.ts';

/** The public region of the places, and the grid that it is cut into. */
export interface PlaceGrid {
  readonly region: PlaneRegion;
  /** Cells along each side. */
  readonly side: number;
  readonly unit?: string | undefined;
}

export interface PlaceSource extends SourceUsers {
  readonly holds: 'places';
  /** Cells of the grid. */
  readonly domain: number;
  readonly grid: PlaceGrid;
  /** One random data set. @throws RangeError for more users than the file has */
  draw(users: number, stream: RandomStream): PlaceData;
}

export interface PlaceFields {
  readonly width: number;
  readonly height: number;
  readonly unit?: string | undefined;
  readonly grid: number;
}

/** Middles of the clusters, as fractions of the sides, and the shares of the users. */
const CLUSTERS = [
  { x: 0.35, y: 0.4, share: 0.5 },
  { x: 0.7, y: 0.65, share: 0.3 },
  { x: 0.2, y: 0.85, share: 0.2 },
];

/** @param spread standard deviation of a cluster along each side, as a fraction of the shorter one */
export function syntheticPlaces({
  width,
  height,
  unit,
  grid,
  spread,
}: PlaceFields & { readonly spread: number }): PlaceSource {
  const region = { x: { low: 0, high: width }, y: { low: 0, high: height } };
  const deviation = spread * Math.min(width, height);
  return {
    holds: 'places',
    domain: grid * grid,
    grid: { region, side: grid, unit },
    ...GENERATED,
    draw(users, stream) {
      const x = new Float64Array(users);
      const y = new Float64Array(users);
      const own = stream.fork('values');
      for (let u = 0; u < users; u++) {
        let choice = own.next();
        const cluster = CLUSTERS.find(({ share }) => (choice -= share) < 0) ?? CLUSTERS[0]!;
        x[u] = within(cluster.x * width + deviation * sampleGaussian(own), width);
        y[u] = within(cluster.y * height + deviation * sampleGaussian(own), height);
      }
      return { kind: 'places', users, x, y };
    },
  };
}

function within(value: number, length: number): number {
  return Math.min(length, Math.max(0, value));
}

/**
 * The users of a file: all of them in order, or a uniform subset. The truth is of the places as they stand
 * there.
 */
export function filePlaces({ x, y, notices, skipped }: PlaceColumns, grid: PlaceGrid): PlaceSource {
  const available = x.length;
  const { region, side } = grid;
  const isOutside = (
    value: number,
    { low, high }: { readonly low: number; readonly high: number },
  ): boolean => value < low || value > high;
  const outside = x.reduce(
    (sum, value, u) => sum + (isOutside(value, region.x) || isOutside(y[u]!, region.y) ? 1 : 0),
    0,
  );
  const told = `${counted(outside, 'place')} of ${available} outside the region: counted at its edge, which biases a mean`;
  const all: PlaceData = { kind: 'places', users: available, x, y };
  const population = meanPlace(all);
  return {
    holds: 'places',
    domain: side * side,
    grid,
    available,
    notices: withOutside(notices, outside, told),
    skipped,
    draw(users, stream) {
      const who = chosenUsers(users, available, stream);
      if (who === null) return { ...all, population };
      return {
        kind: 'places',
        users,
        x: Float64Array.from(who, (user) => x[user]!),
        y: Float64Array.from(who, (user) => y[user]!),
        population,
      };
    },
  };
}
