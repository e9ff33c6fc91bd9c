/**
 * Mean of numbers with one message per user: any randomizer of numbers, the shuffler, and the randomizer's
 * estimate of the mean. The local budget, or the noise, is the largest, or the least, whose shuffled messages
 * meet the central target.
 */
import {
  beyond,
  ParameterError,
  real,
  requireOneOf,
  requirePositive,
  type MeanRandomizer,
  type NumberCard,
} from '@shuffle-dp/core';
import type { MetTarget } from '@shuffle-dp/accounting';
import { CLIP_LAPLACE_CORRECTIONS, clipLaplace, NUMBER_RANDOMIZERS } from '@shuffle-dp/randomizers';
import {
  choiceField,
  LOCAL_BUDGET,
  SINGLE_MESSAGE_ACCOUNTING,
  positiveField,
  rangeField,
  type NumberProtocolCard,
} from '../protocol-card.ts';
import { localBudget, messageStatements } from '../local-budget.ts';
import { calibratedNoise } from './least-noise.ts';
import type { SingleMessageMeanParameters, SingleMessageMeanSpec } from './mean-spec.ts';
import { PERSONAL_NUMBER_RANDOMIZERS, personalMean } from './personal-mean.ts';
import { checkNumberSetting, type NumberSetting } from '../setting.ts';
import { jointPaths, type NumberProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled } from '../traced-shuffle.ts';
import { checkNumbers, countsOf, valuesOf } from './number-data.ts';
import { placedNumbers } from './placed-numbers.ts';

/** Those that one number sets: the budget, or the noise. */
const CARDS = NUMBER_RANDOMIZERS.filter(
  ({ parameters }) => parameters.length === 1 && ['epsilon0', 'sigma'].includes(parameters[0]!.name),
);

export const SINGLE_MESSAGE_MEAN: NumberProtocolCard<SingleMessageMeanSpec, SingleMessageMeanParameters> = {
  kind: 'mean',
  title: 'Single-message mean',
  dataKind: 'numbers',
  task: 'mean',
  setByTarget: 'local budget',
  sharpBound: true,
  ownBudgets: PERSONAL_NUMBER_RANDOMIZERS,
  fields: [
    {
      type: 'choice',
      name: 'randomizer',
      choices: CARDS.map(({ name }) => name),
      swept: true,
      required: true,
    },
    LOCAL_BUDGET,
    positiveField(
      'sigma',
      'For gaussian: standard deviation of the noise in widths of the range; by default the least that meets privacy.epsilon.',
    ),
    choiceField(
      'correction',
      CLIP_LAPLACE_CORRECTIONS,
      "For clip-laplace: 'user' (default) moves each number outwards first and is unbiased; 'average' corrects the average.",
    ),
    rangeField(
      real('localDelta', beyond(0), beyond(1), 'local failure probability'),
      'in (0, 1)',
      'For gaussian with personal budgets: the failure probability of the local budgets.',
    ),
    SINGLE_MESSAGE_ACCOUNTING,
  ],
  create: (spec, { budgets, ...setting }) =>
    budgets ? personalMean(spec, { ...setting, budgets }) : singleMessageMean(spec, setting),
};

/**
 * @throws ParameterError, also where neither the spec fixes the budget or the noise nor the setting an
 * epsilon
 */
