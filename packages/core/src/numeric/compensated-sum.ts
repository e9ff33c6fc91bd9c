/**
 * Neumaier's compensated summation: the error no longer grows with the number of terms.
 *
 * @example [1e16, 1, -1e16].reduce((sum, x) => (sum.add(x), sum), new CompensatedSum()).value // 1
 */
export class CompensatedSum {
  #sum = 0;
  #lost = 0;

  add(term: number): void {
    const next = this.#sum + term;
    this.#lost += Math.abs(this.#sum) >= Math.abs(term) ? this.#sum - next + term : term - next + this.#sum;
    this.#sum = next;
  }

  get value(): number {
    return this.#sum + this.#lost;
  }
}

/**
 * The sum of the values, with an error that does not grow with their number.
 *
 * @example compensatedSum([1e16, 1, -1e16]) // 1
 */
export function compensatedSum(values: ArrayLike<number>): number {
  const sum = new CompensatedSum();
  for (let i = 0; i < values.length; i++) sum.add(values[i]!);
  return sum.value;
}
