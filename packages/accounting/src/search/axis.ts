/** A parameter as positions along which privacy falls, and where on it a target is met. */
/**
 * By how much a value exceeds the target, in logarithms: at most 0 where it meets it, -Infinity where nothing
 * is told.
 */
export type Excess = (value: number) => number;

/** Positions of a parameter, along which privacy falls. */
export interface Axis {
  valueAt(position: number): number;
  readonly mostPrivate: number;
  readonly leastPrivate: number;
  /** Values are whole numbers, of which several positions may have one. */
  readonly whole?: boolean;
}

export interface Calibrated {
  /** Meets the target. */
  readonly value: number;
  /** Does not, and is next to it on the less private side. Null where `value` is the end of the range. */
  readonly next: number | null;
}

/**
 * Positions of which the inner one meets the target and the outer one does not; null where there is none in
 * the range.
 */
export interface Ends {
  readonly inside: number | null;
  readonly outside: number | null;
}

/**
 * The parameter's values at the two ends of a search; null where no value meets the target.
 *
 * @example calibratedAt({ valueAt: (x) => x, mostPrivate: 0, leastPrivate: 1 }, { inside: 0.5, outside: 0.6 }) // { value: 0.5, next: 0.6 }
 */
export function calibratedAt(axis: Axis, { inside, outside }: Ends): Calibrated | null {
  if (inside === null) return null;
  return { value: axis.valueAt(inside), next: outside === null ? null : axis.valueAt(outside) };
}

/** Finite, and negative where the target is met: an interpolation counts 0 to the other side. */
export function counted(excess: number): number {
  return excess > 0 ? excess : Math.max(-1500, Math.min(-Number.MIN_VALUE, excess));
}