export function singleMessageMean(
  spec: SingleMessageMeanSpec,
  setting: NumberSetting,
): NumberProtocol<SingleMessageMeanParameters> {
  const { users, range } = checkNumberSetting(setting);
  const { accounting = 'sharpest', correction } = spec;
  const card = cardOf(spec);
  const { randomizer, by } = calibrated(card, spec, setting);
  const { placed, named, expectedError } = placedNumbers(range, randomizer);
  const noise = card.parameters[0]!.name === 'sigma';
  const biased = correction === 'average';
  const sampleSum = biased ? undefined : randomizer.sampleSum;

  return Object.freeze({
    kind: 'mean',
    name: card.title + (card.name === 'clip-laplace' ? (biased ? ', calibrated' : ', unbiased') : ''),
    description: biased
      ? 'One randomized number per user, shuffled; the mean function corrects the average, which is biased where users differ.'
      : 'One randomized number per user, shuffled.',
    parameters: Object.freeze({
      randomizer: card.name,
      ...(noise ? { sigma: noiseOf(randomizer) } : { epsilon0: randomizer.epsilon0 }),
      ...(card.name === 'clip-laplace' ? { correction: correction ?? 'user' } : {}),
      accounting,
      low: range.low,
      high: range.high,
    }),
    paths: sampleSum ? (['messages', 'aggregated'] as const) : (['messages'] as const),
    jointPaths: jointPaths({ jointSupportCounts: sampleSum !== undefined }),
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkNumbers(data, users);
      if (path === 'aggregated') {
        if (!sampleSum) throw new ParameterError('path', path, "'messages': the sum has no law of its own");
        const { points, holders } = countsOf(data);
        let sum = 0;
        points.forEach((point, i) => {
          if (holders[i]! > 0) sum += sampleSum(placed(point), holders[i]!, stream);
        });
        return Float64Array.of(named(sum / users));
      }
      const held = valuesOf(data).map(placed);
      const shuffled = randomizedAndShuffled('numbers', randomizer, held, { users, stream, trace });
      return Float64Array.of(named(randomizer.estimateMean(shuffled)));
    },
    ...messageStatements(randomizer, setting, accounting, by),
    expectedError: (data) => {
      checkNumbers(data, users);
      return biased ? null : expectedError(data, randomizer.variance);
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: randomizer.bitsPerMessage }),
  } satisfies NumberProtocol<SingleMessageMeanParameters>);
}

/** @throws ParameterError for an unknown name, and for fields of other randomizers */
function cardOf({ randomizer, epsilon0, sigma, correction, localDelta }: SingleMessageMeanSpec): NumberCard {
  const card = CARDS.find(({ name }) => name === requireOneOf('randomizer', randomizer, CARDS.map(nameOf)))!;
  const free = card.parameters[0]!.name;
  if (epsilon0 !== undefined && free !== 'epsilon0')
    throw new ParameterError('epsilon0', epsilon0, `left out for ${card.name}, which has ${free}`);
  if (sigma !== undefined && free !== 'sigma')
    throw new ParameterError('sigma', sigma, `left out for ${card.name}, which has ${free}`);
  if (localDelta !== undefined)
    throw new ParameterError('localDelta', localDelta, 'left out where no user has a budget of the own');
  if (correction !== undefined && card.name !== 'clip-laplace')
    throw new ParameterError('correction', correction, `left out for ${card.name}`);
  return card;
}

const nameOf = ({ name }: NumberCard): string => name;

/** By which bound it meets the setting's target, where that chose it. */
interface CalibratedMean {
  readonly randomizer: MeanRandomizer;
  readonly by?: MetTarget['by'];
}

/** At the budget or the noise of the spec, or else at what the central target allows. */
function calibrated(card: NumberCard, spec: SingleMessageMeanSpec, setting: NumberSetting): CalibratedMean {
  const { accounting = 'sharpest' } = spec;
  if (card.parameters[0]!.name === 'sigma') {
    const make = (sigma: number): MeanRandomizer => card.make({ sigma });
    if (spec.sigma !== undefined) return { randomizer: make(spec.sigma) };
    const { value, by } = calibratedNoise(make, setting, accounting);
    return { randomizer: make(value), by };
  }
  const make = (epsilon0: number): MeanRandomizer =>
    spec.correction === 'average'
      ? clipLaplace({ epsilon0, correction: 'average' })
      : card.make({ epsilon0 });
  const { epsilon0, by } = localBudget(spec.epsilon0, make, setting, accounting);
  return { randomizer: make(requirePositive('epsilon0', epsilon0)), ...(by && { by }) };
}

/** In widths of the range. */
function noiseOf({ variance, inputRange }: MeanRandomizer): number {
  return Math.sqrt(variance(inputRange.low)) / (inputRange.high - inputRange.low);
}
