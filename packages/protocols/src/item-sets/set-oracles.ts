/**
 * Randomizers of whole sets as protocols: every user sends one message, the messages are shuffled, and the
 * frequency of every item is estimated from how many messages support it. All users have one central target,
 * by default their smallest level.
 */
import {
  real,
  beyond,
  requirePositive,
  type MechanismCard,
  type MessageColumns,
  type RandomStream,
  type SetValuedData,
  type SimulationPath,
} from '@shuffle-dp/core';
import {
  calibratedLocalBudget,
  SINGLE_MESSAGE_ACCOUNTINGS,
  type SingleMessageAccounting,
} from '@shuffle-dp/accounting';
import {
  collision,
  COLLISION,
  sampledRappor,
  SAMPLED_RAPPOR,
  wheel,
  WHEEL,
  type SetFrequencyOracle,
} from '@shuffle-dp/randomizers';
import {
  choiceField,
  integerField,
  LEVEL_TARGET,
  rangeField,
  type ProtocolField,
  type SetProtocolCard,
} from '../protocol-card.ts';
import { chosenSizes } from '../chosen-sizes.ts';
import { messageStatements } from '../local-budget.ts';
import { oracleRound } from '../message-rounds.ts';
import { heldSets } from './level-histograms.ts';
import { checkData, checkSetValuedSetting, type SetValuedSetting } from '../setting.ts';
import type { SetProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled } from '../traced-shuffle.ts';

interface SetOracleSpec<Kind extends string> {
  readonly kind: Kind;
  /** Central target of all users in nats; default the smallest level. */
  readonly epsilon?: number;
  /**
   * What sets the local budget: 'sharpest', certified (default), 'blanket', certified and quick, or
   * 'variation-ratio' as published.
   */
  readonly accounting?: SingleMessageAccounting;
}

export interface WheelSpec extends SetOracleSpec<'wheel'> {
  /** Of an arc, in turns; default the one with the least sum of variances. */
  readonly length?: number;
}

export interface CollisionSpec extends SetOracleSpec<'collision'> {
  /** Default the number with the least sum of variances. */
  readonly buckets?: number;
}

export type SampledRapporSpec = SetOracleSpec<'sampled-rappor'>;

export type SetOracleParameters = {
  /** Central target in nats. */
  readonly epsilon: number;
  /** The largest local budget in nats that meets it. */
  readonly epsilon0: number;
  readonly accounting: SingleMessageAccounting;
};

export const WHEEL_SETS = setOracleCard(
  'wheel',
  WHEEL,
  [
    rangeField(
      real('length', beyond(0), beyond(1), 'length'),
      'a number in (0, 1)',
      'Length of an arc in turns, below 1 / items; default the best for one user.',
    ),
  ],
  ({ length }: WheelSpec, oracle) => wheel({ ...oracle, ...(length === undefined ? {} : { length }) }),
  { sharpBound: true },
);

export const COLLISION_SETS = setOracleCard(
  'collision',
  COLLISION,
  [integerField('buckets', 2, 'Buckets, more than items; default the best for one user.')],
  ({ buckets }: CollisionSpec, oracle) =>
    collision({ ...oracle, ...(buckets === undefined ? {} : { buckets }) }),
  { sharpBound: true },
);

export const SAMPLED_RAPPOR_SETS = setOracleCard(
  'sampled-rappor',
  SAMPLED_RAPPOR,
  [],
  (_: SampledRapporSpec, oracle) =>
    // Every user holds as many items: none is to be padded.
    sampledRappor({ ...oracle, paddedSize: oracle.items }),
);

interface OracleSetting {
  readonly domain: number;
  readonly items: number;
  readonly epsilon0: number;
}

