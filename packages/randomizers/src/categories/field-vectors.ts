/**
 * Vectors over a prime field, written as numbers to the base of its size: the first coordinate is the last
 * digit.
 */

/** <a, b> over the field of `range` elements, of vectors written as numbers to this base. */
export function innerProduct(a: number, b: number, range: number): number {
  let sum = 0;
  for (let [x, y] = [a, b]; x > 0 && y > 0;) {
    const nextX = Math.floor(x / range);
    const nextY = Math.floor(y / range);
    sum += (x - nextX * range) * (y - nextY * range);
    x = nextX;
    y = nextY;
  }
  return sum % range;
}

/** The first `domain` numbers that begin with the digit 1: no two of these vectors are parallel. */
export function normalisedVectors(domain: number, range: number): Uint32Array {
  const vectors = new Uint32Array(domain);
  let made = 0;
  for (let power = 1; made < domain; power *= range)
    for (let below = 0; below < power && made < domain; below++) vectors[made++] = power + below;
  return vectors;
}
