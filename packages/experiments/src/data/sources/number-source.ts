/** Sources of one number per user. */
import { compensatedSum, type RandomStream, type SimulationPath } from '@shuffle-dp/core';
import type { NumberData } from '@shuffle-dp/protocols';
import { counted } from '../../words/counted.ts';
import type { NumberColumn } from '../csv/csv-numbers.ts';
import { itemProbabilities, type ItemShape } from '../item-weights.ts';
import { drawListed } from './listed-values.ts';
import { chosenUsers, countOutside, GENERATED, type SourceUsers, withOutside } from './source-users.ts';

/** The public range of the numbers, with its unit. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  readonly unit?: string | undefined;
}

export interface NumberSource extends SourceUsers {
  readonly holds: 'numbers';
  /** Quantities that are estimated: one. */
  readonly domain: 1;
  readonly range: NumberRange;
  /**
   * One random data set. For the aggregated path a generator draws how many users hold each number, at a cost
   * that does not grow with them. @throws RangeError for more users than the file has
   */
  draw(users: number, path: SimulationPath, stream: RandomStream): NumberData;
}

/** @param points different numbers, equally spaced over the range, ends included */
export function syntheticNumbers(
  shape: ItemShape,
  { low, high, unit, points: count }: NumberRange & { readonly points: number },
): NumberSource {
  const weights = itemProbabilities(shape, count);
  const points = Float64Array.from(weights, (_, i) => low + ((high - low) * i) / (count - 1));
  const population = Float64Array.of(compensatedSum(points.map((point, i) => point * weights[i]!)));
  const drawn = drawListed(points, weights);
  return {
    holds: 'numbers',
    domain: 1,
    range: { low, high, unit },
    ...GENERATED,
    draw(users, path, stream) {
      const { holders, ...held } = drawn(users, path, stream.fork('values'));
      return { kind: 'numbers', users, counts: { points, holders }, population, ...held };
    },
  };
}

/**
 * The users of a file: all of them in order, or a uniform subset. The truth is of the numbers as they stand
 * there.
 */
export function fileNumbers(
  { values, notices, skipped }: NumberColumn,
  { low, high, unit }: NumberRange,
): NumberSource {
  const available = values.length;
  const outside = countOutside(values, { low, high });
  const told = `${counted(outside, 'number')} of ${available} outside ${low} to ${high}: counted as the nearer end, which biases the estimates`;
  const population = Float64Array.of(compensatedSum(values) / available);
  return {
    holds: 'numbers',
    domain: 1,
    range: { low, high, unit },
    available,
    notices: withOutside(notices, outside, told),
    skipped,
    draw(users, _path, stream) {
      const who = chosenUsers(users, available, stream);
      const chosen = who === null ? values : Float64Array.from(who, (user) => values[user]!);
      return { kind: 'numbers', users, values: chosen, population };
    },
  };
}
