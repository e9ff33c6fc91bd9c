/**
 * Where a function that grows goes beyond a goal, asked at few points: each takes as long as a law is long.
 */
import { Real } from '@shuffle-dp/core';

interface Point {
  readonly at: number;
  readonly value: number;
}

/** Leaps to the other side of the goal, of logarithms: the shortest, the longest first one, and how many. */
const [SHORTEST_LEAP, FIRST_LEAP, MOST_LEAPS] = [1e-3, 1, 10];
/** How near a line is to lead to the point that it starts from, of logarithms, and so many of them. */
const [NEAR, MOST_LINES] = [1e-4, 8];

/** A function of positive numbers that grows: it is not asked where what is known of it is enough. */
export class GrowingSearch {
  readonly #valueAt: (at: number) => number;
  readonly #goal: number;
  #below: Point | null = null;
  #above: Point | null = null;

  constructor(valueAt: (at: number) => number, goal: number) {
    this.#valueAt = valueAt;
    this.#goal = goal;
  }

  isBeyond(at: number): boolean {
    if (this.#below && at <= this.#below.at) return false;
    if (this.#above && at >= this.#above.at) return true;
    return this.#ask(at) === this.#above;
  }

  /** Looks for two points near to each other on both sides of the goal. Others take longer without. */
  closeIn(start: number): void {
    if (!(start > 0 && start < Infinity)) return;
    const first = this.#ask(start);
    const isBeyond = first === this.#above;
    // It grows at least as fast as its argument, mostly.
    const distance = first.value > 0 ? Math.abs(Real.log(first.value / this.#goal)) : FIRST_LEAP;
    let leap = Math.max(SHORTEST_LEAP, Math.min(FIRST_LEAP, distance)) * (isBeyond ? -1 : 1);
    let at = start;
    for (let leaps = 0; leaps < MOST_LEAPS && this.isBeyond((at *= Real.exp(leap))) === isBeyond; leaps++)
      leap *= 2;
    if (!this.#below || !this.#above) return;
    let [before, last] = [this.#below, this.#above];
    for (let line = 0; line < MOST_LINES; line++) {
      const slope = (last.value - before.value) / (last.at - before.at);
      const next = last.at + (this.#goal - last.value) / slope;
      if (Math.abs(next - last.at) < NEAR * last.at) {
        this.isBeyond(next * (1 + NEAR));
        this.isBeyond(next * (1 - NEAR));
        return;
      }
      const isBetween = next > this.#below.at && next < this.#above.at;
      [before, last] = [last, this.#ask(isBetween ? next : Math.sqrt(this.#below.at * this.#above.at))];
    }
  }

  #ask(at: number): Point {
    const point = { at, value: this.#valueAt(at) };
    if (point.value > this.#goal) this.#above = point;
    else this.#below = point;
    return point;
  }
}
