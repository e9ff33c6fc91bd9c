/**
 * Balls into bins with one privacy level for all users: see `balls-into-bins-parameters.ts` for the protocol.
 */
import { LEVEL_TARGET, SET_ACCOUNTING, BLANKET_FIELDS, type SetProtocolCard } from '../protocol-card.ts';
import type { BlanketSpec } from './blanket-choice.ts';
import type { BallsIntoBinsAccounting } from './balls-into-bins-parameters.ts';
import { onDemand, requirePositive } from '@shuffle-dp/core';
import {
  chooseBlankets,
  describeBlankets,
  type BlanketChoice,
  type BlanketParameters,
} from './blanket-choice.ts';
import { blanketVariance, errorOverAssignments } from './estimation-error.ts';
import { collectItems, itemMessageCost, itemRound } from './item-messages.ts';
import type { ParameterSetting } from './parameters.ts';
import { certifiedPrivacy } from './privacy.ts';
import { oneRound } from '../message-rounds.ts';
import { checkData, checkSetValuedSetting, type SetValuedSetting } from '../setting.ts';
import type { SetProtocol } from '../shuffle-protocol.ts';
import {
  ballsIntoBinsBlanketRate,
  ballsIntoBinsBound,
  ballsIntoBinsPrivacy,
} from './balls-into-bins-parameters.ts';

export interface BallsIntoBinsSetsSpec extends BlanketSpec {
  readonly kind: 'balls-into-bins';
  /** Central target of all users in nats; default the smallest level. */
  readonly epsilon?: number;
  /**
   * Default 'group', the paper's; 'exact' accounts for the whole set at once, under Poisson or
   * negative-binomial blankets. The latter have no other accounting.
   */
  readonly accounting?: BallsIntoBinsAccounting;
}

export type BallsIntoBinsSetsParameters = BlanketParameters & {
  /** Central target in nats. */
  readonly epsilon: number;
  /** Blanket messages of a user, on average. */
  readonly blanketRate: number;
  readonly accounting: BallsIntoBinsAccounting;
};

export const BALLS_INTO_BINS_SETS: SetProtocolCard<BallsIntoBinsSetsSpec, BallsIntoBinsSetsParameters> = {
  kind: 'balls-into-bins',
  title: 'Balls into bins',
  dataKind: 'sets',
  task: 'frequencies',
  setByTarget: 'levels',
  byBlocks: true,
  fields: [LEVEL_TARGET, SET_ACCOUNTING, ...BLANKET_FIELDS],
  create: ballsIntoBinsSets,
};

/** The analysis and the blankets it needs, with their defaults. @throws ParameterError */
export function ballsIntoBinsChoice(spec: BlanketSpec & { readonly accounting?: BallsIntoBinsAccounting }): {
  readonly accounting: BallsIntoBinsAccounting;
  readonly choice: BlanketChoice;
} {
  const accounting = spec.accounting ?? (spec.blankets === 'negative-binomial' ? 'exact' : 'group');
  return { accounting, choice: chooseBlankets(spec, accounting === 'exact') };
}

/** @throws ParameterError, OutOfRegimeError */
export function ballsIntoBinsSets(
  spec: BallsIntoBinsSetsSpec,
  setting: SetValuedSetting,
): SetProtocol<BallsIntoBinsSetsParameters> {
  checkSetValuedSetting(setting);
  const { users, domain, items } = setting;
  const { accounting, choice } = ballsIntoBinsChoice(spec);
  const { blankets, successProbability } = choice;
  const own: ParameterSetting = { ...setting, successProbability };
  const epsilon = requirePositive('epsilon', spec.epsilon ?? setting.levels[0]!);
  const blanketRate = ballsIntoBinsBlanketRate(own, epsilon, accounting);
  const parameters = { blanketRate, rates: [1] };
  const group = 'all users';
  const blanketMean = (users * blanketRate) / domain;
  const analyze = (counts: Float64Array): Float64Array =>
    counts.map((count) => (count - blanketMean) / users);
  return Object.freeze({
    kind: 'balls-into-bins',
    name: 'Balls into bins',
    description: 'All items in the clear among uniform blanket messages, all users at one privacy level.',
    parameters: Object.freeze({ epsilon, blanketRate, ...describeBlankets(choice), accounting }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: ballsIntoBinsBound(own, blanketRate),
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      const counts = collectItems({ domain, items, ...parameters, ...choice }, data, stream, path, trace);
      return analyze(counts);
    },
    messageRounds: oneRound(itemRound({ domain, items, ...parameters, ...choice }), analyze),
    privacy: onDemand(() => [
      ballsIntoBinsPrivacy(own, { blanketRate, blankets, accounting }, epsilon, group),
    ]),
    certifiedPrivacy: onDemand(() => [
      certifiedPrivacy(own, { rate: 1, blanketRate, blankets, othersSendAll: true }, epsilon, group),
    ]),
    expectedError: (data) => {
      checkData(data, setting);
      const variance = blanketVariance(users, domain, blanketRate, choice);
      return errorOverAssignments(data.histogram, users, [users], [1], variance);
    },
    cost: () => itemMessageCost(setting, parameters, [users]),
  } satisfies SetProtocol<BallsIntoBinsSetsParameters>);
}
