/** Standard normal draws by the polar method of Marsaglia and Bray: exact up to the rounding of doubles. */
import type { RandomStream } from './random-stream.ts';

export function sampleGaussian(stream: RandomStream): number {
  for (;;) {
    const u = 2 * stream.next() - 1;
    const v = 2 * stream.next() - 1;
    const square = u * u + v * v;
    if (square > 0 && square < 1) return u * Math.sqrt((-2 * Math.log(square)) / square);
  }
}
