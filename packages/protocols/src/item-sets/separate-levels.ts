/**
 * Separate multi-message protocols per level ("SepMM" and "weighted SepMM" in Wang et al., "Segmented private
 * data aggregation in the multi-message shuffle model", 2025, section 6): the users of each level run balls
 * into bins among themselves, with the blankets of their own group only, and the estimates are averaged. Who
 * is in which group is public, unlike in the segmented protocol.
 *
 * The weights of the paper are one over the square root of the error order d s^2 log(1/delta) / (n_k
 * E_k)^2 + s / n_k; the inverse of the order itself is offered too, and is better. The plain average is
 * biased by how the groups differ from the whole; `expectedError` contains that.
 */
import { SET_ACCOUNTING, BLANKET_FIELDS, type SetProtocolCard, choiceField } from '../protocol-card.ts';
import type { BlanketSpec } from './blanket-choice.ts';
import type { BallsIntoBinsAccounting } from './balls-into-bins-parameters.ts';
import { onDemand, ParameterError, Real, type SetValuedData } from '@shuffle-dp/core';
import { describeBlankets, type BlanketParameters } from './blanket-choice.ts';
import { blanketVariance } from './estimation-error.ts';
import { collectItems, itemMessageCost } from './item-messages.ts';
import { heldSets, knowsLevels, levelHistograms } from './level-histograms.ts';
import type { ParameterSetting } from './parameters.ts';
import { certifiedPrivacy } from './privacy.ts';
import { atLevel, checkData, checkSetValuedSetting, levelCounts, type SetValuedSetting } from '../setting.ts';
import type { SetProtocol } from '../shuffle-protocol.ts';
import {
  ballsIntoBinsBlanketRate,
  ballsIntoBinsBound,
  ballsIntoBinsPrivacy,
} from './balls-into-bins-parameters.ts';
import { ballsIntoBinsChoice } from './balls-into-bins.ts';

export interface SeparateLevelsSpec extends BlanketSpec {
  readonly kind: 'sep-mm';
  readonly accounting?: BallsIntoBinsAccounting;
}

export type SeparateLevelsParameters = BlanketParameters & {
  /** Blanket messages of a user of each level, on average. */
  readonly blanketRates: readonly number[];
  /** Of the levels in the average; they sum to 1. */
  readonly weights: readonly number[];
  readonly weighting: 'equal' | 'square-root' | 'inverse';
  readonly accounting: BallsIntoBinsAccounting;
};

export const SEPARATE_LEVELS: SetProtocolCard<SeparateLevelsSpec, SeparateLevelsParameters> = {
  kind: 'sep-mm',
  title: 'SepMM',
  dataKind: 'sets',
  task: 'frequencies',
  setByTarget: 'levels',
  fields: [SET_ACCOUNTING, ...BLANKET_FIELDS],
  create: separateLevels,
};

export interface WeightedSeparateLevelsSpec extends BlanketSpec {
  readonly kind: 'weighted-sep-mm';
  /**
   * 'square-root' (default): one over the root of the published error order; 'inverse': one over that order.
   */
  readonly weights?: 'square-root' | 'inverse';
  readonly accounting?: BallsIntoBinsAccounting;
}

export const WEIGHTED_SEPARATE_LEVELS: SetProtocolCard<WeightedSeparateLevelsSpec, SeparateLevelsParameters> =
  {
    kind: 'weighted-sep-mm',
    title: 'Weighted SepMM',
    dataKind: 'sets',
    task: 'frequencies',
    setByTarget: 'levels',
    fields: [choiceField('weights', ['square-root', 'inverse']), SET_ACCOUNTING, ...BLANKET_FIELDS],
    create: separateLevels,
  };

interface LevelGroup {
  readonly level: number;
  readonly setting: ParameterSetting;
  readonly blanketRate: number;
  readonly weight: number;
}

