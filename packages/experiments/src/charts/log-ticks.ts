/**
 * Ticks of a logarithmic axis that never overlap: decades, with 2 and 5 between them where few decades show.
 */
import type { Chart } from './chart.ts';

/** Where the ratio of the ends leaves the doubles. */
const WIDEST_MARGIN = 1e20;

/** The range of an axis over all panels, widened so that marks do not sit on the frame. */
export function logDomain(values: readonly number[]): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const ratio = high / low;
  const root = ratio < Infinity ? Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(ratio)))) : WIDEST_MARGIN;
  const margin = Math.max(1.12, root);
  // A range to 0 or to infinity has no end.
  return [Math.max(low / margin, Number.MIN_VALUE), Math.min(high * margin, Number.MAX_VALUE)];
}

/** Of which the ratio itself may leave the doubles. */
function decadesOf([low, high]: readonly [number, number]): number {
  const ratio = high / low;
  return ratio < Infinity ? Math.log10(ratio) : Math.log10(high) - Math.log10(low);
}

export function logTicks([low, high]: readonly [number, number]): number[] {
  const decades = decadesOf([low, high]);
  const mantissas =
    decades > 3.2 ? [1] : decades > 1.7 ? [1, 3] : decades > 0.7 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8];
  const stride = Math.max(1, Math.ceil(decades / 9));
  const ticks = ticksOf([low, high], mantissas, stride);
  return ticks.length > 2 || decades > 0.7 ? ticks : evenTicks([low, high]);
}

/** Of a short range round numbers lie too far apart: equal steps, as few as tell values from each other. */
function evenTicks([low, high]: readonly [number, number]): number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((digit) => digit * power >= rough)! * power;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toFixed(Math.min(100, digits))));
}

function ticksOf(
  [low, high]: readonly [number, number],
  mantissas: readonly number[],
  stride: number,
): number[] {
  const ticks: number[] = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++) {
    if (exponent % stride !== 0) continue;
    for (const mantissa of mantissas) {
      const tick = Number(`${mantissa}e${exponent}`);
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * In one style for all of an axis: as plain numbers where all of them are short, else as a mantissa times a
 * power of ten.
 */
export function logLabels(ticks: readonly number[]): string[] {
  if (ticks.every((tick) => tick >= 1e-3 && tick <= 1e5))
    return ticks.map((tick) => tick.toLocaleString('en', { maximumFractionDigits: 6 }));
  return ticks.map((tick) => {
    const [mantissa, exponent] = tick.toExponential().split('e') as [string, string];
    const raised = exponent
      .replace('+', '')
      .replace('-', '⁻')
      .replaceAll(/\d/gu, (digit) => SUPERSCRIPTS[Number(digit)]!);
    return `${mantissa === '1' ? '' : `${mantissa}·`}10${raised}`;
  });
}

/** All values of one axis that a chart draws, ends of intervals included. */
export function axisValues(chart: Chart, axis: 'x' | 'y'): number[] {
  return chart.panels
    .flatMap((panel) => panel.series)
    .flatMap((series) => series.points)
    .flatMap((point) => (axis === 'x' ? [point.x] : [point.y, point.low, point.high]))
    .filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
}
