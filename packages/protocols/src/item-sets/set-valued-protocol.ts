/**
 * The segmented protocol for sets of items (Wang et al., "Segmented private data aggregation in the
 * multi-message shuffle model", 2025, Algorithm 2): a user of level k sends each of their s items with
 * probability lambda_k, among m blanket messages that are uniform over the domain. The analyzer subtracts the
 * expected blankets and divides by sum_k n_k lambda_k.
 *
 * Beyond the paper: Poisson and negative-binomial blankets with the exact accounting of a whole set, and its
 * error against the users' empirical frequencies.
 */
import {
  positiveField,
  BLANKET_FIELDS,
  integerField,
  choiceField,
  type SetProtocolCard,
} from '../protocol-card.ts';
import { honestUsers, requireThreats, type OtherCoins } from '@shuffle-dp/accounting';
import { keptByKey, onDemand, ParameterError, requirePositive, type SetValuedData } from '@shuffle-dp/core';
import { requireBlanketRate } from '../most-blankets.ts';
import { atLevel, checkData, checkSetValuedSetting, levelCounts, type SetValuedSetting } from '../setting.ts';
import type { SetProtocol } from '../shuffle-protocol.ts';
import { ofThoseLeft } from '../histograms/threatened-blankets.ts';
import {
  chooseBlankets,
  describeBlankets,
  type BlanketParameters,
  type BlanketSpec,
} from './blanket-choice.ts';
import { collectItems, itemMessageCost, itemRound } from './item-messages.ts';
import { blanketVariance, errorGivenLevels, errorOverAssignments } from './estimation-error.ts';
import { aggregateSegmented, type DataAggregation } from './framework.ts';
import { privateLevels, shuffledLevels } from './level-aggregation.ts';
import { knowsLevels, levelHistograms } from './level-histograms.ts';
import {
  optimalParameters,
  parametersAt,
  SEGMENTED_ACCOUNTINGS,
  theoreticalBound,
  type ParameterSetting,
  type SegmentedAccounting,
  type SegmentedParameters,
} from './parameters.ts';
import { certifiedPrivacy, publishedPrivacy } from './privacy.ts';

export interface SegmentedSpec extends BlanketSpec {
  readonly kind: 'segmented';
  /**
   * Expected blanket messages of a user, any positive number; 'optimal' (the default) minimises the error
   * bound.
   */
  readonly blanketRate?: number | 'optimal';
  /**
   * What sets the sending rates: 'published' is Theorem 3 as printed (the default with the paper's blankets);
   * 'exact' is the certified accounting of a user's whole set, for Poisson and negative-binomial blankets
   * (their default).
   */
  readonly accounting?: SegmentedAccounting;
  /**
   * Slots that a user sends the blankets by, for the paper's blankets: each shows an item with probability
   * m / slots. Default ceil(m), as published; an optimal m may need more. With more slots than m the number
   * of messages hides how many items were sent.
   */
  readonly slots?: number;
  /**
   * Central epsilon in nats for the users' choices of level; absent: the levels are shuffled in the clear. An
   * estimate is then a ratio with a noisy denominator: it is consistent, and not unbiased.
   */
  readonly levelEpsilon?: number;
}

/** In effect for the setting's shares. */
export type SegmentedProtocolParameters = BlanketParameters & {
  /** Blanket messages of a user, on average. */
  readonly blanketRate: number;
  /** Probability with which a user of each level sends an item. */
  readonly rates: readonly number[];
  readonly accounting: SegmentedAccounting;
  /** How the levels are collected. */
  readonly levels: string;
  /** Central epsilon of the choices of level, where they are randomized. */
  readonly levelEpsilon?: number;
};

export const SEGMENTED: SetProtocolCard<SegmentedSpec, SegmentedProtocolParameters> = {
  kind: 'segmented',
  title: 'Segmented',
  dataKind: 'sets',
  task: 'frequencies',
  setByTarget: 'levels',
  byBlocks: true,
  fields: [
    positiveField(
      'blanketRate',
      "Expected blanket messages of a user; 'optimal' (default) minimises the error bound.",
      'optimal',
    ),
    ...BLANKET_FIELDS,
    integerField(
      'slots',
      1,
      "For the paper's blankets: slots of a user, at least blanketRate; default ceil(blanketRate).",
    ),
    choiceField('accounting', SEGMENTED_ACCOUNTINGS),
    positiveField(
      'levelEpsilon',
      'Central epsilon (nats) for the choices of level; an estimate is then a ratio, and biased by that.',
    ),
  ],
  create: segmentedProtocol,
};