/** @throws ParameterError, also for a level without users; OutOfRegimeError */
export function separateLevels(
  spec: SeparateLevelsSpec | WeightedSeparateLevelsSpec,
  setting: SetValuedSetting,
): SetProtocol<SeparateLevelsParameters> {
  checkSetValuedSetting(setting);
  const { users, domain, items, levels } = setting;
  const { accounting, choice } = ballsIntoBinsChoice(spec);
  const { blankets, successProbability } = choice;
  const weighting = spec.kind === 'sep-mm' ? 'equal' : (spec.weights ?? 'square-root');

  const counts = levelCounts(users, setting.shares);
  const settings = counts.map((count, k): ParameterSetting => {
    if (count === 0) throw new ParameterError(`shares[${k}]`, setting.shares[k], 'enough for one user');
    return { ...atLevel(setting, k), users: count, successProbability };
  });
  const weights = levelWeights(settings, levels, weighting);
  const groups = levels.map((level, k): LevelGroup => ({
    level,
    setting: settings[k]!,
    blanketRate: ballsIntoBinsBlanketRate(settings[k]!, level, accounting),
    weight: weights[k]!,
  }));

  const averaged = (value: (group: LevelGroup) => number): number =>
    groups.reduce((sum, group) => sum + (group.setting.users / users) * value(group), 0);
  const costOf = ({ setting: own, blanketRate }: LevelGroup) =>
    itemMessageCost(own, { blanketRate, rates: [1] }, [own.users]);

  return Object.freeze({
    kind: spec.kind,
    name: weighting === 'equal' ? 'SepMM' : 'Weighted SepMM',
    description:
      weighting === 'equal'
        ? 'Balls into bins among the users of each level, the estimates averaged.'
        : 'Balls into bins among the users of each level, the estimates averaged by weight.',
    parameters: Object.freeze({
      blanketRates: groups.map(({ blanketRate }) => blanketRate),
      weights,
      weighting,
      ...describeBlankets(choice),
      accounting,
    }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: groups.reduce(
      (sum, group) =>
        sum + group.weight * group.weight * ballsIntoBinsBound(group.setting, group.blanketRate),
      0,
    ),
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      const result = new Float64Array(domain);
      const histograms = groupHistograms(data, counts);
      groups.forEach(({ setting: own, blanketRate, weight, level }, k) => {
        const part = path === 'messages' ? usersOfLevel(data, k, counts) : countsOfLevel(data, k, histograms);
        const observed = collectItems(
          { domain, items, blanketRate, rates: [1], ...choice },
          part,
          // Groups draw from streams of their own where a trace names them, and take turns on one elsewhere.
          path === 'messages' ? stream.fork(`level ${level}`) : stream,
          path,
          trace,
        );
        const blanketMean = (own.users * blanketRate) / domain;
        for (let j = 0; j < domain; j++) result[j]! += (weight * (observed[j]! - blanketMean)) / own.users;
      });
      return result;
    },
    privacy: onDemand(() =>
      groups.map(({ level, setting: own, blanketRate }) => ({
        ...ballsIntoBinsPrivacy(own, { blanketRate, blankets, accounting }, level, `level ${level}`),
        view: 'the shuffled messages of each level apart',
      })),
    ),
    certifiedPrivacy: onDemand(() =>
      groups.map(({ level, setting: own, blanketRate }) => ({
        ...certifiedPrivacy(
          own,
          { rate: 1, blanketRate, blankets, othersSendAll: true },
          level,
          `level ${level}`,
        ),
        view: 'the shuffled messages of each level apart',
      })),
    ),
    expectedError: (data) => {
      checkData(data, setting);
      let error = 0;
      for (const { setting: own, blanketRate, weight } of groups) {
        const scale = weight / own.users;
        error += scale * scale * blanketVariance(own.users, domain, blanketRate, choice);
      }
      if (!knowsLevels(data, levels.length)) {
        return error + assignmentError(data.histogram, users, counts, weights);
      }
      const { items } = groupHistograms(data, counts);
      for (let j = 0; j < domain; j++) {
        let average = 0;
        groups.forEach(({ weight }, k) => (average += (weight * items[k]![j]!) / counts[k]!));
        const bias = average - data.histogram[j]! / users;
        error += bias * bias;
      }
      return error;
    },
    cost: () => ({
      messagesPerUser: averaged((group) => costOf(group).messagesPerUser),
      bitsPerUser: averaged((group) => costOf(group).bitsPerUser),
    }),
  } satisfies SetProtocol<SeparateLevelsParameters>);
}

/** Weights that sum to 1. */
function levelWeights(
  settings: readonly ParameterSetting[],
  levels: readonly number[],
  weighting: SeparateLevelsParameters['weighting'],
): readonly number[] {
  const raw = settings.map(({ users, domain, items, delta }, k) => {
    const scale = items / (users * levels[k]!);
    const order = domain * Real.log(1 / delta) * scale * scale + items / users;
    return weighting === 'equal' ? 1 : weighting === 'inverse' ? 1 / order : 1 / Math.sqrt(order);
  });
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return Object.freeze(raw.map((weight) => weight / total));
}

/**
 * Expected squared bias over uniformly random groups of these sizes. With a_k / n_k the coefficient of a user
 * of group k, sum_k (a_k / n_k) n_kj is the sum of a random sample of n_j of these coefficients, whose mean
 * is 1 / n.
 */
function assignmentError(
  histogram: Float64Array,
  users: number,
  counts: readonly number[],
  weights: readonly number[],
): number {
  if (users === 1) return 0;
  let spread = 0;
  counts.forEach((count, k) => {
    const excess = weights[k]! / count - 1 / users;
    spread += (count / users) * excess * excess;
  });
  let error = 0;
  for (const holders of histogram) error += ((holders * (users - holders)) / (users - 1)) * spread;
  return error;
}

/** @throws ParameterError where the groups are not those that the blankets were chosen for */
function groupHistograms(data: SetValuedData, counts: readonly number[]) {
  const histograms = levelHistograms(data, counts.length);
  counts.forEach((count, k) => {
    if (histograms.users[k] !== count) {
      throw new ParameterError(
        `users of level ${k}`,
        histograms.users[k],
        `${count}, by the setting's shares`,
      );
    }
  });
  return histograms;
}

/** The data of one group, users in their order. */
function usersOfLevel(data: SetValuedData, level: number, counts: readonly number[]): SetValuedData {
  if (counts.length === 1) return data;
  const { items, rows, levelOf } = heldSets(data);
  const { items: histograms } = groupHistograms(data, counts);
  const own = new Uint16Array(counts[level]! * items);
  let next = 0;
  for (let u = 0; u < data.users; u++) {
    if (levelOf![u] !== level) continue;
    for (let j = u * items; j < (u + 1) * items; j++) own[next++] = rows[j]!;
  }
  return { ...groupData(data, counts[level]!, histograms[level]!), rows: own };
}

/** The counts of one group, for the aggregated path, which looks at nothing else. */
function countsOfLevel(
  data: SetValuedData,
  level: number,
  { users, items }: ReturnType<typeof groupHistograms>,
): SetValuedData {
  return groupData(data, users[level]!, items[level]!);
}

function groupData({ domain, items }: SetValuedData, users: number, histogram: Float64Array): SetValuedData {
  return { kind: 'sets', users, domain, items, histogram };
}
