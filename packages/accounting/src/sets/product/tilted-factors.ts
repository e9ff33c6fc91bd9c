/** The convolution of tilted laws of factors around a circle, by transforms. */
import {
  inverseTransform,
  multiplySpectrum,
  realPartOf,
  reusedMemory,
  type Spectrum,
} from '@shuffle-dp/core';
import { sumSpectrum } from '../../lattice/circle.ts';
import type { Waves } from '../conditioned-count.ts';
import type { TiltedLaw } from '../../lattice/tilted-law.ts';
import { Phases, spectrumOf, wavySpectrumOf, type LossLaw, type OnCircle } from './loss-lattice.ts';

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

/** Spectra that are no result: a sum has thousands of them, and new memory costs more than they do. */
const rooms = {
  total: reusedMemory(),
  wave: reusedMemory(),
  waves: reusedMemory(),
  factor: reusedMemory(),
  sent: reusedMemory(),
  unsent: reusedMemory(),
};

/** The masses of the total loss, point by point from the least on, around a circle. */
export function convolve(factors: readonly TiltedFactor[], waves: Waves, size: number): Float64Array {
  const total = productOf(factors, rooms.total(size + 2), (law, place) => spectrumOf(law, size, place));
  const [constant, ...others] = waves.coefficients;
  scale(total, constant!.re);
  if (others.length > 0) addScaled(total, 1, realPartOf(sumOfWaves(factors, waves.frequency, others, size)));
  return inverseTransform(total);
}

/** The whole transform of the masses weighed by all waves from k = 1 on. */
function sumOfWaves(
  factors: readonly TiltedFactor[],
  frequency: number,
  coefficients: Waves['coefficients'],
  size: number,
): Spectrum {
  const phases = new Map<TiltedLaw<LossLaw>, Phases>();
  for (const { labels } of factors) {
    for (const { sent, unsent } of labels)
      for (const law of [sent, unsent]) phases.set(law, new Phases(law.law, frequency));
  }
  const sum = rooms.waves(2 * size).fill(0);
  for (const coefficient of coefficients) {
    const wave = productOf(factors, rooms.wave(2 * size), (law, place) => {
      const own = phases.get(law)!;
      own.next();
      return wavySpectrumOf(law, own, size, place);
    });
    addTurned(sum, coefficient, wave);
  }
  return sum;
}

/*
 * Loops over a spectrum are functions of their own: inside of a longer one the engine compiles all of it anew
 * whenever a loop ends for the first time.
 */

function scale(spectrum: Float64Array, factor: number): void {
  for (let k = 0; k < spectrum.length; k++) spectrum[k]! *= factor;
}

function addScaled(sum: Float64Array, factor: number, added: Float64Array): void {
  for (let k = 0; k < sum.length; k++) sum[k]! += factor * added[k]!;
}

/** Of complex numbers. */
function addTurned(sum: Spectrum, { re, im }: Waves['coefficients'][number], added: Spectrum): void {
  for (let k = 0; k < sum.length; k += 2) {
    sum[k]! += re * added[k]! - im * added[k + 1]!;
    sum[k + 1]! += re * added[k + 1]! + im * added[k]!;
  }
}

type SpectrumAt = (law: TiltedLaw<LossLaw>, place: OnCircle) => Spectrum;

/** @param room for the product, of the length of its spectra */
function productOf(factors: readonly TiltedFactor[], room: Spectrum, spectrumAt: SpectrumAt): Spectrum {
  return sumSpectrum(factors, (factor) => ({
    spectrum: pairSpectrum(factor, factor === factors[0] ? room : rooms.factor(room.length), spectrumAt),
    count: factor.factor.copies,
  }))!;
}

function pairSpectrum({ factor, labels }: TiltedFactor, sum: Spectrum, spectrumAt: SpectrumAt): Spectrum {
  const { length } = sum;
  const isAlone = labels.length === 1;
  const room = isAlone ? sum : rooms.sent(length);
  if (!isAlone) sum.fill(0);
  for (const { weight, sent, unsent } of labels) {
    const spectrum = spectrumAt(sent, { least: factor.leastSent, room });
    multiplySpectrum(spectrum, spectrumAt(unsent, { least: factor.leastUnsent, room: rooms.unsent(length) }));
    if (!isAlone) addScaled(sum, weight, spectrum);
  }
  return sum;
}
