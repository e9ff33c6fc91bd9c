/**
 * The curve e^epsilon -> delta of a pair, sampled from a one-round accountant. How far it can lie below a chord is
 * bounded by convexity alone: beyond a cell the neighbouring chords, extended, are below the curve.
 */
import { provedInterval } from '@shuffle-dp/core';
import type { PrivacyProfile } from '../privacy-profile.ts';
import type { LatticeCurve } from './privacy-loss-distribution.ts';

/** Longest curve; the rest of the losses counts as infinite. */
const MOST_POINTS = 5000;

/**
 * The curve is not asked beyond this loss. What has not fallen by then counts as infinite loss; from below that holds
 * for every epsilon well below it (docs/composition.md).
 */
export const LARGEST_LOSS = 300;

type Samples = Omit<LatticeCurve, 'gap'>;

/** Both directions of one pair; the same object twice where it is symmetric. */
export type CurvePair = readonly [forward: LatticeCurve, backward: LatticeCurve];

/**
 * Samples both directions until what is left of delta, beside the mass of infinite loss, is at most `tail`. For a
 * symmetric pair `backward` is null.
 */
export function sampledCurves(
  forward: PrivacyProfile,
  backward: PrivacyProfile | null,
  step: number,
  tail: number,
): CurvePair {
  const ahead = samples(forward, step, tail);
  const behind = backward === null ? ahead : samples(backward, step, tail);
  const first = withGaps(ahead, behind, step);
  return [first, backward === null ? first : withGaps(behind, ahead, step)];
}

function samples(profile: PrivacyProfile, step: number, tail: number): Samples {
  const infinite = profile(LARGEST_LOSS);
  const enough = infinite.upper * (1 + 1e-6) + tail;
  const upper: number[] = [];
  const lower: number[] = [];
  for (let j = 0; j < MOST_POINTS; j++) {
    const bracket = profile(j * step);
    upper.push(Math.min(bracket.upper, upper[j - 1] ?? 1));
    const known = provedInterval(
      'delta',
      { name: `the curve at ${j * step}`, value: bracket.lower },
      { name: 'the curve up to there', value: upper[j]! },
    );
    lower.push(known.lower);
    if (upper[j]! <= enough) break;
  }
  for (let j = lower.length - 2; j >= 0; j--) lower[j] = Math.max(lower[j]!, lower[j + 1]!);
  return { upper: Float64Array.from(upper), lower: Float64Array.from(lower), infinite: infinite.lower };
}

function withGaps(curve: Samples, reverse: Samples, step: number): LatticeCurve {
  const { upper, lower, infinite } = curve;
  const cells = upper.length - 1;
  const widths = Float64Array.from({ length: cells }, (_, j) => Math.exp(j * step) * Math.expm1(step));
  /** Upper bound of the bend at point j: by how much the chord after it is less steep than the one before. */
  const bend = (j: number): number => {
    const after = widths[j]!;
    if (j === 0) {
      const behind = (reverse.upper[1] ?? reverse.upper[0]!) - lower[0]!;
      return 1 - lower[0]! + (upper[1]! - lower[0]! + behind) / after;
    }
    const before = widths[j - 1]!;
    return (upper[j + 1]! - lower[j]!) / after + (upper[j - 1]! - lower[j]!) / before;
  };
  const gap = new Float64Array(cells);
  for (let j = 0; j < cells; j++) {
    const left = Math.max(0, bend(j));
    // Beyond the last point the curve is only known not to rise.
    const drop = Math.max(0, upper[j]! - lower[j + 1]!);
    const right = j + 1 < cells ? Math.max(0, bend(j + 1)) : drop / widths[j]!;
    const apart = left + right > 0 ? (widths[j]! * left * right) / (left + right) : 0;
    gap[j] = Math.min(drop, apart);
  }
  return { upper, lower, gap, infinite };
}
