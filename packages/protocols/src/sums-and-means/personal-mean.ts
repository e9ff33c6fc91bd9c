/**
 * Mean of numbers with budgets of the users' own: noise of the own width, all messages shuffled together. No
 * message shows its budget, so that all weigh the same: the average of Laplace and Gaussian messages is
 * unbiased whoever has which budget; Clip-Laplace messages of all budgets share what they shrink the range
 * to, that of the smallest budget, or the analyzer inverts the mean function of the average user (Liu et al.,
 * "Echo of Neighbors", AAAI 2023, Algorithm 1), which is biased where users differ.
 */
import { ParameterError, type MeanRandomizer } from '@shuffle-dp/core';
import { clipLaplace, gaussianMechanism, laplaceMechanism, largestShrinkage } from '@shuffle-dp/randomizers';
import { calibrationOfLevels } from '../learning/clip-laplace-calibration.ts';
import { checkNumberSetting, type NumberSetting } from '../setting.ts';
import { jointPaths, type NumberProtocol } from '../shuffle-protocol.ts';
import { checkNumbers, countsOf, valuesOf } from './number-data.ts';
import { placedNumbers } from './placed-numbers.ts';
import type { SingleMessageMeanParameters, SingleMessageMeanSpec } from './mean-spec.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';
import { checkBudgets, dealtCounts, dealtValues } from '../personalized/assigned-levels.ts';
import {
  gaussianDeviation,
  type BudgetLevel,
  type PersonalRandomizer,
} from '../personalized/budget-groups.ts';
import { budgetParameters, personalStatements } from '../personalized/personal-privacy.ts';

/** Whose randomizers the accountant knows. */
export const PERSONAL_NUMBER_RANDOMIZERS: readonly string[] = ['laplace', 'clip-laplace', 'gaussian'];

const RANGE = { low: -1, high: 1 };

/**
 * @throws ParameterError for other randomizers, a spec that fixes budget or noise, and budgets of more or
 * fewer users
 */
export function personalMean(
  spec: SingleMessageMeanSpec,
  setting: NumberSetting & { readonly budgets: readonly BudgetLevel[] },
): NumberProtocol<SingleMessageMeanParameters> {
  const { users, range } = checkNumberSetting(setting);
  const levels = checkBudgets(setting.budgets, users);
  const { correction = 'user' } = spec;
  const { title, randomizers, law } = randomizersOf(spec, levels);
  const [first] = randomizers as [MeanRandomizer, ...MeanRandomizer[]];
  const biased = spec.randomizer === 'clip-laplace' && correction === 'average';
  const calibrate = biased ? calibrationOfLevels(levels, RANGE.high) : null;
  // The means of messages are the same for all levels.
  const { placed, named, expectedError } = placedNumbers(range, first);
  const sampleSums = randomizers.map(({ sampleSum }) => sampleSum);
  const isSummed = sampleSums.every((sampleSum) => sampleSum !== undefined);

  return Object.freeze({
    kind: 'mean',
    name: `${title}, own budgets`,
    description: biased
      ? "One number per user, randomized with the user's own budget; all are shuffled together. The mean function of the average user corrects the average, which is biased where users differ."
      : "One number per user, randomized with the user's own budget; all are shuffled together.",
    parameters: Object.freeze({
      randomizer: spec.randomizer,
      ...(spec.randomizer === 'clip-laplace' ? { correction } : {}),
      accounting: spec.accounting ?? 'sharpest',
      ...budgetParameters(levels),
      low: range.low,
      high: range.high,
    }),
    paths: isSummed ? (['messages', 'aggregated'] as const) : (['messages'] as const),
    jointPaths: jointPaths({ jointSupportCounts: isSummed }),
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkNumbers(data, users);
      if (path === 'aggregated') {
        if (!isSummed) throw new ParameterError('path', path, "'messages': the sum has no law of its own");
        const { points, holders } = countsOf(data);
        const held = dealtCounts(holders, levels, stream.fork('budgets'));
        const own = stream.fork('sums');
        let sum = 0;
        held.forEach((ofLevel, t) =>
          ofLevel.forEach((count, i) => {
            if (count > 0) sum += sampleSums[t]!(placed(points[i]!), count, own);
          }),
        );
        return Float64Array.of(named(sum / users));
      }
      const messages = first.allocate(users);
      const sent = stream.fork('messages');
      let start = 0;
      dealtValues(valuesOf(data).map(placed), levels, stream.fork('budgets')).forEach((values, t) => {
        const part = randomizers[t]!.allocate(values.length);
        randomizers[t]!.randomizeInto(values, part, sent);
        messages.columns.value.set(part.columns.value.subarray(0, values.length), start);
        start += values.length;
      });
      messages.count = users;
      const shuffled = shuffleWithTrace('numbers', messages, stream, trace);
      if (!calibrate) return Float64Array.of(named(first.estimateMean(shuffled)));
      const { value } = shuffled.columns;
      return Float64Array.of(named(calibrate(value.reduce((sum, message) => sum + message, 0) / users)));
    },
    ...personalStatements(levels, law, setting.delta),
    expectedError: (data) => {
      checkNumbers(data, users);
      if (biased) return null;
      // A user is as likely to have any of the budgets as there are users who have it.
      return expectedError(data, (place) =>
        randomizers.reduce((sum, { variance }, t) => sum + (levels[t]!.users / users) * variance(place), 0),
      );
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: first.bitsPerMessage }),
  } satisfies NumberProtocol<SingleMessageMeanParameters>);
}

