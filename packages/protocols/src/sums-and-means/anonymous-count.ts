/**
 * How many users hold a one, from messages that are all alike, or of two signs. B. Ghazi, R. Kumar, P.
 * Manurangsi, R. Pagh, "Private Counting from Anonymous Messages: Near-Optimal Accuracy with Vanishing
 * Communication Overhead", ICML 2020. Noise is infinitely divisible, and every user sends a share.
 *
 * Where we differ: the parameters are the least by exact divergences, where the paper has constants of its
 * proof; numbers between 0 and 1 are rounded at random.
 */
import {
  ParameterError,
  from,
  interval,
  onDemand,
  real,
  beyond,
  Real,
  sampleNegativeBinomial,
  samplePoisson,
  requireOpenUnit,
  type Cost,
  type PrivacyStatement,
  type Interval,
  type RandomStream,
  type UserMessages,
} from '@shuffle-dp/core';
import {
  negativeBinomialNoise,
  noisyCountEpsilon,
  shiftedCountDivergence,
  signedCountDivergence,
  signedShareProfile,
  type SignedShare,
} from '@shuffle-dp/accounting';
import { privacyOfThoseLeft } from '../histograms/threatened-blankets.ts';
import { leastNoiseMean } from '../least-noise-mean.ts';
import { choiceField, rangeField, type NumberProtocolCard } from '../protocol-card.ts';
import { centralTarget, checkNumberSetting, type NumberSetting } from '../setting.ts';
import type { NumberProtocol } from '../shuffle-protocol.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';
import { HONEST_FIELD, noisePlan, type CountedOn } from './counted-on.ts';
import { checkNumbers, clippedShift, countsOf, sumOver, valuesOf } from './number-data.ts';
import { placeOf, roundAtRandom, roundingVariance, sampleRoundedSum } from './random-rounding.ts';

export interface AnonymousCountSpec extends CountedOn {
  readonly kind: 'anonymous-count';
  /**
   * 'both' (default): +1 and -1, near the error of the central model. 'plus': fewer messages of one kind, and
   * more noise.
   */
  readonly signs?: 'plus' | 'both';
  /**
   * Variance over mean of the negative binomial numbers that only hide, in [1, 100]; 1 is Poisson. Default 1
   * for one sign, 3 for both.
   */
  readonly dispersion?: number;
  /**
   * Of both signs: the noise of the difference is that of so much of epsilon, in (0, 1); default 0.8. The
   * rest hides the numbers.
   */
  readonly share?: number;
}

export const ANONYMOUS_COUNT: NumberProtocolCard<AnonymousCountSpec> = {
  kind: 'anonymous-count',
  title: 'Anonymous count',
  dataKind: 'numbers',
  task: 'mean',
  setByTarget: 'noise',
  fields: [
    choiceField('signs', ['plus', 'both'], 'Messages of one kind, or of two; default both.'),
    rangeField(
      real('dispersion', from(1), from(100), 'dispersion'),
      'a number from 1 to 100',
      'Variance over mean of the numbers that only hide; 1 is Poisson. Default 1 for one sign, 3 for both.',
    ),
    rangeField(
      real('share', beyond(0), beyond(1), 'share'),
      'a number between 0 and 1',
      'Of both signs: the share of epsilon that the noise of the difference takes; default 0.8.',
    ),
    HONEST_FIELD,
  ],
  create: anonymousCount,
};

/** Messages beside the ones, by their laws over the users who are counted on. */
interface CountPlan {
  /** Variance of the sum's noise. */
  readonly variance: number;
  /** Expectation of the sum's noise. */
  readonly bias: number;
  /** Expected noise messages in all. */
  readonly messages: number;
  readonly parameters: Readonly<Record<string, number | string>>;
  /** Noise of those who add so many times all that is planned, as numbers of +1 and of -1. */
  noise(share: number, stream: RandomStream): readonly [plus: number, minus: number];
  /** The least epsilon with so many times the noise that is planned. */
  epsilon(share: number, delta: number): Interval;
}

type SignColumns = { readonly sign: Int32Array };

