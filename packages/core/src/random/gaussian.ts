/** Standard normal draws by the ziggurat method, with Marsaglia's draws of the tail. */
import * as Real from '../numeric/elementary/index.ts';
import { normalTail } from '../numeric/normal-distribution.ts';
import { sampleExponential } from './laplace.ts';
import type { RandomStream } from './random-stream.ts';
import { fillZiggurat, sampleZiggurat, ziggurat } from './ziggurat.ts';

const TAIL_FROM = 3.654152885361009;

const layers = ziggurat({
  density: (magnitude) => Real.exp(-0.5 * magnitude * magnitude),
  inverse: (height) => Math.sqrt(-2 * Real.log(height)),
  tailFrom: TAIL_FROM,
  tailArea: Math.sqrt(2 * Math.PI) * normalTail(TAIL_FROM),
  sampleTail,
});

/**
 * A draw of the standard normal law, by the ziggurat.
 *
 * @example sampleGaussian(RandomStream.fromSeed('example')) // -0.367376
 */
export function sampleGaussian(stream: RandomStream): number {
  return sampleZiggurat(layers, stream);
}

/**
 * Fills target[start..end) with the numbers that as many calls of `sampleGaussian` would give.
 *
 * @example fillGaussian(new Float64Array(8), 0, 8, RandomStream.fromSeed('example'))
 */
export function fillGaussian(target: Float64Array, start: number, end: number, stream: RandomStream): void {
  fillZiggurat(layers, target, start, end, stream);
}

/**
 * Beyond the lowest layer the density is below an exponential one: what is above is refused, one draw in
 * fourteen.
 */
function sampleTail(stream: RandomStream): number {
  for (;;) {
    const excess = sampleExponential(stream) / TAIL_FROM;
    if (2 * sampleExponential(stream) > excess * excess) return TAIL_FROM + excess;
  }
}
