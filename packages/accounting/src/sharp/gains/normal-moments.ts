/**
 * About what `MinimumMoments` bounds, a hundred times faster: near zero |M(t + iv) / M(t)|^count is e^(-count variance v^2 / 2) up
 * to the fourth cumulant, and the integral of that over t^2 + v^2 is a normal tail. For comparing parameters, never for a bound.
 */
import { logNormalTail } from '@shuffle-dp/core';
import { tilt } from '../../blanket/exponential-tilt.ts';
import type { LossLaw } from '../../blanket/loss-law.ts';

/** Points of the table over the sum's deviation, between which it is interpolated. */
const SPACING = 0.25;

/** log L(t) = log E e^(2 t min(S, S')), however found. */
export interface LogMoments {
  logAt(t: number): number;
}

/** @param count copies of the gain in both sums; @param at about where it is asked for */
export function normalMoments(law: LossLaw, count: number, at: number): LogMoments {
  const spacing = SPACING / (Math.sqrt(count) * deviationAt(law, at).deviation);
  const nodes: (number | undefined)[] = [0];
  const node = (i: number): number => (nodes[i] ??= logMoment(law, count, i * spacing));
  return {
    logAt(t) {
      const position = t / spacing;
      const below = Math.floor(position);
      const left = node(below);
      return left + (position - below) * (node(below + 1) - left);
    },
  };
}

function logMoment(law: LossLaw, count: number, t: number): number {
  const { logMean, deviation } = deviationAt(law, t);
  const x = t * deviation * Math.sqrt(count);
  const log = count * logMean + (x * x) / 2 + Math.LN2 + logNormalTail(x);
  return Number.isNaN(log) ? Infinity : log;
}

function deviationAt(law: LossLaw, t: number): { readonly logMean: number; readonly deviation: number } {
  const { logMean, mean, secondMoment } = tilt(law, t);
  return { logMean, deviation: Math.sqrt(Math.max(0, secondMoment - mean * mean)) };
}
