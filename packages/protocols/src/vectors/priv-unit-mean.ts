/** Mean of unit vectors with one direction per user: PrivUnit, shuffled (Bhowmick et al., 2018). */
import { ParameterError, real, beyond, from } from '@shuffle-dp/core';
import { privUnit } from '@shuffle-dp/randomizers';
import {
  localBudget,
  messageStatements,
  type SingleMessageChoice,
  type SingleMessageParameters,
} from '../local-budget.ts';
import {
  LOCAL_BUDGET,
  SINGLE_MESSAGE_ACCOUNTING,
  rangeField,
  type VectorProtocolCard,
} from '../protocol-card.ts';
import { checkVectorSetting, type VectorSetting } from '../setting.ts';
import type { VectorProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled } from '../traced-shuffle.ts';
import { checkVectors, type VectorData } from './vector-data.ts';

export interface PrivUnitMeanSpec extends SingleMessageChoice {
  readonly kind: 'priv-unit';
  /** Share of the sphere that is the cap around a user's vector; default the one with the least error. */
  readonly cap?: number;
}

export type PrivUnitMeanParameters = SingleMessageParameters & {
  readonly cap: number;
};

export const PRIV_UNIT_MEAN: VectorProtocolCard<PrivUnitMeanSpec, PrivUnitMeanParameters> = {
  kind: 'priv-unit',
  title: 'PrivUnit',
  dataKind: 'vectors',
  task: 'mean',
  setByTarget: 'local budget',
  sharpBound: true,
  messagesOnly: true,
  fields: [
    LOCAL_BUDGET,
    SINGLE_MESSAGE_ACCOUNTING,
    rangeField(
      real('cap', beyond(0), from(0.5), 'cap'),
      'a number in (0, 0.5]',
      'Share of the sphere that is the cap; default the one with the least error.',
    ),
  ],
  create: privUnitMean,
};

/** A vector is of unit length to so much: what is told of others would be biased. */
const UNIT_TOLERANCE = 1e-6;

/** @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon */
export function privUnitMean(
  spec: PrivUnitMeanSpec,
  setting: VectorSetting,
): VectorProtocol<PrivUnitMeanParameters> {
  const { users, dimensions, range } = checkVectorSetting(setting);
  const { accounting = 'sharpest' } = spec;
  const make = (epsilon0: number) =>
    privUnit({ dimensions, epsilon0, ...(spec.cap === undefined ? {} : { cap: spec.cap }) });
  const { epsilon0, by } = localBudget(spec.epsilon0, make, setting, accounting);
  const randomizer = make(epsilon0);
  const check = (data: VectorData): void => {
    checkVectors(data, { ...setting, range });
    for (let u = 0; u < users; u++) {
      let square = 0;
      for (let j = u * dimensions; j < (u + 1) * dimensions; j++) square += data.values[j]! ** 2;
      if (!(Math.abs(square - 1) <= UNIT_TOLERANCE))
        throw new ParameterError(
          `the length of vector ${u}`,
          Math.sqrt(square),
          '1: only directions are sent',
        );
    }
  };
  return Object.freeze({
    kind: 'priv-unit',
    name: 'PrivUnit',
    description: 'One random direction per user, likelier near the own one, shuffled.',
    parameters: Object.freeze({ cap: randomizer.cap, epsilon0, accounting }),
    paths: ['messages'] as const,
    jointPaths: ['messages'] as const,
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      check(data);
      if (path !== 'messages')
        throw new ParameterError('path', path, "'messages': a sum of directions has no law of its own");
      const held = Float64Array.from(data.values);
      const run = { users, stream, trace };
      const shuffled = randomizedAndShuffled('directions', randomizer, held, run, {
        format: ({ direction }, i) => direction.subarray(i * dimensions, (i + 1) * dimensions).join(' '),
        width: dimensions,
      });
      return randomizer.estimateMean(shuffled);
    },
    ...messageStatements(randomizer, setting, accounting, by),
    expectedError: (data) => {
      check(data);
      return randomizer.totalVariance(users);
    },
    directionsError: () => randomizer.totalVariance(users),
    cost: () => ({ messagesPerUser: 1, bitsPerUser: randomizer.bitsPerMessage }),
  } satisfies VectorProtocol<PrivUnitMeanParameters>);
}
