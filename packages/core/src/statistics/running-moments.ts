/** Mean and variance of values that arrive in any order and in any number of parts, with the same bits every time. */
import { ExactSum } from './exact-sum.ts';
import { exactProduct } from '../numeric/double-double.ts';

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
    // sum of squares - sum * mean, with the subtraction done exactly before the only rounding.
    const rest = new ExactSum();
    rest.merge(this.#squares);
    const mean = this.mean;
    for (const part of this.#sum.parts()) {
      const product = exactProduct(part, mean);
      rest.add(-product.high);
      rest.add(-product.low);
    }
    return Math.max(0, rest.value / (this.#count - 1));
  }

  /** Standard error of the mean. */
  get standardError(): number {
    return this.#count === 0 ? Number.NaN : Math.sqrt(this.variance / this.#count);
  }
}