function setOracleCard<Spec extends SetOracleSpec<string>, Columns extends MessageColumns>(
  kind: Spec['kind'],
  mechanism: MechanismCard,
  fields: readonly ProtocolField[],
  make: (spec: Spec, setting: OracleSetting) => SetFrequencyOracle<Columns>,
  more: { readonly sharpBound?: true } = {},
): SetProtocolCard<Spec, SetOracleParameters> {
  return {
    ...more,
    kind,
    title: mechanism.title,
    dataKind: 'sets',
    task: 'frequencies',
    setByTarget: 'levels',
    byBlocks: true,
    fields: [LEVEL_TARGET, choiceField('accounting', SINGLE_MESSAGE_ACCOUNTINGS), ...fields],
    create: (spec, setting) => setOracle(mechanism, spec, setting, (oracle) => make(spec, oracle)),
  };
}

/** @throws ParameterError */
function setOracle<Columns extends MessageColumns>(
  { name, title }: MechanismCard,
  spec: SetOracleSpec<string>,
  setting: SetValuedSetting,
  make: (setting: OracleSetting) => SetFrequencyOracle<Columns>,
): SetProtocol<SetOracleParameters> {
  checkSetValuedSetting(setting);
  const { users, domain, items, delta } = setting;
  const { accounting = 'sharpest' } = spec;
  const epsilon = requirePositive('epsilon', spec.epsilon ?? setting.levels[0]!);
  const at = (epsilon0: number): SetFrequencyOracle<Columns> => make({ domain, items, epsilon0 });
  const target = { users, epsilon, delta };
  const { value: epsilon0, by } = calibratedLocalBudget(at, target, accounting);
  const oracle = at(epsilon0);
  return Object.freeze({
    kind: name,
    name: title,
    description:
      'One randomized message about the whole set per user, shuffled, all users at one privacy level.',
    parameters: Object.freeze({ epsilon, epsilon0, ...chosenSizes(oracle), accounting }),
    ...oracleRun(oracle, setting, {
      // Each count has its law on the aggregated path; nothing is said of two.
      jointPaths: ['messages'],
      supportCounts: (data, stream) => oracle.sampleSupportCounts(data.histogram, users, stream),
    }),
    ...messageStatements(oracle, target, accounting, by),
  } satisfies SetProtocol<SetOracleParameters>);
}

/** The aggregated path of an oracle. */
interface AggregatedPath {
  readonly jointPaths: readonly SimulationPath[];
  /** Of every item, the messages that support it. */
  supportCounts(data: SetValuedData, stream: RandomStream): Float64Array;
}

/** How one message a user about the whole set is sent and read, what it errs by and what it costs. */
export function oracleRun<Columns extends MessageColumns>(
  oracle: Omit<SetFrequencyOracle<Columns>, 'sampleSupportCounts'>,
  setting: SetValuedSetting,
  { jointPaths, supportCounts }: AggregatedPath,
): Pick<
  SetProtocol,
  'paths' | 'jointPaths' | 'theoreticalBound' | 'run' | 'messageRounds' | 'expectedError' | 'cost'
> {
  const { users, domain, items } = setting;
  const conditional = (histogram: Float64Array): number => {
    let error = 0;
    for (const holders of histogram) error += oracle.variance(users, holders / users);
    return error;
  };
  return {
    paths: ['messages', 'aggregated'],
    jointPaths,
    // The variance of an item is linear in its frequency, so an even histogram gives the sum; sampling adds
    // at most s / n.
    theoreticalBound: conditional(new Float64Array(domain).fill((users * items) / domain)) + items / users,
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      if (path === 'aggregated') return oracle.estimate(supportCounts(data, stream), users);
      const held = heldSets(data);
      const shuffled = randomizedAndShuffled('data messages', oracle, held, { users, stream, trace });
      return oracle.estimate(oracle.supportCounts(shuffled), users);
    },
    messageRounds: oracleRound(oracle, users),
    expectedError: (data) => {
      checkData(data, setting);
      return conditional(data.histogram);
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: oracle.bitsPerMessage }),
  };
}
