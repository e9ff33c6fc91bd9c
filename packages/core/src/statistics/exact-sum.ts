/**
 * Sums of doubles without rounding (J. R. Shewchuk, "Adaptive precision floating-point arithmetic", Discrete
 * Comput. Geom. 18, 1997): the sum is kept as an expansion of non-overlapping parts, so that the total,
 * rounded once at the end, is the same for every order of adding and merging.
 *
 * @example [1e16, 1, -1e16].reduce((sum, x) => (sum.add(x), sum), new ExactSum()).value // 1
 */
export class ExactSum {
  #parts: number[] = [];

  add(term: number): void {
    let x = term;
    let kept = 0;
    for (const part of this.#parts) {
      const [big, small] = Math.abs(x) >= Math.abs(part) ? [x, part] : [part, x];
      const sum = big + small;
      const error = small - (sum - big);
      if (error !== 0) this.#parts[kept++] = error;
      x = sum;
    }
    this.#parts[kept] = x;
    this.#parts.length = kept + 1;
  }

  merge(other: ExactSum): void {
    for (const part of other.parts()) this.add(part);
  }

  parts(): readonly number[] {
    return [...this.#parts];
  }

  /** The exact sum, rounded once, to nearest, ties to even. */
  get value(): number {
    const parts = this.#parts;
    let i = parts.length - 1;
    if (i < 0) return 0;
    let high = parts[i]!;
    let low = 0;
    while (i > 0) {
      const x = high;
      const y = parts[--i]!;
      high = x + y;
      low = y - (high - x);
      if (low !== 0) break;
    }
    // A tie is broken by the sign of what comes after.
    if (i > 0 && ((low < 0 && parts[i - 1]! < 0) || (low > 0 && parts[i - 1]! > 0))) {
      const doubled = low * 2;
      const moved = high + doubled;
      if (doubled === moved - high) high = moved;
    }
    return high;
  }
}
