/** The protocol of a cell, and what can be said of it without simulating: parameters, cost and privacy. */
import {
  type Cost,
  type MessageCarrier,
  ParameterError,
  picked,
  type RandomStream,
  type SearchResults,
  type ShuffleTracer,
  type Trust,
  withSearches,
} from '@shuffle-dp/core';
import type { MessageRounds } from '@shuffle-dp/protocols';
import type { Cell } from '../kinds/cell.ts';
import type { Holding } from '../data/data-set-card.ts';
import type { AnyData, RunProtocol } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import type { CellResult } from '../results/run-result.ts';
import { attackedTrial, withThreatenedPrivacy, type AttackedTrial } from './attacked-trial.ts';
import { goesByBlocks } from './by-blocks.ts';
import { calibratedUnderThreats } from './calibrate-under-threats.ts';

export interface CellProtocol {
  /** Of a trial under threats, given the users who hold the data; absent where there are none. */
  readonly attacked?: (data: AnyData, stream: RandomStream) => AttackedTrial;
  readonly expectedError: (data: AnyData) => number | null;
  readonly estimate: (
    data: AnyData,
    stream: RandomStream,
    trace?: ShuffleTracer | MessageCarrier,
  ) => Float64Array;
  readonly cost: () => Cost;
  /** Absent where all data cost alike. */
  readonly costOf?: (data: AnyData) => Cost;
  /** Whether the shuffler only permutes, or has to read messages, drop some and add its own. */
  readonly trust: Trust;
  /** Absent where the protocol cannot meet its users block by block. */
  readonly messageRounds?: MessageRounds<AnyData>;
  readonly describe: () => CellDescription;
}

/** Plain data, so that it can be journalled. */
export interface CellDescription extends Pick<
  CellResult,
  'description' | 'parameters' | 'messagesPerUser' | 'bitsPerUser' | 'certified' | 'stated'
> {
  readonly name: string;
  readonly theoreticalBound: number | null;
  /** What was searched for to make the protocol; absent where nothing was, and in older journals. */
  readonly searches?: SearchResults;
}

/**
 * @param searches what an earlier description of the cell, by the same code, says of them
 * @throws ParameterError, OutOfRegimeError for parameters that the protocol refuses
 */
export function cellProtocol(cell: Cell, searches: SearchResults = {}): CellProtocol {
  const { holds, threats } = cell;
  const { made, found } = withSearches(searches, () =>
    threats && cell.accounting === 'certified'
      ? calibratedUnderThreats(cell, threats)
      : kindOf(holds).protocolOf(cell),
  );
  requirePath(made, cell);
  const protocol = threats ? withThreatenedPrivacy(made, cell, threats) : made;
  return {
    ...(threats && {
      attacked: (data, stream) => attackedTrial(cell, threats, made, requireKind(data, holds), stream),
    }),
    expectedError: (data) => protocol.expectedError(requireKind(data, holds)),
    estimate: (data, stream, trace) =>
      protocol.run(requireKind(data, holds), stream, cell.data.simulation, trace),
    cost: () => protocol.cost(),
    ...(protocol.costOf && { costOf: (data) => protocol.costOf!(requireKind(data, holds)) }),
    trust: protocol.parameters['trust'] === 'augmented' ? 'augmented' : 'shuffler',
    ...(protocol.messageRounds ? { messageRounds: protocol.messageRounds } : {}),
    describe: () => {
      protocol.check?.();
      requireRoom(protocol, cell);
      return {
        name: cell.label ?? protocol.name,
        ...picked(protocol, 'description', 'parameters', 'theoreticalBound'),
        ...protocol.cost(),
        certified: protocol.certifiedPrivacy(),
        stated: protocol.privacy(),
        ...(Object.keys(found).length > 0 ? { searches: found } : {}),
      };
    },
  };
}

/**
 * @throws ParameterError for a path that the protocol has not, or whose estimates have not the law that is
 * asked for
 */
function requirePath(protocol: RunProtocol<AnyData>, cell: Cell): void {
  const path = cell.data.simulation;
  if (!protocol.paths.includes(path)) {
    const allowed = `'${protocol.paths.join("' or '")}' for ${protocol.name}`;
    // Who did not write the field does not know where it comes from.
    const hint = path === 'aggregated' ? ", and 'aggregated' is the default" : '';
    throw new ParameterError('simulation', path, allowed + hint);
  }
  const joint = needsJointLaw(cell);
  if (joint !== null && !protocol.jointPaths.includes(path)) {
    const allowed = `'messages' to ${joint}: without messages ${protocol.name} draws its counts one by one`;
    throw new ParameterError('simulation', path, allowed);
  }
}

/** Messages of a trial, where they are not met by blocks. */
const MOST_MESSAGES = 2 ** 31 - 1;

/** @throws ParameterError where a trial has more messages than one list holds */
function requireRoom(protocol: RunProtocol<AnyData>, cell: Cell): void {
  const { simulation, users } = cell.data;
  const messages = Math.ceil(protocol.cost().messagesPerUser * users);
  if (simulation === 'messages' && messages > MOST_MESSAGES && !goesByBlocks(cell))
    throw new ParameterError(
      'simulation',
      simulation,
      `'aggregated', or have fewer messages: ${messages} are more than ${MOST_MESSAGES}`,
    );
}

/** What a cell asks of its estimates together, in words; null where each for itself is enough. */
function needsJointLaw({ measure, postprocess, error }: Cell): string | null {
  if (measure === 'ranges') return 'measure ranges';
  if (postprocess === 'project-simplex') return 'project to the simplex';
  return error === 'maximum' ? 'measure the maximum error' : null;
}

/** @throws ParameterError for data of another kind */
function requireKind(data: AnyData, holds: Holding): AnyData {
  if (data.kind !== holds) throw new ParameterError('data.kind', data.kind, holds);
  return data;
}
