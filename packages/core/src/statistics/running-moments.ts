/**
 * Mean and variance of values that arrive in any order and in any number of parts, with the same bits every
 * time: the sums of x and of x^2 are kept exactly. Holds for magnitudes from 1e-140 to 1e140 (and zero),
 * beyond which products under- or overflow.
 */
import { ExactSum } from './exact-sum.ts';
import { exactProduct } from '../numeric/double-double.ts';

/**
 * Number, mean and variance of values that come one by one, with the same bits in whatever order they come.
 *
 * @example [1, 2, 3].reduce((all, x) => (all.add(x), all), new RunningMoments()).variance // 1
 */
export class RunningMoments {
  #count = 0;
  readonly #sum = new ExactSum();
  readonly #squares = new ExactSum();

  add(value: number): void {
    this.#count++;
    this.#sum.add(value);
    const square = exactProduct(value, value);
    this.#squares.add(square.high);
    if (square.low !== 0) this.#squares.add(square.low);
  }

  /** Takes in another's values; the other is left as it was. */
  merge(other: RunningMoments): void {
    this.#count += other.#count;
    this.#sum.merge(other.#sum);
    this.#squares.merge(other.#squares);
  }

  get count(): number {
    return this.#count;
  }

  /** NaN for no values. */
  get mean(): number {
    return this.#count === 0 ? Number.NaN : this.#sum.value / this.#count;
  }

  /** The unbiased sample variance; 0 for fewer than two values. */
  get variance(): number {
    if (this.#count < 2) return 0;
    // sum (x - m)^2 - (sum x - n m)^2 / n for the rounded mean m. Both parts are exact before their only
    // rounding; the plain sum of squares - sum * m would lose (m / deviation)^2.
    const n = this.#count;
    const mean = this.mean;
    const square = exactProduct(mean, mean);
    const around = new ExactSum();
    around.merge(this.#squares);
    addProduct(around, n, square.high);
    addProduct(around, n, square.low);
    for (const part of this.#sum.parts()) addProduct(around, -2 * mean, part);
    const offset = new ExactSum();
    offset.merge(this.#sum);
    addProduct(offset, -n, mean);
    const shift = offset.value;
    return Math.max(0, (around.value - (shift * shift) / n) / (n - 1));
  }

  /** Standard error of the mean. */
  get standardError(): number {
    return this.#count === 0 ? Number.NaN : Math.sqrt(this.variance / this.#count);
  }
}

function addProduct(sum: ExactSum, a: number, b: number): void {
  const { high, low } = exactProduct(a, b);
  sum.add(high);
  if (low !== 0) sum.add(low);
}