interface PersonalRandomizers {
  readonly title: string;
  /** One for each level. */
  readonly randomizers: readonly MeanRandomizer[];
  readonly law: PersonalRandomizer;
}

/** @throws ParameterError for fields of other randomizers */
function randomizersOf(
  { randomizer, epsilon0, sigma, correction, localDelta, accounting }: SingleMessageMeanSpec,
  levels: readonly BudgetLevel[],
): PersonalRandomizers {
  const own = 'for users with budgets of their own';
  const width = RANGE.high - RANGE.low;
  for (const [name, value] of Object.entries({ epsilon0, sigma }))
    if (value !== undefined) throw new ParameterError(name, value, `left out ${own}`);
  if (accounting === 'variation-ratio')
    throw new ParameterError('accounting', accounting, `'sharpest' or 'blanket' ${own}`);
  if (correction !== undefined && randomizer !== 'clip-laplace')
    throw new ParameterError('correction', correction, `left out for ${randomizer}`);
  if (localDelta !== undefined && randomizer !== 'gaussian')
    throw new ParameterError('localDelta', localDelta, `left out for ${randomizer}`);
  const each = (make: (budget: number) => MeanRandomizer): MeanRandomizer[] =>
    levels.map(({ budget }) => make(budget));
  switch (randomizer) {
    case 'laplace':
      return {
        title: 'Laplace mechanism',
        randomizers: each((budget) => laplaceMechanism({ epsilon0: budget, inputRange: RANGE })),
        law: { kind: 'laplace' },
      };
    case 'gaussian':
      if (localDelta === undefined)
        throw new ParameterError('localDelta', 'nothing', `given for gaussian ${own}`);
      return {
        title: 'Gaussian mechanism',
        randomizers: each((budget) =>
          gaussianMechanism({ sigma: width * gaussianDeviation(budget, localDelta), inputRange: RANGE }),
        ),
        law: { kind: 'gaussian', localDelta },
      };
    case 'clip-laplace': {
      const common =
        correction === 'average'
          ? ({ correction } as const)
          : { shrinkage: largestShrinkage(Math.min(...levels.map(({ budget }) => budget))) };
      return {
        title: `Clip-Laplace mechanism, ${correction === 'average' ? 'calibrated' : 'unbiased'}`,
        randomizers: each((budget) => clipLaplace({ epsilon0: budget, inputRange: RANGE, ...common })),
        law: { kind: 'clip-laplace' },
      };
    }
    default:
      throw new ParameterError(
        'randomizer',
        randomizer,
        `one of ${PERSONAL_NUMBER_RANDOMIZERS.join(', ')} ${own}`,
      );
  }
}
