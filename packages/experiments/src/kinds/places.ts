/** One place a user: the fraction of the users in each cell of a grid, or the mean place. */
import { createPlaceProtocol, gridHistogram, meanPlace } from '@shuffle-dp/protocols';
import { middleOfCell } from '@shuffle-dp/randomizers';
import type { PlaceGrid } from '../data/sources/place-source.ts';
import { shortNumber } from '../words/short-number.ts';
import { nobodyStaysAway } from './attendance.ts';
import type { DataKind } from './data-kind.ts';

export const PLACES: DataKind<'places'> = {
  holds: 'places',
  draw: (source, { users }, stream) => source.draw(users, stream),
  truthOf(data, { measure, data: { grid } }) {
    if (measure === 'mean') return { empirical: meanPlace(data), population: data.population };
    const counts = gridHistogram(data, grid.region, grid.side);
    return { empirical: counts.map((count) => count / data.users) };
  },
  namesOf: ({ grid }, measure) =>
    measure === 'mean'
      ? ['x', 'y'].map((name) => (grid.unit === undefined ? name : `${name} (${grid.unit})`))
      : Array.from({ length: grid.side ** 2 }, (_, cell) => nameOfCell(grid, cell)),
  limitsOf({ measure, data: { grid } }) {
    if (measure !== 'mean') return { low: 0, high: 1, sum: 1 };
    const { x, y } = grid.region;
    return { low: [x.low, y.low], high: [x.high, y.high] };
  },
  bytesOf: ({ x, y }) => x.byteLength + y.byteLength,
  attending: () => nobodyStaysAway('places'),
  protocolOf({ spec, data, delta, epsilon, measure }) {
    const { users, grid } = data;
    return createPlaceProtocol(spec, {
      users,
      region: grid.region,
      side: grid.side,
      measure: measure === 'mean' ? 'mean' : 'frequencies',
      delta,
      epsilon,
    });
  },
};

/** 'x 0.5, y 1.5 km', the middle of the cell. */
function nameOfCell({ region, side, unit }: PlaceGrid, cell: number): string {
  const { x, y } = middleOfCell(region, side, cell);
  return `x ${shortNumber(x)}, y ${shortNumber(y)}${unit === undefined ? '' : ` ${unit}`}`;
}
