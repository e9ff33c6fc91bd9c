/**
 * Mean of numbers by fixed-point randomized response: one message per user, a level of a grid. B. Balle, J.
 * Bell, A. Gascón, K. Nissim, "The Privacy Blanket of the Shuffle Model", CRYPTO 2019, Section 3.2.
 *
 * Where we differ: the local budget is the largest that the certified accountant allows at each grid, and the
 * grid is that with the least worst error over all data; the paper has a closed condition and n^(1/3) steps.
 */
import { onceEach } from '@shuffle-dp/core';
import {
  fixedPointResponse,
  generalizedRandomizedResponse,
  type FixedPointResponse,
} from '@shuffle-dp/randomizers';
import { localBudget, messageStatements, type SingleMessageChoice } from '../local-budget.ts';
import {
  integerField,
  LOCAL_BUDGET,
  SINGLE_MESSAGE_ACCOUNTING,
  type NumberProtocolCard,
} from '../protocol-card.ts';
import { checkNumberSetting, type NumberSetting } from '../setting.ts';
import type { NumberProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled } from '../traced-shuffle.ts';
import { checkNumbers, clippedShift, countsOf, sumOver, valuesOf } from './number-data.ts';
import { sampleRoundedCounts } from './random-rounding.ts';

export interface FixedPointMeanSpec extends SingleMessageChoice {
  readonly kind: 'fixed-point-mean';
  /** Steps k of the grid; by default those with the least worst error. */
  readonly steps?: number;
}

export const FIXED_POINT_MEAN: NumberProtocolCard<FixedPointMeanSpec> = {
  kind: 'fixed-point-mean',
  title: 'Fixed-point randomized response',
  dataKind: 'numbers',
  task: 'mean',
  setByTarget: 'local budget',
  fields: [
    LOCAL_BUDGET,
    SINGLE_MESSAGE_ACCOUNTING,
    integerField(
      'steps',
      1,
      'Steps between the ends of the range; by default those with the least worst error.',
    ),
  ],
  create: fixedPointMean,
};

/** @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon */
export function fixedPointMean(spec: FixedPointMeanSpec, setting: NumberSetting): NumberProtocol {
  const { users, range } = checkNumberSetting(setting);
  const { accounting = 'sharpest' } = spec;
  const randomizer = chooseGrid(spec, { ...setting, range });
  const { steps, epsilon0 } = randomizer;
  const oracle = generalizedRandomizedResponse({ domain: steps + 1, epsilon0 });
  return Object.freeze({
    kind: 'fixed-point-mean',
    name: 'Fixed-point randomized response',
    description:
      'Each number rounded at random to a level, and the level by randomized response, in one message.',
    parameters: Object.freeze({ steps, epsilon0, accounting, low: range.low, high: range.high }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: null,
    worstError: randomizer.largestVariance / users,
    run: (data, stream, path, trace) => {
      checkNumbers(data, users);
      if (path === 'aggregated') {
        const rounded = sampleRoundedCounts({ range, steps }, countsOf(data), stream);
        const counts = oracle.sampleSupportCounts(rounded, stream);
        const all = counts.reduce((sum, count, y) => sum + count * randomizer.message(y), 0);
        return Float64Array.of(all / users);
      }
      const held = valuesOf(data);
      const shuffled = randomizedAndShuffled('levels', randomizer, held, { users, stream, trace });
      return Float64Array.of(randomizer.estimateMean(shuffled));
    },
    ...messageStatements(randomizer, setting, accounting),
    expectedError: (data) => {
      checkNumbers(data, users);
      const shift = clippedShift(data, range);
      return (sumOver(data, (value) => randomizer.variance(value)) + shift * shift) / (users * users);
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: randomizer.bitsPerMessage }),
  } satisfies NumberProtocol);
}

/**
 * The first grid that is tried, and by how much others are finer or coarser: the error is flat around the
 * best.
 */
const FIRST_STEPS = 8;
const STRIDES = [2, 1.4, 1.15];
/** Grids with fewer steps than this are tried one by one. */
const FINE_BELOW = 64;
const MOST_STEPS = 2 ** 20;

/**
 * The randomizer that the spec fixes, or else the grid of least worst error among those at the largest
 * budgets.
 */
function chooseGrid(spec: FixedPointMeanSpec, setting: NumberSetting): FixedPointResponse {
  const { accounting = 'sharpest' } = spec;
  const inputRange = setting.range!;
  const at = onceEach((steps) => {
    const make = (epsilon0: number): FixedPointResponse =>
      fixedPointResponse({ epsilon0, steps, inputRange });
    return make(localBudget(spec.epsilon0, make, setting, accounting).epsilon0);
  });
  if (spec.steps !== undefined) return at(spec.steps);
  let best = FIRST_STEPS;
  const improves = (steps: number): boolean => {
    if (steps < 1 || steps > MOST_STEPS || steps === best) return false;
    if (!(at(steps).largestVariance < at(best).largestVariance)) return false;
    best = steps;
    return true;
  };
  // Uphill or downhill until neither is better, in smaller and smaller strides.
  for (const stride of STRIDES)
    while (improves(Math.ceil(best * stride)) || improves(Math.floor(best / stride)));
  const improvesByOne = (): boolean => best < FINE_BELOW && (improves(best + 1) || improves(best - 1));
  while (improvesByOne());
  return at(best);
}
