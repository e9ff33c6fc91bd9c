/** The tilt of a buffer's ratios that the gains of the others bring about. */
import type { BufferLaw, DrawMoments } from './buffer.ts';

/** The slope of the ratios' tilt at which the whole is in the bulk. */
export function saddleSlope(
  draws: BufferLaw,
  momentsAt: (slope: number) => DrawMoments,
  size: number,
  theta: number,
  logF: (ratio: number) => number,
): number {
  if (draws.deviation === 0) return 0;
  let slope = 0;
  let centre = momentsAt(0).mean;
  const delta = 0.05 * Math.min(0.5, draws.deviation / Math.sqrt(size));
  // Beyond, ratios are cut: gains of heavy tails have no say there.
  const furthest = Math.min(3, 1 + (5 * draws.deviation) / Math.sqrt(size));
  for (let step = 0; step < 4; step++) {
    const next = (logF(centre + delta) - logF(Math.max(0, centre - delta))) / (2 * delta) / size;
    if (!Number.isFinite(next)) break;
    slope = step === 0 ? next : (slope + next) / 2;
    centre = Math.min(furthest, momentsAt(slope).mean);
  }
  return slope;
}
