/** Where a smooth curve along a parameter crosses 0: secants from where it is about known. */
import type { Axis, Excess } from '../axis.ts';

/** Secants at most, and the longest step of one, in positions. */
const [MOST_STEPS, LONGEST_STEP] = [12, 0.3];

/** Along the axis, and by how much it grows there. */
export interface Curve {
  readonly at: Excess;
  readonly slope: number;
}

/** Where a curve crosses 0, within `close` of it; at most the least private position. */
export function crossing(curve: Curve, axis: Axis, start: number, close: number): number {
  let { slope } = curve;
  let [last, here] = [start, curve.at(start)];
  for (let step = 0; step < MOST_STEPS && Math.abs(here) > close; step++) {
    const move = Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, -here / slope));
    const position = Math.min(axis.leastPrivate, Math.max(axis.mostPrivate, last + move));
    if (position === last) break;
    const next = curve.at(position);
    const secant = (next - here) / (position - last);
    if (secant > 0) slope = secant;
    [last, here] = [position, next];
  }
  return last;
}
