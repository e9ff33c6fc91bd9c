/**
 * Histograms whose counts are independent from item to item: the messages of the users who hold it, all sent
 * or sampled, and a random number more of a known law. What is seen of a user is two counts
 * (docs/noisy-counts.md), so that privacy and error are exact.
 */
import {
  type CategoricalData,
  interval,
  type Interval,
  onDemand,
  type PrivacyStatement,
  type RandomStream,
  requirePositive,
  requireProbability,
  sampleBinomial,
  shareOfRanges,
  type Trust,
  type UserMessages,
} from '@shuffle-dp/core';
import {
  exchangedCountDivergence,
  momentsOf,
  noisyCountEpsilon,
  type NoiseLaw,
  type Threats,
} from '@shuffle-dp/accounting';
import { countCategories, type CategoryColumns } from '@shuffle-dp/randomizers';
import { categoriesOf, checkData, type CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';
import { privacyOfThoseLeft } from './threatened-blankets.ts';

/** The number of messages of an item that depend on nobody's data. */
export interface CountNoise {
  readonly law: NoiseLaw;
  /** A draw of exactly this law. */
  sample(stream: RandomStream): number;
}

export interface NoisyCounts {
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  /** Probability that a user's message reaches the analyzer. */
  readonly rate: number;
  readonly noise: CountNoise;
  /**
   * The exact divergence at an epsilon, where it is known in closed form; by default from the law of the
   * noise.
   */
  readonly divergence?: (epsilon: number) => Interval;
  /** The epsilon in nats that the noise is made for, where there is one. */
  readonly target?: number;
  readonly trust: Trust;
  /** The noise that so many of the users add up to; absent where the shuffler adds it. */
  readonly noiseOf?: (users: number) => NoiseLaw;
  /** Expected messages that a user sends. */
  readonly messagesPerUser: number;
  readonly parameters: Readonly<Record<string, number | string>>;
  /**
   * The epsilon that the authors' analysis gives for these parameters, and where it is; absent where the
   * exact one is told.
   */
  readonly original?: { readonly epsilon: number; readonly theorem: string };
  /** Every message that is shuffled: those that are kept, and the noise. */
  send(values: Uint32Array, stream: RandomStream): UserMessages<CategoryColumns>;
}

/** The protocol in a setting that is checked already. */
export function noisyCountHistogram(protocol: NoisyCounts, setting: CategoricalSetting): FrequencyProtocol {
  const { kind, name, description, noise, trust, original } = protocol;
  const rate = requireProbability('the sampling rate', requirePositive('the sampling rate', protocol.rate));
  const { users, domain } = setting;
  const { mean, variance } = momentsOf(noise.law);
  const estimate = (counts: Float64Array): Float64Array =>
    counts.map((count) => (count - mean) / (users * rate));
  const varianceOf = (holders: number): number =>
    (holders * rate * (1 - rate) + variance) / (users * rate * users * rate);
  const certified = onDemand(() => [certifiedStatement(protocol, setting)]);
  return Object.freeze({
    kind,
    name,
    description,
    parameters: Object.freeze({ ...protocol.parameters, trust, noiseMean: mean, noiseVariance: variance }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      if (path === 'aggregated')
        return estimate(
          data.histogram.map((holders) => sampleBinomial(holders, rate, stream) + noise.sample(stream)),
        );
      const sent = protocol.send(categoriesOf(data, path), stream.fork('messages'));
      const shuffled = shuffleWithTrace('messages', sent, stream, trace);
      return estimate(countCategories(shuffled.columns.value, shuffled.count, domain));
    },
    privacy: original ? onDemand(() => [originalStatement(certified()[0]!, original)]) : certified,
    certifiedPrivacy: certified,
    threatenedPrivacy: (threats) => [threatenedStatement(protocol, setting, threats)],
    // What the shuffler adds is as much for any number of users.
    ...(protocol.noiseOf
      ? {}
      : { sentBy: (others: number) => noisyCountHistogram(protocol, { ...setting, users: others }) }),
    expectedError: (data: CategoricalData) => {
      checkData(data, setting);
      return data.histogram.reduce((sum, holders) => sum + varianceOf(holders), 0);
    },
    expectedRangeError: (data: CategoricalData) => {
      checkData(data, setting);
      return data.histogram.reduce(
        (sum, holders, v) => sum + varianceOf(holders) * shareOfRanges(v, domain),
        0,
      );
    },
    cost: () => ({
      messagesPerUser: protocol.messagesPerUser,
      bitsPerUser: protocol.messagesPerUser * Math.log2(domain),
    }),
  } satisfies FrequencyProtocol);
}

const VIEWS: Readonly<Record<Trust, string>> = {
  shuffler: 'the shuffled messages of all users',
  augmented:
    'the messages that the shuffler hands on; the shuffler sees the messages of users in the clear, and must keep from the analyzer which messages it dropped and added',
};

function certifiedStatement(
  { noise: { law }, rate, trust, divergence, target }: NoisyCounts,
  { users, domain, delta }: CategoricalSetting,
): PrivacyStatement {
  const bracket = noisyCountEpsilon(
    divergence ?? ((epsilon) => exchangedCountDivergence(law, rate, epsilon)),
    delta,
    target,
  );
  // Of two categories, sampled messages of others cannot avoid both: the data set that tells all is not known
  // to exist.
  const attained = domain > 2 || users === 1 || rate === 1;
  return Object.freeze({
    epsilon: attained ? bracket : interval(0, bracket.upper),
    delta,
    accountant: 'noisy counts',
    theorem: 'divergence of two independent counts, summed exactly (docs/noisy-counts.md)',
    status: 'certified',
    sound: true,
    adjacency: 'replace-one',
    unit: 'one user, all their messages',
    view: VIEWS[trust],
    ...(trust === 'shuffler' ? {} : { trust }),
    group: 'all users',
  });
}

/** Without the noise of those who collude or stay away; what the shuffler adds is nobody's, and stays. */
function threatenedStatement(
  protocol: NoisyCounts,
  setting: CategoricalSetting,
  threats: Threats,
): PrivacyStatement {
  const { noise, noiseOf, divergence, ...rest } = protocol;
  return privacyOfThoseLeft(setting.users, setting.delta, threats, (left, delta) =>
    certifiedStatement(
      noiseOf
        ? { ...rest, noise: { ...noise, law: noiseOf(left) } }
        : { ...rest, noise, ...(divergence && { divergence }) },
      { ...setting, users: left, delta },
    ),
  );
}

function originalStatement(
  certified: PrivacyStatement,
  { epsilon, theorem }: NonNullable<NoisyCounts['original']>,
): PrivacyStatement {
  return Object.freeze({ ...certified, epsilon: interval(0, epsilon), accountant: 'original', theorem });
}
