/** The protocol of a cell, and what can be said of it without simulating: parameters, cost and privacy. */
import {
  ParameterError,
  type CategoricalData,
  type PrivacyStatement,
  type RandomStream,
  type SetValuedData,
  type ShuffleTrace,
} from '@shuffle-dp/core';
import {
  createFrequencyProtocol,
  createSetProtocol,
  isFrequencySpec,
  type ShuffleProtocol,
} from '@shuffle-dp/protocols';
import type { ParameterValue } from '../results/run-result.ts';
import type { Cell } from './cells.ts';

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
  if (isFrequencySpec(cell.spec)) {
    const epsilon = cell.epsilon === null ? {} : { epsilon: cell.epsilon };
    const setting = { users, domain, delta: cell.delta, ...epsilon };
    return bind(createFrequencyProtocol(cell.spec, setting), cell, requireCategories);
  }
  const setting = {
    users,
    domain,
    itemsPerUser: itemsPerUser!,
    delta: cell.delta,
    levels: cell.levels!,
    shares,
  };
  return bind(createSetProtocol(cell.spec, setting), cell, requireSets);
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

function requireCategories(data: AnyData): CategoricalData {
  if (data.kind !== 'categories') throw new ParameterError('data.kind', data.kind, 'categories');
  return data;
}

function requireSets(data: AnyData): SetValuedData {
  if (data.kind !== 'sets') throw new ParameterError('data.kind', data.kind, 'sets');
  return data;
}
