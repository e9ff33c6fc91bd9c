/**
 * The piecewise mechanism for bounded numbers: an output of a bounded interval, e^epsilon0 times as likely in
 * a window that moves with the input as elsewhere. N. Wang et al., "Collecting and Analyzing Multidimensional
 * Data with Local Differential Privacy", ICDE 2019.
 */
import { Real, requirePositive, type AmplificationProfile, type MeanRandomizer } from '@shuffle-dp/core';
import {
  budgetCard,
  clampTo,
  requireRange,
  unbiasedMean,
  type BoundedNumberParameters,
} from './bounded-value.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { middleOf, type InputRange } from '../laws/output-cells.ts';
import { piecewiseInputs } from './piecewise-inputs.ts';
import {
  largestVariation,
  lowBlanket,
  regionAtoms,
  sameAsFirst,
  twoLevelLaw,
  type Region,
  type TwoLevelLaw,
} from '../laws/two-level-law.ts';

export interface PiecewiseMechanism extends MeanRandomizer {
  /** All messages lie here. */
  readonly outputRange: InputRange;
}

export const PIECEWISE = budgetCard(
  {
    name: 'piecewise',
    title: 'Piecewise mechanism',
    description:
      'A number of a bounded range, sent as an output; outputs in a window that moves with the number are likelier.',
    source: 'Wang et al., ICDE 2019',
    citation: 'nwang2019',
    ratios: { p: 'e^epsilon0', beta: '1 - e^(-epsilon0/2)', q: 'p' },
    estimator: 'the mean of the messages',
  },
  piecewiseMechanism,
);

/**
 * The piecewise mechanism for bounded numbers, unbiased.
 *
 * @throws ParameterError
 * @example piecewiseMechanism({ epsilon0: 1 }).variance(0) // 3.6821
 */
export function piecewiseMechanism({
  epsilon0,
  inputRange = { low: -1, high: 1 },
}: BoundedNumberParameters): PiecewiseMechanism {
  requirePositive('epsilon0', epsilon0);
  const range = requireRange(inputRange);
  const middle = middleOf(range);
  const half = (range.high - range.low) / 2;
  /** In units of half the range: messages lie within [-reach, reach], the window has the length reach - 1. */
  const spare = Real.tanh(epsilon0 / 4);
  const reach = 1 / spare;
  const window = 2 / Real.expm1(epsilon0 / 2);
  const inside = 1 / (1 + Real.exp(-epsilon0 / 2));
  const law = twoLevelLaw(1 / (1 + Real.exp(epsilon0 / 2)), epsilon0, spare);
  const place = (input: number): number => (clampTo(range, input) - middle) / half;
  const windowStart = (x: number): number => ((reach + 1) * x - window) / 2;
  return Object.freeze({
    name: 'piecewise',
    epsilon0,
    ...unbiasedMean(range),
    outputRange: Object.freeze({ low: middle - half * reach, high: middle + half * reach }),
    bitsPerMessage: 64,
    randomizeInto(values, messages, stream) {
      const { value } = messages.columns;
      for (let i = 0; i < values.length; i++) {
        const start = windowStart(place(values[i]!));
        let output: number;
        if (stream.next() < inside) output = start + window * stream.next();
        else {
          // Outside of the window is the length reach + 1; what lies beyond the window is moved by its
          // length.
          output = (reach + 1) * stream.next() - reach;
          if (output >= start) output += window;
        }
        value[i] = middle + half * output;
      }
      messages.count = values.length;
    },
    density(output, input) {
      const z = (output - middle) / half;
      if (Math.abs(z) > reach) return 0;
      const start = windowStart(place(input));
      return (z >= start && z < start + window ? law.high : law.low) / (2 * reach * half);
    },
    variance(input) {
      const x = place(input);
      const grown = Real.expm1(epsilon0 / 2);
      return half * half * ((x * x) / grown + (grown + 4) / (3 * grown * grown));
    },
    amplification: () => profile(epsilon0, law),
  } satisfies PiecewiseMechanism);
}

/**
 * The windows of the ends of the range do not meet; one in between may meet either, and both where it is
 * longer than 2.
 */
function profile(epsilon0: number, law: TwoLevelLaw): AmplificationProfile {
  const { share, neither } = law;
  /** Others hold this value, in units of half the range; by which windows an output is in. */
  const between = (x: number): Region[] => {
    // A window has the length reach - 1 of the outputs' 2 reach, and their rest is 1 / reach of them.
    const common0 = Math.max(0, (1 - 3 * neither - (1 + neither) * x) / 4);
    const common1 = Math.max(0, (1 - 3 * neither + (1 + neither) * x) / 4);
    // A window that meets both of the others holds what is between them, and nothing lies outside of all.
    const isBetween = common0 > 0 && common1 > 0;
    return [
      [common0, true, false, true],
      [share - common0, true, false, false],
      [common1, false, true, true],
      [share - common1, false, true, false],
      [isBetween ? neither : share - common0 - common1, false, false, true],
      [isBetween ? 0 : 1 - 3 * share + common0 + common1, false, false, false],
    ];
  };
  return {
    variationRatio: localRatios(epsilon0, largestVariation(law)),
    blanket: [lowBlanket('both ends of the range', law)],
    homogeneous: [
      regionAtoms('all others hold the middle of the range', law, between(0)),
      regionAtoms(
        'all others hold the value halfway between the middle and an end',
        law,
        between(1 / 2),
        false,
      ),
      sameAsFirst("the victim's first value", law),
    ],
    typed: piecewiseInputs(law),
  };
}
