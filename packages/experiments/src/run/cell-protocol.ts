/** The protocol of a cell, and what can be said of it without simulating: parameters, cost and privacy. */
import {
  ParameterError,
  type CategoricalData,
  type PrivacyStatement,
  type RandomStream,
  type SetValuedData,
  type ShuffleTrace,
} from '@shuffle-dp/core';
import { basename } from 'node:path';
import {
  createFrequencyProtocol,
  createSetProtocol,
  isFrequencySpec,
  shuffledOracle,
  type CategoricalSetting,
  type FrequencyProtocol,
  type ShuffleProtocol,
} from '@shuffle-dp/protocols';
import type { ParameterValue } from '../results/run-result.ts';
import type { Cell } from './cells.ts';
import {
  checkModule,
  ownOracle,
  requireEstimate,
  type OwnRandomizerSpec,
} from '../own-randomizer/own-randomizer.ts';

export type AnyData = SetValuedData | CategoricalData;

export interface CellProtocol {
  readonly expectedError: (data: AnyData) => number | null;
  readonly estimate: (
    data: AnyData,
    stream: RandomStream,
    trace?: (entry: ShuffleTrace) => void,
  ) => Float64Array;
  readonly describe: () => CellDescription;
}

/** Plain data, so that it can be journalled. */
export interface CellDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly theoreticalBound: number | null;
  readonly messagesPerUser: number;
  readonly bitsPerUser: number;
  readonly certified: readonly PrivacyStatement[];
  readonly stated: readonly PrivacyStatement[];
}

/** @throws ParameterError, OutOfRegimeError for parameters that the protocol refuses */
export function cellProtocol(cell: Cell): CellProtocol {
  const { users, domain, itemsPerUser, shares } = cell.data;
  const { spec } = cell;
  const epsilon = cell.epsilon === null ? {} : { epsilon: cell.epsilon };
  const categories = { users, domain, delta: cell.delta, ...epsilon };
  if (spec.kind === 'own-randomizer') return ownProtocol(spec, cell, categories);
  if (isFrequencySpec(spec)) return bindFrequency(createFrequencyProtocol(spec, categories), cell);
  const setting = {
    users,
    domain,
    itemsPerUser: itemsPerUser!,
    delta: cell.delta,
    levels: cell.levels!,
    shares,
  };
  return bind(createSetProtocol(spec, setting), cell, requireSets);
}

function ownProtocol(spec: OwnRandomizerSpec, cell: Cell, setting: CategoricalSetting): CellProtocol {
  const { epsilon0, accounting } = spec;
  const { domain } = setting;
  const name = basename(spec.module);
  const options = {
    title: name,
    randomizer: name,
    ...(epsilon0 === undefined ? {} : { epsilon0 }),
    ...(accounting === undefined ? {} : { accounting }),
  };
  const protocol = shuffledOracle((budget) => ownOracle(spec, domain, budget), options, setting);
  const bound = bindFrequency(protocol, cell);
  return {
    ...bound,
    estimate: (...trial) => requireEstimate(spec, bound.estimate(...trial), domain),
    describe: () => {
      checkModule(spec, domain, protocol.parameters['epsilon0'] as number);
      const description = bound.describe();
      const { certified, stated } = description;
      return { ...description, certified: certified.map(asModuleStates), stated: stated.map(asModuleStates) };
    },
  };
}

/** What is proved of a randomizer from outside is proved of what it says of itself. */
function asModuleStates(statement: PrivacyStatement): PrivacyStatement {
  return { ...statement, theorem: `${statement.theorem}, for the masses that the module states` };
}

function bindFrequency(protocol: FrequencyProtocol, cell: Cell): CellProtocol {
  const bound = bind(protocol, cell, requireCategories);
  if (cell.measure !== 'ranges') return bound;
  return { ...bound, expectedError: (data) => protocol.expectedRangeError(requireCategories(data)) };
}

function bind<Data>(
  protocol: ShuffleProtocol<Data>,
  cell: Cell,
  narrow: (data: AnyData) => Data,
): CellProtocol {
  const path = cell.data.simulation;
  if (!protocol.paths.includes(path)) {
    throw new ParameterError('simulation', path, `one of ${protocol.paths.join(', ')} for ${protocol.name}`);
  }
  const joint = needsJointLaw(cell);
  if (joint !== null && !protocol.jointPaths.includes(path)) {
    const allowed = `'messages' to ${joint}: without messages ${protocol.name} draws its counts one by one`;
    throw new ParameterError('simulation', path, allowed);
  }
  return {
    expectedError: (data) => protocol.expectedError(narrow(data)),
    estimate: (data, stream, trace) => protocol.run(narrow(data), stream, path, trace),
    describe: () => ({
      name: cell.label ?? protocol.name,
      description: protocol.description,
      parameters: protocol.parameters,
      theoreticalBound: protocol.theoreticalBound,
      ...protocol.cost(),
      certified: protocol.certifiedPrivacy(),
      stated: protocol.privacy(),
    }),
  };
}

/** What a cell asks of its estimates together, in words; null where each for itself is enough. */
function needsJointLaw({ measure, postprocess, error }: Cell): string | null {
  if (measure === 'ranges') return 'measure ranges';
  if (postprocess === 'project-simplex') return 'project to the simplex';
  return error === 'maximum' ? 'measure the maximum error' : null;
}

function requireCategories(data: AnyData): CategoricalData {
  if (data.kind !== 'categories') throw new ParameterError('data.kind', data.kind, 'categories');
  return data;
}

function requireSets(data: AnyData): SetValuedData {
  if (data.kind !== 'sets') throw new ParameterError('data.kind', data.kind, 'sets');
  return data;
}
