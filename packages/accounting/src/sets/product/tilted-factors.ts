/** The convolution of tilted laws of factors around a circle, by transforms. */
import { inverseTransform, multiplySpectrum, realPartOf, type Spectrum } from '@shuffle-dp/core';
import { sumSpectrum } from '../../lattice/circle.ts';
import type { Waves } from '../conditioned-count.ts';
import type { TiltedLaw } from '../../lattice/tilted-law.ts';
import { Phases, spectrumOf, wavySpectrumOf, type LossLaw } from './loss-lattice.ts';

export interface LatticeFactor {
  readonly copies: number;
  readonly labels: readonly {
    readonly logWeight: number;
    readonly sent: LossLaw;
    readonly unsent: LossLaw;
  }[];
  readonly leastSent: number;
  readonly leastUnsent: number;
}

/** One factor's tilted pairs, whose weights add up to 1. */
export interface TiltedFactor {
  readonly factor: LatticeFactor;
  readonly labels: readonly {
    readonly weight: number;
    readonly sent: TiltedLaw<LossLaw>;
    readonly unsent: TiltedLaw<LossLaw>;
  }[];
}

/** The masses of the total loss, point by point from the least on, around a circle. */
export function convolve(factors: readonly TiltedFactor[], waves: Waves, size: number): Float64Array {
  const total = sumSpectrum(factors, (factor) => ({
    spectrum: pairSpectrum(factor, (law, least) => spectrumOf(law, least, size)),
    count: factor.factor.copies,
  }))!;
  const { frequency, coefficients } = waves;
  const constant = coefficients[0]!.re;
  for (let k = 0; k < total.length; k++) total[k]! *= constant;
  if (coefficients.length === 1) return inverseTransform(total);
  const phases = new Map<TiltedLaw<LossLaw>, Phases>();
  for (const { labels } of factors) {
    for (const { sent, unsent } of labels)
      for (const law of [sent, unsent]) phases.set(law, new Phases(law.law, frequency));
  }
  const sum = new Float64Array(2 * size);
  for (const { re, im } of coefficients.slice(1)) {
    const wave = sumSpectrum(factors, (factor) => ({
      spectrum: pairSpectrum(factor, (law, least) => {
        const own = phases.get(law)!;
        own.next();
        return wavySpectrumOf(law, own, least, size);
      }),
      count: factor.factor.copies,
    }))!;
    for (let k = 0; k < sum.length; k += 2) {
      sum[k]! += re * wave[k]! - im * wave[k + 1]!;
      sum[k + 1]! += re * wave[k + 1]! + im * wave[k]!;
    }
  }
  const real = realPartOf(sum);
  for (let k = 0; k < total.length; k++) total[k]! += real[k]!;
  return inverseTransform(total);
}

function pairSpectrum(
  { factor, labels }: TiltedFactor,
  spectrumAt: (law: TiltedLaw<LossLaw>, least: number) => Spectrum,
): Spectrum {
  let sum: Spectrum | undefined;
  for (const { weight, sent, unsent } of labels) {
    const spectrum = spectrumAt(sent, factor.leastSent);
    multiplySpectrum(spectrum, spectrumAt(unsent, factor.leastUnsent));
    if (labels.length === 1) return spectrum;
    sum ??= new Float64Array(spectrum.length);
    for (let k = 0; k < sum.length; k++) sum[k]! += weight * spectrum[k]!;
  }
  return sum!;
}
