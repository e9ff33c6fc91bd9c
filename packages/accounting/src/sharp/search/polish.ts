/**
 * Parameters by the bound itself, near those of a search: that goes by estimates, which leave their place
 * open by some hundredths, and say little where a few users hide the victim.
 */
import { keptByKey, Real } from '@shuffle-dp/core';
import { FINE, FINEST } from '../gains/minimum-moments.ts';
import { inputBound, type Effort, type SharpParameters } from '../input-bound.ts';
import type { PreparedInput } from '../prepared-input.ts';
import { estimator, exactTerms, MORE_SIZES } from './estimates.ts';
import { scaled } from './starting-parameters.ts';
import { simplexDescent } from './simplex.ts';

/** First steps, of the logarithms of buffer, tilt and kappa. */
const STEPS = [0.08, 0.01, 0.06];
/** By so much, in log delta, estimates are off as a rule; wider steps where they are off by more. */
export const USUALLY_OFF = 0.03;
const WIDER = 2.5;
/**
 * Evaluations at most, as a rule, where estimates are off, and where fine bounds alone tell; and differences
 * that are worth none.
 */
const [USUAL_EVALUATIONS, MOST_EVALUATIONS, HEAVY_EVALUATIONS] = [18, 30, 22];
const ENOUGH = 5e-5;
/** Of so many users a search has mostly ended where nothing is to be gained, and a few evaluations tell. */
export const MANY_USERS = 5000;
const PROMISING = { after: 8, gain: 3e-4 };
/** A smaller buffer changes by two messages, in the logarithm. */
const FEWEST = 2.5;

export interface PolishEffort {
  /** Whether estimates were far from the bound. */
  readonly isOff: boolean;
  /** Whether gains have heavy tails, of which neither a few sizes of the buffer nor coarse bounds tell. */
  readonly isHeavy?: boolean;
  /** Whether fine bounds are compared after coarse ones. */
  readonly closely: boolean;
}

/** Where, and how widely. */
export interface PolishOptions extends Omit<PolishEffort, 'closely'> {
  readonly users: number;
  /** Whether kappa matters. */
  readonly hasPlaces: boolean;
}

/**
 * Gains with heavy tails stand tilts up to an end that grows with about this power of the buffer, and the
 * best are close to it: along it a search is free to move.
 */
const TILT_BY_BUFFER = 0.6;

/**
 * Further from the bound than this, in logarithms, a few sizes of the buffer mislead: of few users, and of
 * many.
 */
const [THE_SAME, ABOUT_THE_SAME] = [0.0045, 0.015];

interface Start {
  readonly parameters: SharpParameters;
  readonly value: number;
}

/** Of the worst inputs of a pair. */
export interface PolishedInputs {
  readonly inputs: readonly PreparedInput[];
  readonly users: number;
  /** Is added to every bound. */
  readonly missed: number;
  readonly target: number;
}

/** The worst of the inputs' bounds. */
export function worstBound(
  { inputs, users, missed, target }: PolishedInputs,
  parameters: SharpParameters,
  effort: Effort = 'fine',
): number {
  return Math.max(...inputs.map((input) => inputBound(input, users, parameters, target, effort) + missed));
}

/** Of fewer users a bound takes as long, and the last steps gain less than a thousandth. */
const CLOSELY_FROM = 500;

/**
 * Better parameters near those of a search, compared by the bound's own terms at a few sizes of the buffer,
 * as what all sizes add hardly depends on the parameters; among few users, where it does, by coarse bounds.
 *
 * @param start with the worst bound of it
 */
export function polishedNear(
  given: PolishedInputs,
  start: Start,
  { isOff, isHeavy = false, closely }: PolishEffort,
): SharpParameters {
  const { inputs, users, missed, target } = given;
  const hasPlaces = inputs.some(({ hasPlacesInBuffer }) => hasPlacesInBuffer);
  const isFew = users < MANY_USERS;
  const estimate = estimator(users, exactTerms(target, isFew ? FINEST : FINE), MORE_SIZES, Math.floor);
  const about = (tried: SharpParameters): number =>
    Math.max(...inputs.map((input) => Real.exp(estimate(input, tried)) + input.charged)) + missed;
  const coarsely = (tried: SharpParameters): number => worstBound(given, tried, 'coarse');
  const finely = (tried: SharpParameters): number => worstBound(given, tried);
  const from = (
    boundOf: (tried: SharpParameters) => number,
    parameters: SharpParameters,
    widely: boolean,
    value = boundOf(parameters),
  ): SharpParameters =>
    polished(boundOf, { parameters, value }, { users, hasPlaces, isOff: widely, isHeavy });
  if (isHeavy) return from(finely, start.parameters, true, start.value);
  const value = about(start.parameters);
  if (Math.abs(Real.log(value / start.value)) <= (isFew ? THE_SAME : ABOUT_THE_SAME))
    return from(about, start.parameters, isOff, value);
  const better = from(coarsely, start.parameters, isOff);
  return closely && users >= CLOSELY_FROM ? from(finely, better, false) : better;
}

/** @param boundOf the worst of some inputs; @param start parameters, and their bound */
export function polished(
  boundOf: (parameters: SharpParameters) => number,
  { parameters, value }: Start,
  { users, hasPlaces, isOff, isHeavy = false }: PolishOptions,
): SharpParameters {
  const slope = isHeavy ? TILT_BY_BUFFER : 0;
  const first = Real.log(Math.max(1, parameters.buffer));
  const at = ([buffer, theta, kappa = 0]: readonly number[]): SharpParameters =>
    scaled(
      {
        buffer: Real.exp(buffer!),
        theta: Real.exp(theta! + slope * (buffer! - first)),
        kappa: hasPlaces ? Real.exp(kappa) : parameters.kappa,
      },
      users,
    );
  const from = [Math.max(1, parameters.buffer), parameters.theta, ...(hasPlaces ? [parameters.kappa] : [])];
  const steps = STEPS.slice(0, from.length).map((step) => step * (isOff ? WIDER : 1));
  steps[0] = Math.max(steps[0]!, Math.min(1, FEWEST / from[0]!));
  const known = keptByKey<number>();
  const least = simplexDescent(
    (logs) => {
      const tried = at(logs);
      return known(`${tried.buffer} ${tried.theta} ${tried.kappa}`, () => Real.log(boundOf(tried)));
    },
    { at: from.map((x) => Real.log(x)), value: Real.log(value) },
    steps,
    {
      most: isHeavy ? HEAVY_EVALUATIONS : isOff ? MOST_EVALUATIONS : USUAL_EVALUATIONS,
      enough: ENOUGH,
      ...(users >= MANY_USERS && !isHeavy && { promising: PROMISING }),
    },
  );
  return least.value < Real.log(value) ? at(least.at) : parameters;
}
