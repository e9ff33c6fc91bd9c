/**
 * Parameters of the sharp bound that are carried from points of a curve to others. Any give a bound: what is
 * carried only spares searches.
 */
import { Real } from '@shuffle-dp/core';
import type { SharpParameters } from '../../sharp/input-bound.ts';
import { MOST_OTHERS, type Served } from '../../sharp/pair-holds.ts';

/** To another point, where the worst pair has these: those of all pairs move as the worst one's do. */
export function movedTo(known: Served, at: SharpParameters): Served {
  const { worst, ofPairs } = known;
  if (ofPairs === undefined || !(worst.buffer > 0)) return known;
  const [larger, steeper] = [at.buffer / worst.buffer, at.theta / worst.theta];
  return {
    ...known,
    ofPairs: new Map(
      Array.from(ofPairs, ([label, own]) => {
        const [buffer, theta] = [Math.round(larger * own.buffer), steeper * own.theta];
        return [label, { ...own, buffer, theta }];
      }),
    ),
  };
}

/** To a point that lies a share of the way from one to the other. */
export function carriedBetween(
  from: Served | undefined,
  to: Served | undefined,
  share: number,
): Served | undefined {
  if (from === undefined || to === undefined) return from ?? to;
  const between = (a: number, b: number): number => (a > 0 && b > 0 ? a * Real.power(b / a, share) : a);
  const both = <Parameters extends SharpParameters>(a: Parameters, b: SharpParameters): Parameters => ({
    ...a,
    buffer: Math.round(between(a.buffer, b.buffer)),
    kappa: between(a.kappa, b.kappa),
    theta: between(a.theta, b.theta),
  });
  const worst = both(from.worst, to.worst);
  const { ofPairs: before } = movedTo(from, worst);
  const { ofPairs: after } = movedTo(to, worst);
  return {
    ...to,
    worst,
    others: [...new Set([...to.others, ...from.others])].slice(0, MOST_OTHERS),
    ofPairs: new Map([...(before ?? []), ...(after ?? [])]),
  };
}
