/** From the range of a parameter to the stops of a slider. */

/** A parameter's range, and a usual value of it. */
export interface RangedParameter {
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
  readonly integer: boolean;
  readonly kind?: 'prime' | 'power of two';
  readonly unit?: string;
  readonly example: number;
}

export interface SliderScale {
  /** Stops are the integers 0 to this. */
  readonly last: number;
  /** Equal steps multiply the value rather than add to it. */
  readonly isLogarithmic: boolean;
  valueAt(stop: number): number;
  stopOf(value: number): number;
}

const STOPS = 400;
/** How far a slider goes from the example to either side, where the range is wider. */
const REACH = 64;
const SIGNIFICANT = 3;
/** Budgets that people use, in nats. */
const BUDGETS = { low: 0.05, high: 10 };

export function sliderScale(parameter: RangedParameter): SliderScale {
  const { integer, kind } = parameter;
  const { low, high } = windowOf(parameter);
  if (kind === 'power of two') return doublings(low, high);
  if (integer && high - low <= STOPS) return steps(low, high);
  if (high / low > 20 && low > 0) return logarithmicScale(low, high, integer);
  const round = integer ? Math.round : short;
  return scale(
    false,
    (share) => round(low + share * (high - low)),
    (value) => (value - low) / (high - low),
  );
}

/** @param integer whether values are whole */
export function logarithmicScale(low: number, high: number, integer: boolean): SliderScale {
  const from = Math.log(low);
  const width = Math.log(high) - from;
  return scale(
    true,
    (share) => {
      // The ends are the range's own, of however many digits.
      if (share === 0 || share === 1) return share === 0 ? low : high;
      const value = short(Math.exp(from + share * width));
      return integer ? Math.round(value) : value;
    },
    (value) => (Math.log(value) - from) / width,
  );
}

/** At most so many values in equal steps of the slider, each once. */
export function valuesAlong({ last, valueAt }: SliderScale, count: number): number[] {
  const steps = Math.min(count - 1, last);
  return [...new Set(Array.from({ length: steps + 1 }, (_, i) => valueAt(Math.round((i * last) / steps))))];
}

/** What the slider covers: the range, or the part around the example. */
function windowOf({ low, high, lowOpen, highOpen, example, unit }: RangedParameter): {
  readonly low: number;
  readonly high: number;
} {
  if (unit === 'nats') return { low: Math.max(low, BUDGETS.low), high: Math.min(high, BUDGETS.high) };
  const wide = high === Infinity || (low > 0 && high / low > REACH * REACH) || high > 1e4;
  if (wide) {
    const least = low > 0 ? low : example / REACH;
    return { low: Math.max(least, example / REACH), high: Math.min(high, example * REACH) };
  }
  const margin = (high - low) / STOPS;
  return { low: lowOpen ? low + margin : low, high: highOpen ? high - margin : high };
}

function scale(
  isLogarithmic: boolean,
  valueOf: (share: number) => number,
  shareOf: (value: number) => number,
): SliderScale {
  return {
    last: STOPS,
    isLogarithmic,
    valueAt: (stop) => valueOf(stop / STOPS),
    stopOf: (value) => Math.round(STOPS * Math.min(1, Math.max(0, shareOf(value)))),
  };
}

function steps(low: number, high: number): SliderScale {
  return {
    last: high - low,
    isLogarithmic: false,
    valueAt: (stop) => low + stop,
    stopOf: (value) => Math.round(Math.min(high, Math.max(low, value)) - low),
  };
}

function doublings(low: number, high: number): SliderScale {
  const first = Math.ceil(Math.log2(low));
  const last = Math.floor(Math.log2(high));
  return {
    last: last - first,
    isLogarithmic: true,
    valueAt: (stop) => 2 ** (first + stop),
    stopOf: (value) => Math.min(last, Math.max(first, Math.round(Math.log2(value)))) - first,
  };
}

function short(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT));
}