const DESCRIPTION =
  'Every item is sent with a probability set by the privacy level, among uniform blanket messages shared by all levels.';
const OF_NOISY_LEVELS =
  'Users of a level are counted with noise; an estimate is divided by these counts, and biased by that.';

export interface SegmentedProtocol extends SetProtocol<SegmentedProtocolParameters> {
  /** Expected blanket messages of a user and the sending rates per level, for the setting's shares. */
  readonly messageParameters: SegmentedParameters;
}

/**
 * The segmented protocol: users send each item with the rate that their level allows, and blanket messages
 * hide who sent what.
 *
 * @throws ParameterError where the blankets, the setting or the accounting do not fit together
 */
export function segmentedProtocol(spec: SegmentedSpec, setting: SetValuedSetting): SegmentedProtocol {
  checkSetValuedSetting(setting);
  const accounting = spec.accounting ?? ((spec.blankets ?? 'paper') === 'paper' ? 'published' : 'exact');
  const choice = chooseBlankets(spec, accounting === 'exact', spec.slots);
  const { blankets, successProbability, slots } = choice;
  const parameterSetting: ParameterSetting = { ...setting, successProbability, slotsPerUser: slots };
  const blanketRate = spec.blanketRate ?? 'optimal';
  if (blanketRate !== 'optimal') {
    requireBlanketRate(requirePositive('blanketRate', blanketRate), setting.users);
    if (slots > 0 && slots < blanketRate) {
      throw new ParameterError('slots', slots, `at least blanketRate = ${blanketRate}`);
    }
  }
  const { users, domain, levels, colluding: planned = 0 } = setting;
  /** What parameters are chosen for: the blankets of colluders hide nobody. */
  const chosenFor: ParameterSetting =
    planned === 0 ? parameterSetting : { ...parameterSetting, honest: honestUsers(users, planned) };

  const expectedCounts = Float64Array.from(levelCounts(users, setting.shares));
  // The counts decide m alone: the rates follow from m.
  const atGivenRate =
    blanketRate === 'optimal' ? undefined : onDemand(() => parametersAt(chosenFor, blanketRate, accounting));
  // Exact level counts are the same in every trial, so the search for m is done once for them.
  const chosen = keptByKey<SegmentedParameters>(1);
  const chooseParameters =
    atGivenRate ??
    ((counts: Float64Array) => chosen(counts.join(), () => optimalParameters(chosenFor, counts, accounting)));
  const expected: SegmentedParameters = chooseParameters(expectedCounts);

  const levelAggregation =
    spec.levelEpsilon === undefined || levels.length === 1
      ? shuffledLevels(levels)
      : privateLevels(levels, users, requirePositive('levelEpsilon', spec.levelEpsilon), setting.delta);
  const exactCounts = levelAggregation.name === 'shuffled';

  const aggregation: DataAggregation<SetValuedData, SegmentedParameters> = {
    chooseParameters,
    collect: (data, parameters, stream, path, trace) =>
      collectItems({ domain, items: setting.items, ...parameters, ...choice }, data, stream, path, trace),
    analyze: (counts, { blanketRate: m, rates }, counted) => {
      let sent = 0;
      rates.forEach((rate, k) => (sent += counted[k]! * rate));
      // Noisy level counts can stray where the true ones cannot be.
      sent = Math.min(users * Math.max(...rates), Math.max(users * Math.min(...rates), sent));
      const blanketMean = (users * m) / domain;
      return counts.map((count) => (count - blanketMean) / sent);
    },
  };

  const statements = (state: typeof publishedPrivacy, facing: ParameterSetting) => () => [
    ...levels.map((level, k) => {
      // What a level's users send is counted on where everybody knows how many they are.
      const others = exactCounts
        ? likeliestToHide(setting, expected.rates, expectedCounts, {
            level: k,
            missing: users - facing.users,
          })
        : undefined;
      const messages = { rate: expected.rates[k]!, blanketRate: expected.blanketRate, blankets, others };
      return state(atLevel(facing, k), messages, level, `level ${level}`);
    }),
    ...levelAggregation.privacy(),
  ];
  const certified = onDemand(statements(certifiedPrivacy, parameterSetting));

  return Object.freeze({
    kind: 'segmented',
    name: 'Segmented',
    description: exactCounts ? DESCRIPTION : `${DESCRIPTION} ${OF_NOISY_LEVELS}`,
    parameters: Object.freeze({
      blanketRate: expected.blanketRate,
      rates: expected.rates,
      ...describeBlankets(choice),
      accounting,
      levels: levelAggregation.name,
      ...(exactCounts ? {} : { levelEpsilon: spec.levelEpsilon! }),
    }),
    messageParameters: expected,
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    // The bound is of counts that are known: a noisy denominator adds its own error.
    theoreticalBound: exactCounts ? theoreticalBound(parameterSetting, expected, expectedCounts) : null,
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      const { users: counts } = levelHistograms(data, levels.length);
      return aggregateSegmented(
        levelAggregation,
        aggregation,
        { data, levelOf: data.levelOf, counts },
        { stream, path, trace },
      );
    },
    messageRounds: (counts) => {
      const counted = levelAggregation.round(counts[0]);
      if (!(counted instanceof Float64Array)) return counted;
      const parameters = chooseParameters(counted);
      if (counts[1]) return aggregation.analyze(counts[1], parameters, counted);
      return itemRound({ domain, items: setting.items, ...parameters, ...choice });
    },
    privacy: accounting === 'exact' ? certified : onDemand(statements(publishedPrivacy, parameterSetting)),
    certifiedPrivacy: certified,
    threatenedPrivacy: (threats) => {
      requireThreats(threats);
      const { colluding, dropout = 0 } = threats;
      if (dropout > 0)
        throw new ParameterError(
          'dropout',
          dropout,
          'left out: no privacy is proved here for sets whose users stay away',
        );
      if (!exactCounts && colluding)
        throw new ParameterError(
          'colluding',
          colluding,
          'left out: no privacy is proved here for private choices of level',
        );
      if (!exactCounts) return certified();
      // Each user's blankets are drawn alike, and of a level's users all who collude may be missing.
      const facing = { ...parameterSetting, users: honestUsers(users, colluding) };
      return statements(certifiedPrivacy, facing)().map((statement) =>
        ofThoseLeft(statement, 'the level stays'),
      );
    },
    expectedError: (data) => {
      checkData(data, setting);
      // A ratio with a noisy denominator has no closed form.
      if (!exactCounts) return null;
      const given = knowsLevels(data, levels.length) ? levelHistograms(data, levels.length) : null;
      const { blanketRate: m, rates } = given ? chooseParameters(given.users) : expected;
      const variance = blanketVariance(users, domain, m, choice);
      return given
        ? errorGivenLevels(data.histogram, users, given, rates, variance)
        : errorOverAssignments(data.histogram, users, expectedCounts, rates, variance);
    },
    cost: () => {
      const items = itemMessageCost(setting, expected, expectedCounts);
      return {
        messagesPerUser: items.messagesPerUser + levelAggregation.cost.messagesPerUser,
        bitsPerUser: items.bitsPerUser + levelAggregation.cost.bitsPerUser,
      };
    },
  } satisfies SegmentedProtocol);
}

/**
 * The level whose users have the most coins that keep an item back, but for the victim and whoever is
 * missing; undefined where there are none.
 */
function likeliestToHide(
  { items }: SetValuedSetting,
  rates: readonly number[],
  counts: Float64Array,
  { level, missing }: { readonly level: number; readonly missing: number },
): OtherCoins | undefined {
  const coins = rates.map((rate, k): OtherCoins => {
    const others = counts[k]! - missing - (k === level ? 1 : 0);
    return { users: Math.max(0, others), items, rate };
  });
  const kept = coins.map(({ users, rate }) => users * (1 - rate));
  const most = Math.max(...kept);
  return most > 0 ? coins[kept.indexOf(most)] : undefined;
}
