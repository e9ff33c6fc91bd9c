/** What users hold: of nobody, for those who may not see it, and in words, for the users themselves. */
import { ParameterError } from '@shuffle-dp/core';
import { levelCounts } from '@shuffle-dp/protocols';
import type { DataCell } from '../kinds/data-cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';

/**
 * Data that anyone can make up from what is public of a cell. The analyzer runs its protocol on them as far
 * as the shuffle, where their messages are dropped for those that it has opened.
 *
 * @throws ParameterError for a kind of data that sealed runs do not know
 */
export function dataOfNobody(cell: DataCell): AnyData {
  const { holds, users, domain } = cell;
  const firstOf = (kept: number): Float64Array =>
    Float64Array.from({ length: domain }, (_, item) => (item < kept ? users : 0));
  switch (holds) {
    case 'categories':
      return { kind: holds, users, domain, histogram: firstOf(1), values: new Uint32Array(users) };
    case 'sets': {
      const { items, shares } = cell;
      const rows = Uint16Array.from({ length: users * items }, (_, i) => i % items);
      const levels = levelCounts(users, shares).flatMap((count, level) =>
        Array.from<number>({ length: count }).fill(level),
      );
      const chosen = shares.length > 1 ? { levelOf: Uint8Array.from(levels) } : {};
      return { kind: holds, users, domain, items, rows, histogram: firstOf(items), ...chosen };
    }
    case 'numbers':
      return { kind: holds, users, values: new Float64Array(users).fill(cell.range.low) };
    case 'key-values': {
      const { items, range } = cell;
      const pairs = users * items;
      const holders = firstOf(items);
      return {
        kind: holds,
        users,
        domain,
        items,
        histogram: holders,
        sums: holders.map((count) => count * range.low),
        squares: holders.map((count) => count * range.low ** 2),
        pairs: {
          keys: Uint32Array.from({ length: pairs }, (_, i) => i % items),
          values: new Float64Array(pairs).fill(range.low),
        },
      };
    }
    case 'vectors': {
      const vector = vectorInRange(domain, cell.range);
      const values = Float64Array.from({ length: users * domain }, (_, i) => vector[i % domain]!);
      return { kind: holds, users, dimensions: domain, values };
    }
    case 'places':
      return {
        kind: holds,
        users,
        x: new Float64Array(users).fill(cell.grid.region.x.low),
        y: new Float64Array(users).fill(cell.grid.region.y.low),
      };
    case 'identifiers':
      throw new ParameterError('data', holds, 'of a kind whose estimates have places known beforehand');
    default:
      throw new ParameterError('data', holds satisfies never, 'of a kind that sealed runs know');
  }
}

/**
 * Of length one where the range has such a vector along an axis or the diagonal, as protocols of directions
 * need.
 */
function vectorInRange(
  dimensions: number,
  { low, high }: { readonly low: number; readonly high: number },
): Float64Array {
  const axis = new Float64Array(dimensions);
  axis[0] = 1;
  const candidates = [axis, new Float64Array(dimensions).fill(1 / Math.sqrt(dimensions))];
  const inRange = candidates.find((vector) => vector.every((value) => value >= low && value <= high));
  return inRange ?? new Float64Array(dimensions).fill(low);
}

/** What a user holds, as the user would say it. */
export function heldBy(data: AnyData, user: number): string {
  const own = <Values extends { readonly length: number; subarray(from: number, to: number): Values }>(
    values: Values,
    each: number,
  ): Values => values.subarray(user * each, (user + 1) * each);
  switch (data.kind) {
    case 'categories':
      return `category ${data.values![user]}`;
    case 'sets':
      return `items ${own(data.rows!, data.items).join(' ')}${data.levelOf ? `, level ${data.levelOf[user]}` : ''}`;
    case 'numbers':
      return `number ${data.values![user]}`;
    case 'key-values': {
      const values = own(data.pairs!.values, data.items);
      return Array.from(own(data.pairs!.keys, data.items), (key, i) => `${key}: ${values[i]}`).join(', ');
    }
    case 'identifiers':
      return `identifier ${data.values![user]}`;
    case 'places':
      return `place ${data.x[user]}, ${data.y[user]}`;
    case 'vectors':
      return `vector ${Float64Array.from(own(data.values, data.dimensions)).join(' ')}`;
  }
}
