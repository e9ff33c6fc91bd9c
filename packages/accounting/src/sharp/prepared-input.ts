/** One input of the other users at one epsilon, made ready for the bound of docs/sharp-bound.md. */
import { onDemand, type OtherInput, ROUNDOFF } from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { pointLosses, type LossLaw } from '../blanket/loss-law.ts';
import { thinned } from '../blanket/thinning.ts';
import { bufferLaw, latticeStep, ratioLaw, roughLatticeStep, type BufferLaw } from './buffer/buffer.ts';

/** One input at one epsilon: what does not depend on the parameters. */
export interface PreparedInput {
  readonly gains: LossLaw;
  readonly draws: BufferLaw;
  /** The same of fewer values, from above. */
  readonly fewerGains: () => LossLaw;
  /** The same on a coarser lattice. */
  readonly roughDraws: () => BufferLaw;
  /** The victim's message may be one of the blanket's. Else those are no places: kappa is 0. */
  readonly hasPlacesInBuffer: boolean;
  /** Mass of the blanket. */
  readonly mass: number;
  /** Sum of the positive parts of R_0 - e^epsilon R_1: no divergence is larger. */
  readonly excess: number;
  /** What the law used lacks of that of the input, */
  readonly hidden: number;
  /** and at least of those inputs of the pair of which anything lacks. */
  readonly leastHidden: number;
  /** No output is more than e^epsilon times as likely: beside rounding there is no divergence. */
  readonly isNothing: boolean;
  /** The victim's mass at outputs that were left out: added to the bound. */
  readonly charged: number;
  /** Whether rare large ratios are cut. */
  readonly isCut: boolean;
  /** Of a corner: the same gains with the buffer of each, of which the largest bound counts. */
  readonly buffers: readonly PreparedInput[];
  /** To which bounds and estimates of the input add what they take; null where nobody counts. */
  readonly work: Work | null;
}

/** Gains of more values are thinned to so many, and to fewer for looks, mostly at what is larger. */
export const MOST_GAINS = 192;
const [FEWER_GAINS, MOST_OF_A_LOOK, FEWER_OF_A_LOOK] = [160, 72, 48];

/**
 * Whether the blanket covers all outputs that somebody shows, and the input those of the victim: else the
 * bound says nothing.
 */
export function isCovered({ victim0, victim1, own, blanket }: OtherInput): boolean {
  return own.every((mass, y) => {
    const ofVictim = victim0[y]! + victim1[y]!;
    return (mass > 0 || ofVictim === 0) && (blanket[y]! > 0 || ofVictim + mass === 0);
  });
}

/** Of the mass of an input that a sum of atoms may lack by rounding. */
const ROUNDED_MASS = 1e-9;

/**
 * @param input covered
 * @throws RangeError where atoms and what is hidden lack some of its mass: nothing is known of such users
 */
export function prepareInput(input: OtherInput, expEpsilon: number, users: number): PreparedInput {
  const { victim0, victim1, own, blanket, buffer = { victim0, victim1 } } = input;
  const sent = own.reduce((sum, part) => sum + part, input.hidden ?? 0);
  if (!(sent > 1 - ROUNDED_MASS)) throw new RangeError(`"${input.label}" has a mass of ${sent}`);
  const inBuffer = buffer && { ...input, ...buffer };
  const drawsAt = (step: number): BufferLaw =>
    inBuffer === null ? ratioLaw(input, step) : bufferLaw(inBuffer, expEpsilon, step);
  const all = pointLosses({ label: input.label, victim0, victim1, others: own, symmetric: true }, expEpsilon);
  const gains = ofFewer(all, MOST_GAINS, FEWER_GAINS);
  const mass = blanket.reduce((sum, part) => sum + part, 0);
  return {
    gains,
    fewerGains: onDemand(() => ofFewer(gains, MOST_OF_A_LOOK, FEWER_OF_A_LOOK)),
    draws: drawsAt(latticeStep(users)),
    roughDraws: onDemand(() => drawsAt(roughLatticeStep(users))),
    hasPlacesInBuffer: buffer !== null,
    mass: Math.min(1, mass),
    excess: Math.max(excessOf(input, expEpsilon), inBuffer === null ? 0 : excessOf(inBuffer, expEpsilon)),
    hidden: input.hidden ?? 0,
    leastHidden: input.hidden ?? 0,
    isNothing: !(all.values.at(-1)! > 0),
    charged: 0,
    isCut: true,
    buffers: [],
    work: null,
  };
}

function ofFewer(law: LossLaw, most: number, fewer: number): LossLaw {
  return law.values.length > most ? thinned(law, law.probabilities, fewer, 'dilation') : law;
}

/** Sum of the positive parts, from above. */
function excessOf({ victim0, victim1 }: OtherInput, expEpsilon: number): number {
  let excess = 0;
  let magnitude = 0;
  for (let y = 0; y < victim0.length; y++) {
    excess += Math.max(0, victim0[y]! - expEpsilon * victim1[y]!);
    magnitude += victim0[y]! + expEpsilon * victim1[y]!;
  }
  return excess * (1 + 1e-14) + 4 * ROUNDOFF * magnitude;
}

/** Whether the gains alone reach above zero, the buffer's aside. */
export function hasGains({ gains }: PreparedInput): boolean {
  return gains.values.at(-1)! > 0;
}
