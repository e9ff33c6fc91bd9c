/**
 * The subset-exponential mechanism (PrivSet; Wang et al., "PrivSet: Set-valued data analyses with local
 * differential privacy", INFOCOM 2018) as a protocol: every user sends one random subset. Two uses: in the
 * local model at the users' largest level, a utility reference that protects nobody better than that; and
 * shuffled, with a local budget that meets the smallest level.
 *
 * The aggregated path draws the counts from their joint law, which depends on how often each whole set
 * occurs: it saves the messages and their shuffle, and looks at every user's set only where the users are not
 * counted by their sets.
 */
import {
  positiveField,
  SUBSET_SIZE,
  type SetProtocolCard,
  LEVEL_TARGET,
  choiceField,
} from '../protocol-card.ts';
import { interval, type PrivacyStatement, type ProtocolParameters, requirePositive } from '@shuffle-dp/core';
import { subsetExponential } from '@shuffle-dp/randomizers';
import { calibratedLocalBudget, type SingleMessageAccounting } from '@shuffle-dp/accounting';
import { messageStatements } from '../local-budget.ts';
import { oracleRun } from './set-oracles.ts';
import { checkSetValuedSetting, type SetValuedSetting } from '../setting.ts';
import type { SetProtocol } from '../shuffle-protocol.ts';

export interface SubsetExponentialLocalSpec {
  readonly kind: 'subexp-local';
  /** Local budget of all users in nats; default the largest level. */
  readonly epsilon0?: number;
  /** Items in a message; default the size of least variance. */
  readonly subsetSize?: number;
}

export type SubsetExponentialParameters = {
  /** Local budget of all users in nats. */
  readonly epsilon0: number;
  /** Items in a message. */
  readonly subsetSize: number;
};

export const SUBSET_EXPONENTIAL_LOCAL: SetProtocolCard<
  SubsetExponentialLocalSpec,
  SubsetExponentialParameters
> = {
  kind: 'subexp-local',
  title: 'Subset exponential, local',
  dataKind: 'sets',
  task: 'frequencies',
  setByTarget: 'levels',
  byBlocks: true,
  wholeSets: true,
  fields: [positiveField('epsilon0', 'Local budget in nats; default the largest level.'), SUBSET_SIZE],
  create: subsetExponentialLocal,
};

export interface SubsetExponentialShuffledSpec {
  readonly kind: 'subexp-shuffled';
  /** Central target of all users in nats; default the smallest level. */
  readonly epsilon?: number;
  /**
   * What sets the local budget: 'variation-ratio' as published (default), 'sharpest', certified, or
   * 'blanket', certified and quick.
   */
  readonly accounting?: SingleMessageAccounting;
  readonly subsetSize?: number;
}

export type SubsetExponentialShuffledParameters = SubsetExponentialParameters & {
  /** Central target in nats. */
  readonly epsilon: number;
  readonly accounting: SingleMessageAccounting;
};

export const SUBSET_EXPONENTIAL_SHUFFLED: SetProtocolCard<
  SubsetExponentialShuffledSpec,
  SubsetExponentialShuffledParameters
> = {
  kind: 'subexp-shuffled',
  title: 'Subset exponential, shuffled',
  dataKind: 'sets',
  task: 'frequencies',
  setByTarget: 'levels',
  sharpBound: true,
  byBlocks: true,
  wholeSets: true,
  fields: [LEVEL_TARGET, choiceField('accounting', ['variation-ratio', 'sharpest', 'blanket']), SUBSET_SIZE],
  create: subsetExponentialShuffled,
};

/** All users at one local budget, by default their largest level; the shuffler adds nothing to the claim. */
export function subsetExponentialLocal(
  spec: SubsetExponentialLocalSpec,
  setting: SetValuedSetting,
): SetProtocol<SubsetExponentialParameters> {
  checkSetValuedSetting(setting);
  const epsilon0 = requirePositive('epsilon0', spec.epsilon0 ?? setting.levels.at(-1)!);
  const statement: PrivacyStatement = Object.freeze({
    epsilon: interval(0, epsilon0),
    delta: 0,
    accountant: 'local',
    theorem: 'epsilon0-local differential privacy of the subset-exponential mechanism',
    status: 'certified',
    sound: true,
    adjacency: 'replace-one',
    unit: 'one user, their one message',
    view: "every user's message with their name",
    group: 'all users',
  });
  return subsetExponentialProtocol(
    {
      kind: 'subexp-local',
      name: 'Subset exponential, local',
      description: 'One random subset per user at the largest level, in the local model.',
      parameters: {},
      privacy: () => [statement],
      certifiedPrivacy: () => [statement],
      // The message alone is private, whoever else sends.
      threatenedPrivacy: () => [statement],
    },
    setting,
    epsilon0,
    spec.subsetSize,
  );
}

/** All users at one central target, by default their smallest level. */
export function subsetExponentialShuffled(
  spec: SubsetExponentialShuffledSpec,
  setting: SetValuedSetting,
): SetProtocol<SubsetExponentialShuffledParameters> {
  checkSetValuedSetting(setting);
  const { users, delta } = setting;
  const epsilon = requirePositive('epsilon', spec.epsilon ?? setting.levels[0]!);
  const accounting = spec.accounting ?? 'variation-ratio';
  const make = (epsilon0: number) => mechanism(setting, epsilon0, spec.subsetSize);
  const target = { users, epsilon, delta };
  const { value: epsilon0, by } = calibratedLocalBudget(make, target, accounting);
  return subsetExponentialProtocol(
    {
      kind: 'subexp-shuffled',
      name: 'Subset exponential, shuffled',
      description: 'One random subset per user, shuffled, all users at one privacy level.',
      parameters: { epsilon, accounting },
      ...messageStatements(make(epsilon0), target, accounting, by),
    },
    setting,
    epsilon0,
    spec.subsetSize,
  );
}

function mechanism({ domain, items }: SetValuedSetting, epsilon0: number, subsetSize: number | undefined) {
  return subsetExponential({
    domain,
    items,
    epsilon0,
    ...(subsetSize === undefined ? {} : { subsetSize }),
  });
}

function subsetExponentialProtocol<Chosen extends ProtocolParameters>(
  said: Pick<
    SetProtocol<Chosen>,
    'kind' | 'name' | 'description' | 'parameters' | 'privacy' | 'certifiedPrivacy' | 'threatenedPrivacy'
  >,
  setting: SetValuedSetting,
  epsilon0: number,
  requestedSize: number | undefined,
): SetProtocol<SubsetExponentialParameters & Chosen> {
  const randomizer = mechanism(setting, epsilon0, requestedSize);
  const { subsetSize } = randomizer;
  return Object.freeze({
    ...said,
    parameters: Object.freeze({ epsilon0, subsetSize, ...said.parameters }),
    ...oracleRun(randomizer, setting, {
      jointPaths: ['messages', 'aggregated'],
      supportCounts: (data, stream) => randomizer.sampleJointSupport(data, stream),
    }),
  } satisfies SetProtocol<SubsetExponentialParameters & Chosen>);
}
