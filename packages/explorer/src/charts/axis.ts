/** Axes of charts: where a value lies, and the ticks, of one style along an axis. */
import { shortNumber } from '@shuffle-dp/experiments/words';
import { powerOfTen } from '../words/numbers.ts';

export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly isLogarithmic: boolean;
}

export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** From 0 at the low end to 1 at the high end; outside of the axis beyond these. */
export function shareAlong({ low, high, isLogarithmic }: Axis, value: number): number {
  if (!isLogarithmic) return (value - low) / (high - low);
  if (value <= 0) return -Infinity;
  return (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low));
}

/** @param most ticks that have room */
export function ticks(axis: Axis, most: number): Tick[] {
  return axis.isLogarithmic ? logarithmicTicks(axis, most) : linearTicks(axis, most);
}

/** Ends of an axis that holds all values; `shares` of the width stay free at either end. */
export function spanningAxis(values: readonly number[], isLogarithmic: boolean, margin = 0.06): Axis {
  const usable = values.filter((value) => Number.isFinite(value) && (!isLogarithmic || value > 0));
  if (usable.length === 0) return { low: isLogarithmic ? 0.1 : 0, high: 1, isLogarithmic };
  const least = Math.min(...usable);
  const most = Math.max(...usable);
  if (isLogarithmic) {
    const [bottom, top] = [Math.log(least), Math.log(most)];
    const extra = Math.max(LEAST_MARGIN, margin * (top - bottom));
    return {
      low: Math.max(Math.exp(bottom - extra), SMALLEST_END),
      high: Math.min(Math.exp(top + extra), LARGEST_END),
      isLogarithmic,
    };
  }
  // Values that nearly agree do not fill the height with their last digits.
  const width = Math.max(most - least, LEAST_WIDTH * Math.abs(most));
  const extra = margin * (width || 1);
  return { low: least - extra, high: most + extra, isLogarithmic };
}

/** Of a logarithmic axis, in logarithms; and ends within which every power of ten has all its digits. */
const LEAST_MARGIN = Math.log(1.1);
const [SMALLEST_END, LARGEST_END] = [1e-307, 1e308];
/** Of a linear axis, against its values. */
const LEAST_WIDTH = 0.01;
const DECADES_IN_POWERS = 2.5;

function logarithmicTicks(axis: Axis, most: number): Tick[] {
  const { low, high } = axis;
  const decades = Math.log10(high) - Math.log10(low);
  if (decades < 0.5) return linearTicks(axis, most);
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  if (decades >= DECADES_IN_POWERS) {
    const every = roundStep(Math.max(1, (last - first + 1) / most));
    const result: Tick[] = [];
    for (let exponent = first; exponent <= last; exponent++)
      if (exponent % every === 0) result.push({ value: 10 ** exponent, text: powerOfTen(exponent) });
    return result;
  }
  const within = [1, 2, 5].flatMap((digit) =>
    Array.from({ length: last - first + 3 }, (_, i) => digit * 10 ** (first - 1 + i)),
  );
  const values = within.filter((value) => value >= low && value <= high).sort((a, b) => a - b);
  const every = Math.ceil(values.length / most);
  return values.filter((_, i) => i % every === 0).map((value) => plain(value, 4));
}

function linearTicks({ low, high }: Axis, most: number): Tick[] {
  const step = roundStep((high - low) / most);
  // As many as tell neighbours apart.
  const digits = Math.max(4, Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / step)) + 1);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => plain((first + i) * step, digits));
}

/** The least of 1, 2 and 5 times a power of ten that is not below it. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least)!;
}

function plain(value: number, digits: number): Tick {
  return { value, text: shortNumber(Number(value.toPrecision(digits + 2)), digits) };
}
