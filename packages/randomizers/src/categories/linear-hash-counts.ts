/**
 * How many messages of a linear hash family support each value: three ways, the cheapest chosen by its cost.
 */
import { innerProduct } from './field-vectors.ts';

export interface Family {
  /** Elements of the field. */
  readonly range: number;
  /** Number of functions, range^digits. */
  readonly size: number;
  readonly digits: number;
  /** The values' vectors as numbers to the base `range`. */
  readonly points: Uint32Array;
}

interface HashMessages {
  readonly seeds: Uint32Array;
  readonly buckets: Uint16Array;
  readonly count: number;
}

/** Cells of 4 bytes: beyond, messages are compared with values one by one. */
const LARGEST_TABLE = 2 ** 26;

/** table[s * range + b] is the number of messages of function s and bucket b. */
type MessageTable = Int32Array | Float64Array;

export function linearSupportCounts(family: Family, messages: HashMessages): Float64Array {
  const { range, size, digits, points } = family;
  // Rough times in nanoseconds, as the two below.
  const direct = 15 * digits * points.length * messages.count;
  if (size * range > LARGEST_TABLE || direct < Math.min(timeByFunctions(family), timeByTransform(family))) {
    return countDirectly(family, messages);
  }
  return tableSupportCounts(family, countMessages(family, messages));
}

/** The same from the numbers of messages; the table may be used for sums. */
export function tableSupportCounts(family: Family, table: MessageTable): Float64Array {
  return timeByFunctions(family) < timeByTransform(family)
    ? sumByFunctions(family, table)
    : sumByTransform(family, table);
}

function timeByFunctions({ points, size }: Family): number {
  return 2.5 * points.length * size;
}

function timeByTransform({ digits, range, size }: Family): number {
  return 1.5 * digits * range * range * size;
}

function countMessages({ range, size }: Family, messages: HashMessages): Int32Array {
  const table = new Int32Array(size * range);
  for (let start = 0; start < messages.count; start += BLOCK)
    countBlock(messages, start, Math.min(messages.count, start + BLOCK), range, table);
  return table;
}

function countDirectly({ range, points }: Family, { seeds, buckets, count }: HashMessages): Float64Array {
  const counts = new Float64Array(points.length);
  for (let i = 0; i < count; i++)
    for (let v = 0; v < points.length; v++)
      if (innerProduct(seeds[i]!, points[v]!, range) === buckets[i]) counts[v]!++;
  return counts;
}

/** Value by value, one look per function. */
function sumByFunctions({ range, size, digits, points }: Family, table: MessageTable): Float64Array {
  const coordinates = new Uint16Array(digits);
  return Float64Array.from(points, (point) => {
    for (let i = 0, rest = point; i < digits; i++, rest = Math.floor(rest / range))
      coordinates[i] = rest % range;
    return sumOverSeeds(table, coordinates, range, size);
  });
}

/**
 * Sum of table[s * range + <s, g>] over all s, walking the seeds like an odometer so that no product is
 * recomputed.
 */
function sumOverSeeds(table: MessageTable, point: Uint16Array, range: number, size: number): number {
  const reading = new Uint16Array(point.length);
  let bucket = 0;
  let sum = 0;
  for (let seed = 0; ;) {
    sum += table[seed * range + bucket]!;
    if (++seed === size) return sum;
    for (let digit = 0; ; digit++) {
      bucket += point[digit]!;
      if (bucket >= range) bucket -= range;
      reading[digit] = reading[digit]! + 1;
      if (reading[digit]! < range) break;
      // range times a coordinate is zero in the field, so the bucket is already right for a digit back at
      // zero.
      reading[digit] = 0;
    }
  }
}

/**
 * The sums over s of the cells of s and <s, g>, for all vectors g at once. Digit by digit, table[.. s_i ..,
 * b] becomes table[.. g_i .., b] = sum over s_i of table[.. s_i .., b + s_i g_i]: as a fast Fourier
 * transform, but in whole numbers.
 */
function sumByTransform({ range, digits, points }: Family, table: MessageTable): Float64Array {
  const column =
    table instanceof Int32Array ? new Int32Array(range * range) : new Float64Array(range * range);
  for (let digit = 0, stride = range; digit < digits; digit++, stride *= range)
    for (let block = 0; block < table.length; block += stride * range)
      for (let start = block; start < block + stride; start += range)
        transformDigit(table, start, stride, range, column);
  return Float64Array.from(points, (point) => table[point * range]!);
}

const BLOCK = 8192;

function countBlock(
  { seeds, buckets }: HashMessages,
  start: number,
  end: number,
  range: number,
  table: Int32Array,
): void {
  for (let i = start; i < end; i++) {
    const cell = Math.imul(seeds[i]!, range) + buckets[i]!;
    table[cell] = (table[cell]! + 1) | 0;
  }
}

/** The cells of one digit's `range` values stand `stride` apart, each with its buckets side by side. */
function transformDigit(
  table: MessageTable,
  start: number,
  stride: number,
  range: number,
  column: MessageTable,
): void {
  for (let s = 0, place = 0; s < range; s++)
    for (let b = 0; b < range; b++) column[place++] = table[start + s * stride + b]!;
  for (let g = 0; g < range; g++) {
    for (let b = 0; b < range; b++) {
      let sum = 0;
      for (let s = 0, shifted = b; s < range; s++) {
        sum += column[s * range + shifted]!;
        shifted += g;
        if (shifted >= range) shifted -= range;
      }
      table[start + g * stride + b] = sum;
    }
  }
}
