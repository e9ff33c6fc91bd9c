/**
 * SAGeo and S1Geo: augmented shufflers with dummies of a two-sided geometric law with unequal sides around a
 * mode, or of a geometric law, which is (epsilon, 0)-private. T. Murakami, Y. Sei, R. Eriguchi, "Augmented
 * Shuffle Protocols …", IEEE S&P 2025, Sections V-B and V-C.
 *
 * Where we differ: the mode of SAGeo is the least by the exact divergence; theirs is the accounting
 * 'original'. Dummies are drawn from the law itself: the authors' program cuts it off at a mass of 1e-7,
 * which costs a delta of that order.
 */
import { ParameterError, Real, sampleGeometricSkip, type RandomStream } from '@shuffle-dp/core';
import {
  geometricDummyDivergence,
  geometricDummyMode,
  geometricDummyRatios,
  geometricNoise,
} from '@shuffle-dp/accounting';
import type { FrequencyProtocolCard } from '../protocol-card.ts';
import { centralTarget, checkCategoricalSetting, type CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import {
  augmentedHistogram,
  bestRate,
  DUMMY_FIELDS,
  leastDummies,
  type DummyAccounting,
} from './augmented-shuffler.ts';
import type { CountNoise } from './noisy-counts.ts';

export interface TwoSidedDummiesSpec {
  readonly kind: 'two-sided-geometric-dummies';
  /** From 1 - e^(-epsilon/2) to 1; by default that of the least error. */
  readonly samplingRate?: number;
  /** Default 'exact'. */
  readonly accounting?: DummyAccounting;
}

export interface OneSidedDummiesSpec {
  readonly kind: 'one-sided-geometric-dummies';
}

export const TWO_SIDED_DUMMIES: FrequencyProtocolCard<TwoSidedDummiesSpec> = {
  kind: 'two-sided-geometric-dummies',
  title: 'SAGeo (augmented shuffler)',
  dataKind: 'categories',
  task: 'frequencies',
  setByTarget: 'noise',
  trust: 'augmented',
  fields: DUMMY_FIELDS,
  create: twoSidedGeometricDummies,
};

export const ONE_SIDED_DUMMIES: FrequencyProtocolCard<OneSidedDummiesSpec> = {
  kind: 'one-sided-geometric-dummies',
  title: 'S1Geo (augmented shuffler)',
  dataKind: 'categories',
  task: 'frequencies',
  setByTarget: 'noise',
  trust: 'augmented',
  fields: [],
  create: oneSidedGeometricDummies,
};

const DESCRIPTION =
  'The own category in the clear; the shuffler samples and adds geometric numbers of dummies.';
const MOST_MODE = 1e7;

interface GeometricNoise extends CountNoise {
  readonly mode: number;
}

/** @throws ParameterError, also where the setting has no epsilon, or the rate is below 1 - e^(-epsilon/2) */
export function twoSidedGeometricDummies(
  spec: TwoSidedDummiesSpec,
  setting: CategoricalSetting,
): FrequencyProtocol {
  checkCategoricalSetting(setting);
  const { delta } = setting;
  const { accounting = 'exact', samplingRate } = spec;
  const epsilon = centralTarget(setting, 'privacy.epsilon');
  const least = -Real.expm1(-epsilon / 2);
  if (samplingRate !== undefined && samplingRate < least)
    throw new ParameterError('samplingRate', samplingRate, `at least 1 - e^(-epsilon/2) = ${least}`);
  const noiseAt = (rate: number): GeometricNoise | null => {
    const mode = modeFor(epsilon, delta, rate, accounting);
    return mode === null ? null : twoSided(epsilon, rate, mode);
  };
  const chosen = bestRate(setting, Math.min(1, least * (1 + 1e-9)), noiseAt, samplingRate);
  if (!chosen)
    throw new ParameterError(
      'epsilon',
      epsilon,
      `larger: it would take over ${MOST_MODE} dummies of an item`,
    );
  const { rate, noise } = chosen;
  return augmentedHistogram(
    {
      kind: 'two-sided-geometric-dummies',
      name: 'SAGeo',
      description: DESCRIPTION,
      rate,
      noise,
      target: epsilon,
      divergence: (at) => geometricDummyDivergence({ design: epsilon, rate, mode: noise.mode }, at),
      parameters: { mode: noise.mode, accounting },
      ...(accounting === 'original' && {
        original: {
          epsilon,
          theorem:
            'Murakami et al. 2025, geometric dummies; proved in accounting/published/augmented-original.ts',
        },
      }),
    },
    setting,
  );
}

/**
 * The rate is 1 - e^(-epsilon/2), and every loss of a count is epsilon/2 or its opposite. @throws
 * ParameterError where the setting has no epsilon
 */
export function oneSidedGeometricDummies(
  _spec: OneSidedDummiesSpec,
  setting: CategoricalSetting,
): FrequencyProtocol {
  checkCategoricalSetting(setting);
  const epsilon = centralTarget(setting, 'privacy.epsilon');
  const rate = -Real.expm1(-epsilon / 2);
  const right = 1 / (1 + Real.exp(epsilon / 2));
  return augmentedHistogram(
    {
      kind: 'one-sided-geometric-dummies',
      name: 'S1Geo',
      description: DESCRIPTION,
      rate,
      target: epsilon,
      divergence: (at) =>
        geometricDummyDivergence({ design: epsilon, rate, mode: 0, logUnsent: -epsilon / 2 }, at),
      noise: {
        law: geometricNoise(0, 0, right),
        sample: (stream) => sampleGeometricSkip(1 - right, stream),
      },
      parameters: {},
    },
    setting,
  );
}

function modeFor(epsilon: number, delta: number, rate: number, accounting: DummyAccounting): number | null {
  if (accounting === 'original') return geometricDummyMode(epsilon, delta, rate);
  return leastDummies(
    MOST_MODE,
    delta,
    (mode) => geometricDummyDivergence({ design: epsilon, rate, mode }, epsilon).upper,
  );
}

function twoSided(epsilon: number, rate: number, mode: number): GeometricNoise {
  const { left, right } = geometricDummyRatios(epsilon, rate);
  // What the masses below the mode weigh against those from the mode on.
  const below = mode === 0 ? 0 : (-left * Real.expm1(mode * Real.log(left))) / (1 - left);
  const shareBelow = below / (below + 1 / (1 - right));
  return {
    mode,
    law: geometricNoise(mode, left, right),
    sample: (stream) =>
      stream.next() < shareBelow
        ? mode - 1 - geometricBelow(mode, left, stream)
        : mode + sampleGeometricSkip(1 - right, stream),
  };
}

/** 0 to bound - 1, of mass proportional to ratio^k: a geometric number, again until it is below the bound. */
function geometricBelow(bound: number, ratio: number, stream: RandomStream): number {
  for (;;) {
    const draw = sampleGeometricSkip(1 - ratio, stream);
    if (draw < bound) return draw;
  }
}