/** @throws ParameterError, also where the setting has no epsilon */
export function anonymousCount(spec: AnonymousCountSpec, setting: NumberSetting): NumberProtocol {
  const { users, delta, range } = checkNumberSetting(setting);
  const epsilon = centralTarget(setting, 'privacy.epsilon');
  const { honest, delta: left } = noisePlan(spec, setting);
  const plan = spec.signs === 'plus' ? onePlan(spec, epsilon, left) : twoPlan(spec, epsilon, left);
  return countOf({ ...plan, honest, delta, range }, users);
}

interface CountSetting extends CountPlan {
  /** Users who add the noise that is planned. */
  readonly honest: number;
  readonly delta: number;
  readonly range: Required<NumberSetting>['range'];
}

/** @param users who take part: those whom the plan was made for, or others who send the same */
function countOf(plan: CountSetting, users: number): NumberProtocol {
  const { honest, delta, range } = plan;
  /** How much more noise all users add than is planned for. */
  const whole = users / honest;
  const variance = whole * plan.variance;
  const grid = { range, steps: 1 };
  const scale = (range.high - range.low) / users;
  const estimate = (difference: number): Float64Array =>
    Float64Array.of(range.low + scale * (difference - whole * plan.bias));
  const proved = (present: number, leastDelta: number): PrivacyStatement =>
    statement(plan.epsilon(present / honest, leastDelta), leastDelta, present === users ? null : present);
  const certified = onDemand(() => [proved(users, delta)]);
  /** @param ones expected, of all users */
  const costAt = (ones: number): Cost => {
    const messages = (ones + whole * plan.messages) / users;
    return { messagesPerUser: messages, bitsPerUser: messages };
  };
  return Object.freeze({
    kind: 'anonymous-count',
    name: 'Anonymous count',
    description: 'A message for each one, among shares of noise that are messages of the same kinds.',
    parameters: Object.freeze({
      ...plan.parameters,
      ...(honest === users ? {} : { honest }),
      low: range.low,
      high: range.high,
    }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: null,
    worstError: scale * scale * (users / 4 + variance),
    run: (data, stream, path, trace) => {
      checkNumbers(data, users);
      if (path === 'aggregated') {
        const [plus, minus] = plan.noise(whole, stream);
        return estimate(sampleRoundedSum(grid, countsOf(data), stream) + plus - minus);
      }
      const sent = sendAll(
        valuesOf(data),
        (value, user) => roundAtRandom(placeOf(grid, value), user),
        (user) => plan.noise(1 / honest, user),
        stream,
      );
      const { columns, count } = shuffleWithTrace('messages', sent, stream, trace);
      let difference = 0;
      for (let i = 0; i < count; i++) difference += columns.sign[i]!;
      return estimate(difference);
    },
    privacy: certified,
    certifiedPrivacy: certified,
    threatenedPrivacy: (threats) => [privacyOfThoseLeft(users, delta, threats, proved)],
    expectedError: (data) => {
      checkNumbers(data, users);
      const rounding = sumOver(data, (value) => roundingVariance(placeOf(grid, value)));
      return scale * scale * (rounding + variance) + (clippedShift(data, range) / users) ** 2;
    },
    sentBy: (others) => countOf(plan, others),
    /** The most: where all hold a one. */
    cost: () => costAt(users),
    costOf: (data) => costAt(sumOver(data, (value) => placeOf(grid, value))),
  } satisfies NumberProtocol);
}

function onePlan(
  { dispersion = 1, share: ofEpsilon }: AnonymousCountSpec,
  epsilon: number,
  delta: number,
): CountPlan {
  if (ofEpsilon !== undefined)
    throw new ParameterError('share', ofEpsilon, "left out where signs are 'plus'");
  const success = 1 / dispersion;
  const divergenceAt = (mean: number) => (at: number) =>
    shiftedCountDivergence(negativeBinomialNoise(mean, success), 1, at);
  const mean = leastMean(divergenceAt, epsilon, delta);
  return {
    variance: mean * dispersion,
    bias: mean,
    messages: mean,
    parameters: { signs: 'plus', dispersion, noiseMean: mean },
    noise: (share, stream) => [drawNoise(share * mean, dispersion, stream), 0],
    epsilon: (share, leastDelta) => noisyCountEpsilon(divergenceAt(share * mean), leastDelta),
  };
}

function twoPlan(
  { dispersion = 3, share: ofEpsilon = 0.8 }: AnonymousCountSpec,
  epsilon: number,
  delta: number,
): CountPlan {
  requireOpenUnit('share', ofEpsilon);
  const ratio = Real.exp(-ofEpsilon * epsilon);
  const divergenceAt = (mean: number) => (at: number) =>
    signedCountDivergence({ ratio, shared: negativeBinomialNoise(mean, 1 / dispersion) }, at);
  const left = (1 - ofEpsilon) * epsilon;
  const about = (2 * Real.log(1 / delta)) / (left * left * dispersion);
  const mean = leastMean(divergenceAt, epsilon, delta, about);
  const geometric = ratio / (1 - ratio);
  const lessNoise = (share: number): SignedShare => ({
    ratio,
    share,
    shared: negativeBinomialNoise(share * mean, 1 / dispersion),
  });
  return {
    variance: (2 * geometric) / (1 - ratio),
    bias: 0,
    messages: 2 * (mean + geometric),
    parameters: { signs: 'both', ratio, dispersion, sharedMean: mean },
    noise: (share, stream) => {
      const both = drawNoise(share * mean, dispersion, stream);
      const own = (): number => sampleNegativeBinomial(share, 1 - ratio, stream);
      return [both + own(), both + own()];
    },
    epsilon: (share, leastDelta) => {
      if (share < 1) {
        const less = signedShareProfile(lessNoise(share));
        return less === null ? interval(0, Infinity) : noisyCountEpsilon(less, leastDelta);
      }
      // More hides more: it could be added to what the planned noise hides.
      const { lower, upper } = noisyCountEpsilon(divergenceAt(mean), leastDelta);
      return interval(share === 1 ? lower : 0, upper);
    },
  };
}

function drawNoise(mean: number, dispersion: number, stream: RandomStream): number {
  if (dispersion === 1) return samplePoisson(mean, stream);
  return sampleNegativeBinomial(mean / (dispersion - 1), 1 / dispersion, stream);
}

const MOST_MEAN = 1e10;
/** Searches for larger means, whose laws take long, begin near them. */
const LARGE_MEAN = 1e7;

/** @param about what it is where the noise is about Gaussian */
function leastMean(
  divergenceAt: (mean: number) => (epsilon: number) => Interval,
  epsilon: number,
  delta: number,
  about = 0,
): number {
  const target = { epsilon, delta, most: MOST_MEAN, messages: 'messages' };
  const near = about > LARGE_MEAN ? Math.min(about, MOST_MEAN) : undefined;
  return leastNoiseMean((mean) => divergenceAt(mean)(epsilon).upper, target, near);
}

function sendAll(
  values: Float64Array,
  round: (value: number, stream: RandomStream) => number,
  noise: (stream: RandomStream) => readonly [plus: number, minus: number],
  stream: RandomStream,
): UserMessages<SignColumns> {
  const own = stream.fork('messages');
  const signs: number[] = [];
  for (const value of values) {
    const [plus, minus] = noise(own);
    for (let i = round(value, own) + plus; i > 0; i--) signs.push(1);
    for (let i = minus; i > 0; i--) signs.push(-1);
  }
  return { columns: { sign: Int32Array.from(signs) }, count: signs.length };
}

/** @param present users who take part honestly; null for all */
function statement(epsilon: Interval, delta: number, present: number | null): PrivacyStatement {
  return Object.freeze({
    epsilon,
    delta,
    accountant: 'noisy counts',
    theorem: 'divergence of the numbers of messages of each kind, summed exactly (docs/noisy-counts.md)',
    status: 'certified',
    sound: true,
    adjacency: 'replace-one',
    unit: 'one user, all their messages',
    view: `the shuffled messages of all users${present === null ? '' : `, of whom ${present} take part honestly`}`,
    group: 'all users',
  });
}
