/**
 * Which numbers of a row are not among its largest in size, found by counting: the order of the others does
 * not matter.
 */
import quickselect from 'quickselect';

/**
 * Sizes are counted in this many equal steps; of a few thousand numbers that lie evenly, a few share a step.
 */
const STEPS = 2048;

/** Finds them in row after row, in room that is made once for rows of this length. */
export function smallestFinder(length: number): (row: Float64Array, kept: number) => Uint32Array {
  const counts = new Uint32Array(STEPS);
  const sizes = new Float64Array(length);
  const sharing = new Float64Array(length);
  const places = new Uint32Array(length);
  return (row, kept) => {
    writeSizes(row, sizes);
    const last = length - kept;
    const threshold = nthSmallest(sizes, last, counts, sharing);
    let count = 0;
    for (let k = 0; k < length; k++) if (sizes[k]! < threshold) places[count++] = k;
    // Equal sizes, which continuous noise makes only at the ends of the range, fill up from the front.
    for (let k = 0; count < last; k++) if (sizes[k] === threshold) places[count++] = k;
    return places.subarray(0, last);
  };
}

function writeSizes(row: Float64Array, sizes: Float64Array): void {
  for (let k = 0; k < row.length; k++) sizes[k] = Math.abs(row[k]!);
}

/** The smallest is the 0th. `counts` and `sharing` are room: for the steps, and for as many numbers again. */
function nthSmallest(sizes: Float64Array, n: number, counts: Uint32Array, sharing: Float64Array): number {
  let largest = 0;
  for (let k = 0; k < sizes.length; k++) if (sizes[k]! > largest) largest = sizes[k]!;
  // Rounding keeps the order of products, so that no step has a number below one of the step before.
  const perStep = (STEPS - 1) / largest;
  // An infinite size, or none but 0, leaves one step for all.
  if (!(perStep > 0 && perStep < Infinity)) {
    sharing.set(sizes);
    return selected(sharing, n);
  }
  counts.fill(0);
  for (let k = 0; k < sizes.length; k++) counts[(sizes[k]! * perStep) | 0]!++;
  let step = 0;
  let below = 0;
  while (below + counts[step]! <= n) below += counts[step++]!;
  let count = 0;
  for (let k = 0; k < sizes.length; k++)
    if (((sizes[k]! * perStep) | 0) === step) sharing[count++] = sizes[k]!;
  return selected(sharing.subarray(0, count), n - below);
}

/** The nth of the numbers, which come into another order. */
function selected(numbers: Float64Array, n: number): number {
  // The library's types know arrays alone; it reads, writes and compares by index.
  quickselect(numbers as unknown as number[], n);
  return numbers[n]!;
}
