/**
 * Sequential composition: certified brackets of the privacy of many shuffled rounds, each seen by the
 * adversary, who may choose every round by what the earlier ones showed (docs/composition.md).
 *
 * A round is a pair of laws, known by its curve e^epsilon -> delta or by the parameters of a shuffled
 * variation-ratio pair. The bracket is that of the product of the pairs. If the upper ends of a round's curve
 * bound a mechanism for all neighbours, then the upper end bounds the composition of mechanisms; its lower
 * end is a bound for mechanisms only where the lower curve of each round is that of one pair of data sets
 * (see compose-mechanisms.ts).
 */
import { ParameterError, requireNonNegative, requireProbability, type Interval } from '@shuffle-dp/core';
import { roundSources, type CompositionRounds } from './round-source.ts';
import { composeSources } from './refined-bracket.ts';

export interface CompositionOptions {
  /** Relative width asked of the result, in (0, 0.1]; default 1e-4. Costs about its inverse square root. */
  readonly relativeWidth?: number;
  /** Of mechanisms: upper ends by their blankets alone, in milliseconds, for searches. Default false. */
  readonly blanketsOnly?: boolean;
  /** Of mechanisms: told where an end is further out than a longer search would leave it. */
  readonly onCoarse?: (note: string) => void;
}

/**
 * Bracket of delta at `epsilon` after all rounds. A single round is that round's own bracket.
 * @throws ParameterError for no rounds, counts below 1, epsilon < 0 or parameters that a round refuses
 * @example composedDelta([{ pair: { p: Math.E, beta: 0.2, q: Math.E }, users: 1000, count: 4 }], 0.5) // { lower: 3.22256e-24, upper: 3.22279e-24 }
 */
export function composedDelta(
  rounds: readonly CompositionRounds[],
  epsilon: number,
  options: CompositionOptions = {},
): Interval {
  requireNonNegative('epsilon', epsilon);
  return composeSources(roundSources(rounds), { epsilon }, requireWidth(options));
}

/**
 * Bracket of the smallest epsilon at which all rounds together are (epsilon, delta)-DP; infinity where
 * infinite losses have more than `delta`. A single round is that round's own bracket.
 * @throws ParameterError for no rounds, counts below 1, delta outside [0, 1] or parameters that a round
 * refuses
 * @example composedEpsilon([{ pair: { p: Math.E, beta: 0.2, q: Math.E }, users: 1000, count: 4 }], 1e-6) // { lower: 0.198867, upper: 0.198875 }
 */
export function composedEpsilon(
  rounds: readonly CompositionRounds[],
  delta: number,
  options: CompositionOptions = {},
): Interval {
  requireProbability('delta', delta);
  return composeSources(roundSources(rounds), { delta }, requireWidth(options));
}

/** The width asked for. @throws ParameterError */
export function requireWidth({ relativeWidth = 1e-4 }: CompositionOptions): number {
  if (!(relativeWidth > 0 && relativeWidth <= 0.1)) {
    throw new ParameterError('relativeWidth', relativeWidth, 'in (0, 0.1]');
  }
  return relativeWidth;
}
