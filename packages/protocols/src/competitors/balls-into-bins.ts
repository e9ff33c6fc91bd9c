/** Balls into bins with one privacy level for all users: see `balls-into-bins-parameters.ts` for the protocol. */
import { ParameterError, requirePositive } from '@shuffle-dp/core';
import { onDemand } from '../on-demand.ts';
import { blanketVariance, errorOverAssignments } from '../segmented/estimation-error.ts';
import { collectItems, itemMessageCost } from '../segmented/item-messages.ts';
import { certifiedPrivacy } from '../segmented/privacy.ts';
import { checkData, checkSetValuedSetting, type SetValuedSetting } from '../setting.ts';
import type { SetProtocol } from '../shuffle-protocol.ts';
import type { BallsIntoBinsAccounting, BallsIntoBinsSpec, BlanketCount } from '../specs.ts';
import {
  ballsIntoBinsBlanketRate,
  ballsIntoBinsBound,
  ballsIntoBinsPrivacy,
} from './balls-into-bins-parameters.ts';

/** The analysis and the blankets it needs, with their defaults. @throws ParameterError */
export function ballsIntoBinsChoice(spec: {
  readonly accounting?: BallsIntoBinsAccounting;
  readonly blankets?: BlanketCount;
}): { readonly accounting: BallsIntoBinsAccounting; readonly blankets: BlanketCount } {
  const accounting = spec.accounting ?? 'group';
  const blankets = spec.blankets ?? (accounting === 'exact' ? 'poisson' : 'paper');
  if (accounting === 'exact' && blankets !== 'poisson') {
    throw new ParameterError('blankets', blankets, "'poisson' for the exact accounting");
  }
  return { accounting, blankets };
}

/** @throws ParameterError, OutOfRegimeError */
export function ballsIntoBins(spec: BallsIntoBinsSpec, setting: SetValuedSetting): SetProtocol {
  checkSetValuedSetting(setting);
  const { users, domain, itemsPerUser } = setting;
  const { accounting, blankets } = ballsIntoBinsChoice(spec);
  const epsilon = requirePositive('epsilon', spec.epsilon ?? setting.levels[0]!);
  const blanketRate = ballsIntoBinsBlanketRate(setting, epsilon, accounting);
  const parameters = { blanketRate, rates: [1] };
  const group = 'all users';
  return Object.freeze({
    kind: 'balls-into-bins',
    name: 'Balls into bins',
    description: 'All items in the clear among uniform blanket messages, all users at one privacy level.',
    parameters: Object.freeze({ epsilon, blanketRate, blankets, accounting }),
    paths: ['messages', 'aggregated'] as const,
    theoreticalBound: ballsIntoBinsBound(setting, blanketRate),
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      const counts = collectItems(
        { domain, itemsPerUser, ...parameters, blankets },
        data,
        stream,
        path,
        trace,
      );
      const blanketMean = (users * blanketRate) / domain;
      return counts.map((count) => (count - blanketMean) / users);
    },
    privacy: onDemand(() => [
      ballsIntoBinsPrivacy(setting, blanketRate, blankets, accounting, epsilon, group),
    ]),
    certifiedPrivacy: onDemand(() => [
      certifiedPrivacy(setting, { rate: 1, blanketRate, blankets }, epsilon, group),
    ]),
    expectedError: (data) => {
      checkData(data, setting);
      const variance = blanketVariance(users, domain, blanketRate, blankets);
      return errorOverAssignments(data.histogram, users, [users], [1], variance);
    },
    cost: () => itemMessageCost(setting, parameters, [users]),
  } satisfies SetProtocol);
}
