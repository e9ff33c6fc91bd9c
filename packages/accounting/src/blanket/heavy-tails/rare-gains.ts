/**
 * Gains so large that one of them decides the sign of a sum. They are what they are worth almost alone, and
 * reweighting by e^(theta G) (exponential-tilt.ts) would see nothing but them: they are taken out before the
 * sum is evaluated.
 */
import { ROUNDOFF } from '@shuffle-dp/core';
import type { LossLaw } from '../loss-law.ts';
import type { Thinning } from '../thinning.ts';

/** A law without its largest values, and what these add. */
export interface WithoutRareGains {
  readonly law: LossLaw;
  /** Added to E (G_1 + … + G_n)_+ / n from above; 0 where the law is to be narrower. */
  readonly added: number;
}

/**
 * The law without the values that are worth themselves but for a share of `tolerance` of the whole.
 *
 * For an upper end ('dilation') they are replaced by 0 and E (S' + T)_+ <= E (S')_+ + E (T)_+ with E (T)_+ <=
 * n E G 1{T}. For a lower end ('contraction') they are replaced by their mean, which narrows the law
 * (docs/soundness.md, F4); where the sum is positive in any case nothing is lost.
 */
export function withoutRareGains(
  law: LossLaw,
  count: number,
  tolerance: number,
  thinning: Thinning,
): WithoutRareGains {
  const { values, probabilities, magnitudes } = law;
  const first = firstRareGain(law, count, tolerance);
  const most = values.length;
  if (first >= most - 1) return { law, added: 0 };
  let mass = 0;
  let moment = 0;
  let magnitude = 0;
  for (let i = most - 1; i >= first; i--) {
    mass += probabilities[i]!;
    moment += probabilities[i]! * values[i]!;
    magnitude += probabilities[i]! * magnitudes[i]!;
  }
  const rounding = (most + 8) * ROUNDOFF;
  if (thinning === 'dilation') {
    const kept = {
      values: values.slice(0, first),
      probabilities: probabilities.slice(0, first),
      magnitudes: magnitudes.slice(0, first),
      ...(law.silent !== undefined && { silent: law.silent + mass }),
    };
    return { law: kept, added: moment * (1 + rounding) + 8 * ROUNDOFF * magnitude };
  }
  const mean = Math.min(values[most - 1]!, Math.max(values[first]!, moment / mass));
  return {
    law: {
      values: Float64Array.of(...values.subarray(0, first), mean),
      probabilities: Float64Array.of(...probabilities.subarray(0, first), mass),
      // The mean is rounded as a sum of so many terms is.
      magnitudes: Float64Array.of(...magnitudes.subarray(0, first), (magnitude / mass) * (2 + most / 4)),
      ...(law.silent !== undefined && { silent: law.silent }),
    },
    added: 0,
  };
}

/**
 * The index from which on values lose, together, at most `tolerance` of an estimate of the whole by being
 * worth themselves and not what they exceed the usual sum by; only of values that are far beyond it. The
 * number of values where none is.
 */
function firstRareGain({ values, probabilities }: LossLaw, count: number, tolerance: number): number {
  const usual = usualDepth(values, probabilities, count);
  let first = values.length;
  if (!(values.at(-1)! > FAR * usual)) return first;
  let estimate = 0;
  for (let i = first - 1; i >= 0 && values[i]! > usual; i--)
    estimate += probabilities[i]! * (values[i]! - usual);
  for (let lost = 0; first > 0 && values[first - 1]! > FAR * usual; first--) {
    lost += probabilities[first - 1]! * usual;
    if (lost > tolerance * estimate) break;
  }
  return first;
}

const FAR = 4;
const DEVIATIONS = 4;

/** About how far below 0 the sum of the others may be, for values that are not themselves as large. */
function usualDepth(values: Float64Array, probabilities: Float64Array, count: number): number {
  let mean = 0;
  let square = 0;
  for (let i = 0; i < values.length; i++) {
    mean += probabilities[i]! * values[i]!;
    square += probabilities[i]! * values[i]! * values[i]!;
  }
  const depth = count * Math.max(0, -mean);
  let deviation = Math.sqrt(count * square);
  for (let step = 0; step < 30; step++) {
    const limit = 4 * (depth + DEVIATIONS * deviation);
    let clipped = 0;
    for (let i = 0; i < values.length; i++)
      clipped += probabilities[i]! * Math.min(Math.abs(values[i]!), limit) ** 2;
    const next = Math.sqrt(count * clipped);
    if (!(next < 0.99 * deviation)) break;
    deviation = next;
  }
  return depth + DEVIATIONS * deviation;
}
