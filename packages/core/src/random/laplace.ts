/** Laplace draws with the given scale (variance 2 scale^2), by a random sign on an exponential. */
import type { RandomStream } from './random-stream.ts';

export function sampleLaplace(scale: number, stream: RandomStream): number {
  const magnitude = -scale * Math.log(stream.nextOpen());
  return stream.nextUint32() & 1 ? magnitude : -magnitude;
}
