/**
 * SBin: an augmented shuffler with a binomial number of dummies of every category, Bin(M, 1/2). T. Murakami,
 * Y. Sei, R. Eriguchi, "Augmented Shuffle Protocols …", IEEE S&P 2025, Section V-A.
 *
 * Where we differ: M is the least by the exact divergence, about a quarter of the authors'; theirs is the
 * accounting 'original'.
 */
import { ParameterError, requireInteger, sampleBinomial } from '@shuffle-dp/core';
import { binomialDummyTrials, binomialNoise, exchangedCountDivergence } from '@shuffle-dp/accounting';
import { positiveField, type FrequencyProtocolCard } from '../protocol-card.ts';
import { requireBlanketRate } from '../most-blankets.ts';
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

export interface BinomialDummiesSpec {
  readonly kind: 'binomial-dummies';
  /** In (0, 1]; by default that of the least error, or 1 where the dummies are given. */
  readonly samplingRate?: number;
  /**
   * Dummies of all categories on average, over the number of users; by default the fewest that meet the
   * setting's target.
   */
  readonly blanketRate?: number;
  /** Default 'exact'. */
  readonly accounting?: DummyAccounting;
}

export const BINOMIAL_DUMMIES: FrequencyProtocolCard<BinomialDummiesSpec> = {
  kind: 'binomial-dummies',
  title: 'SBin (augmented shuffler)',
  dataKind: 'categories',
  task: 'frequencies',
  setByTarget: 'blankets',
  trust: 'augmented',
  fields: [
    ...DUMMY_FIELDS,
    positiveField(
      'blanketRate',
      'Dummies for each user, on average; by default the fewest that meet privacy.epsilon.',
    ),
  ],
  create: binomialDummies,
};

const MOST_TRIALS = 1e12;

interface BinomialNoise extends CountNoise {
  readonly trials: number;
}

/** @throws ParameterError, also where neither the spec fixes blanketRate nor the setting an epsilon */
export function binomialDummies(spec: BinomialDummiesSpec, setting: CategoricalSetting): FrequencyProtocol {
  checkCategoricalSetting(setting);
  const { rate, noise } = chooseDummies(spec, setting);
  const { accounting = 'exact' } = spec;
  return augmentedHistogram(
    {
      kind: 'binomial-dummies',
      name: 'SBin',
      description:
        'The own category in the clear; the shuffler samples and adds binomial numbers of dummies.',
      rate,
      noise,
      parameters: { trials: noise.trials, accounting },
      ...(accounting === 'original' && {
        original: {
          epsilon: originalEpsilon(noise.trials, setting.delta, rate),
          theorem:
            'Murakami et al. 2025, binomial dummies; proved in accounting/published/augmented-original.ts',
        },
      }),
    },
    setting,
  );
}

function chooseDummies(
  spec: BinomialDummiesSpec,
  setting: CategoricalSetting,
): { readonly rate: number; readonly noise: BinomialNoise } {
  const { users, domain, delta } = setting;
  if (spec.blanketRate !== undefined)
    return {
      rate: spec.samplingRate ?? 1,
      noise: binomial(Math.round((2 * requireBlanketRate(spec.blanketRate, users) * users) / domain)),
    };
  const epsilon = centralTarget(setting, 'blanketRate');
  const noiseAt = (rate: number, mostVariance: number): BinomialNoise | null => {
    const trials = trialsFor(epsilon, delta, rate, mostVariance, spec.accounting);
    return trials === null ? null : binomial(trials);
  };
  const chosen = bestRate(setting, LEAST_RATE, noiseAt, spec.samplingRate);
  if (chosen) return chosen;
  throw new ParameterError('epsilon', epsilon, `larger: it would take over ${MOST_TRIALS} dummies`);
}

/** Of smaller samples the error is far above that of the dummies they save. */
const LEAST_RATE = 1e-3;

/** @returns null where a trillion are not enough, or more are needed than have `mostVariance` */
function trialsFor(
  epsilon: number,
  delta: number,
  rate: number,
  mostVariance: number,
  accounting: DummyAccounting = 'exact',
): number | null {
  if (accounting === 'original') {
    const trials = binomialDummyTrials(epsilon, delta, rate);
    return trials <= MOST_TRIALS ? trials : null;
  }
  const divergenceOf = (count: number): number =>
    exchangedCountDivergence(binomialNoise(count), rate, epsilon).upper;
  const most = Math.ceil(4 * mostVariance);
  // One look says of most rates that they are worse.
  if (most < MOST_TRIALS && divergenceOf(most) > delta) return null;
  return leastDummies(MOST_TRIALS, delta, divergenceOf);
}

/** The least epsilon for which the authors ask for no more trials; infinite where they always do. */
function originalEpsilon(trials: number, delta: number, rate: number): number {
  let [low, high] = [1e-9, 50];
  if (binomialDummyTrials(high, delta, rate) > trials) return Infinity;
  // By bisection: the number asked for is a step function.
  while (high / low > 1 + 1e-12) {
    const middle = Math.sqrt(low * high);
    if (binomialDummyTrials(middle, delta, rate) <= trials) high = middle;
    else low = middle;
  }
  return high;
}

function binomial(trials: number): BinomialNoise {
  requireInteger('trials', trials, 0, MOST_TRIALS);
  return {
    trials,
    law: binomialNoise(trials),
    sample: (stream) => sampleBinomial(trials, 1 / 2, stream),
  };
}
