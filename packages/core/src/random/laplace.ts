/**
 * Laplace draws by the ziggurat method. Beyond the lowest layer an exponential begins anew, so tails are
 * exact at any depth.
 */
import * as Real from '../numeric/elementary/index.ts';
import type { RandomStream } from './random-stream.ts';
import { fillZiggurat, sampleZiggurat, ziggurat } from './ziggurat.ts';

const TAIL_FROM = 7.69711747013105;

const layers = ziggurat({
  density: (magnitude) => Real.exp(-magnitude),
  inverse: (height) => -Real.log(height),
  tailFrom: TAIL_FROM,
  tailArea: Real.exp(-TAIL_FROM),
  sampleTail: (stream) => TAIL_FROM + sampleExponential(stream),
});

/**
 * Mean zero, variance 2 scale^2.
 *
 * @example sampleLaplace(2, RandomStream.fromSeed('example')) // -0.872913
 */
export function sampleLaplace(scale: number, stream: RandomStream): number {
  return scale * sampleZiggurat(layers, stream);
}

/**
 * Fills target[start..end) with the numbers that as many calls of `sampleLaplace` with scale 1 would give.
 *
 * @example fillLaplace(new Float64Array(8), 0, 8, RandomStream.fromSeed('example'))
 */
export function fillLaplace(target: Float64Array, start: number, end: number, stream: RandomStream): void {
  fillZiggurat(layers, target, start, end, stream);
}

/** Mean and variance 1. */
export function sampleExponential(stream: RandomStream): number {
  return Math.abs(sampleZiggurat(layers, stream));
}
