/**
 * The one-bit mechanism of Duchi et al. for bounded numbers: one of two outputs, as far from the middle of
 * the range as keeps the mean. J. Duchi, M. Jordan, M. Wainwright, "Minimax Optimal Procedures for Locally
 * Private Estimation", JASA 113, 2018; in one dimension as T. Nguyen et al., 2016.
 */
import {
  Real,
  requirePositive,
  sampleBinomial,
  type AmplificationProfile,
  type MeanRandomizer,
} from '@shuffle-dp/core';
import {
  budgetCard,
  clampTo,
  requireRange,
  unbiasedMean,
  type BoundedNumberParameters,
} from './bounded-value.ts';
import { likelihoodAtoms } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { middleOf } from '../laws/output-cells.ts';
import {
  largestVariation,
  lowBlanket,
  sameAsFirst,
  twoLevelLaw,
  type TwoLevelLaw,
} from '../laws/two-level-law.ts';
import { otherInput, singlePair } from '../laws/typed-inputs.ts';

export interface DuchiMechanism extends MeanRandomizer {
  /** The two messages. */
  readonly outputs: { readonly low: number; readonly high: number };
  /** Probability of a message; 0 for other numbers. */
  density(output: number, input: number): number;
}

export const DUCHI = budgetCard(
  {
    name: 'duchi',
    title: "Duchi's mechanism",
    description: 'A number of a bounded range as one of two outputs.',
    source: 'Duchi, Jordan and Wainwright, JASA 2018',
    citation: 'duchi2018',
    ratios: { p: 'e^epsilon0', beta: '(p - 1) / (p + 1)', q: 'p' },
    estimator: 'the mean of the messages',
  },
  duchiMechanism,
);

/**
 * Duchi's one-bit mechanism for bounded numbers, unbiased.
 *
 * @throws ParameterError
 * @example duchiMechanism({ epsilon0: 1 }).variance(0) // 4.68269
 */
export function duchiMechanism({
  epsilon0,
  inputRange = { low: -1, high: 1 },
}: BoundedNumberParameters): DuchiMechanism {
  requirePositive('epsilon0', epsilon0);
  const range = requireRange(inputRange);
  const middle = middleOf(range);
  const half = (range.high - range.low) / 2;
  const gap = Real.tanh(epsilon0 / 2);
  const reach = half / gap;
  const outputs = Object.freeze({ low: middle - reach, high: middle + reach });
  const law = twoLevelLaw(1 / 2, epsilon0);
  /** Probability of the upper message; the middle is rounded, which leads out of [0, 1] at the ends. */
  const upper = (input: number): number =>
    Math.min(1, Math.max(0, (1 + (gap * (clampTo(range, input) - middle)) / half) / 2));
  return Object.freeze({
    name: 'duchi',
    epsilon0,
    ...unbiasedMean(range),
    outputs,
    bitsPerMessage: 1,
    randomizeInto(values, messages, stream) {
      const { value } = messages.columns;
      for (let i = 0; i < values.length; i++)
        value[i] = stream.next() < upper(values[i]!) ? outputs.high : outputs.low;
      messages.count = values.length;
    },
    density(output, input) {
      if (output === outputs.high) return upper(input);
      return output === outputs.low ? 1 - upper(input) : 0;
    },
    variance: (input) => reach * reach - (clampTo(range, input) - middle) ** 2,
    sampleSum(input, users, stream) {
      const high = sampleBinomial(users, upper(input), stream);
      return high * outputs.high + (users - high) * outputs.low;
    },
    amplification: () => profile(epsilon0, law),
  } satisfies DuchiMechanism);
}

/** The ends of the range are binary randomized response; all other inputs mix them. */
function profile(epsilon0: number, law: TwoLevelLaw): AmplificationProfile {
  return {
    variationRatio: localRatios(epsilon0, largestVariation(law)),
    blanket: [lowBlanket('both ends of the range', law)],
    homogeneous: [
      likelihoodAtoms('all others hold the middle of the range', [
        [law.high / 2, law.low / 2, 1 / 2],
        [law.low / 2, law.high / 2, 1 / 2],
      ]),
      sameAsFirst("the victim's first value", law),
    ],
    // The divergence is convex in the victim's two laws and linear in that of each other user
    // (docs/sharp-bound.md): only the two ends matter.
    typed: singlePair(
      'both ends of the range',
      [
        otherInput("the victim's first value", [
          [law.high / 2, law.low / 2, law.high / 2, law.low / 2],
          [law.low / 2, law.high / 2, law.low / 2, law.low / 2],
        ]),
        otherInput("the victim's second value", [
          [law.high / 2, law.low / 2, law.low / 2, law.low / 2],
          [law.low / 2, law.high / 2, law.high / 2, law.low / 2],
        ]),
      ],
      2,
    ),
  };
}
