/** One identifier of a large domain a user: the few that most of them hold, and how frequent these are. */
import { onceEachObject, ParameterError, picked } from '@shuffle-dp/core';
import {
  createHeavyHitterProtocol,
  topQuality,
  type HeavyHitterProtocol,
  type HeavyHitters,
  type IdentifierData,
} from '@shuffle-dp/protocols';
import { FOUND_AT_ZERO } from '../results/item-estimates.ts';
import { nobodyStaysAway } from './attendance.ts';
import type { IdentifierCell } from './cell.ts';
import type { DataKind, RunProtocol } from './data-kind.ts';

export const IDENTIFIERS: DataKind<'identifiers'> = {
  holds: 'identifiers',
  draw: (source, { users, simulation }, stream) => source.draw(users, simulation, stream),
  truthOf: (data, { data: { domain } }) => {
    const empirical = new Float64Array(domain);
    countsOf(data).holders.forEach((holders, i) => (empirical[i] = holders / data.users));
    return { empirical };
  },
  inQuestion(truth, { data: { domain, top } }) {
    const asked = new Uint8Array(domain);
    const order = Array.from(truth, (_, i) => i).sort((a, b) => truth[b]! - truth[a]! || a - b);
    for (const i of order.slice(0, top)) if (truth[i]! > 0) asked[i] = 1;
    return asked;
  },
  quality(estimate, truth, { data: { top } }) {
    const found = Array.from(estimate, (_, i) => i).filter((i) => estimate[i] !== 0);
    const identifiers = Float64Array.from(truth, (_, i) => i);
    return topQuality(Float64Array.from(found), { identifiers, holders: truth }, top);
  },
  namesOf: ({ names }) => names,
  limitsOf: () => ({ low: FOUND_AT_ZERO, high: 1, missed: 0 }),
  bytesOf: (data) => (data.values?.byteLength ?? 0) + 2 * countsOf(data).holders.byteLength,
  attending: () => nobodyStaysAway('identifiers'),
  protocolOf(cell) {
    const { spec, data, delta, epsilon } = cell;
    const { users, bits, top } = data;
    return asRun(createHeavyHitterProtocol(spec, { users, bits, top, epsilon, delta }), cell);
  },
};

/**
 * The frequencies of what is found, 0 for all else: first of the identifiers that the data list, then of
 * those that nobody holds.
 */
function asRun(protocol: HeavyHitterProtocol, cell: IdentifierCell): RunProtocol<IdentifierData> {
  return {
    ...picked(protocol, 'name', 'kind', 'description', 'parameters', 'paths'),
    jointPaths: protocol.paths,
    theoreticalBound: null,
    run: (data, stream, path) => placed(protocol.find(data, stream, path), data, cell),
    privacy: () => protocol.certifiedPrivacy(),
    certifiedPrivacy: () => protocol.certifiedPrivacy(),
    expectedError: () => null,
    cost: () => protocol.cost(),
  };
}

function placed(
  { identifiers, frequencies }: HeavyHitters,
  data: IdentifierData,
  { data: { domain, top } }: IdentifierCell,
): Float64Array {
  const estimate = new Float64Array(domain);
  const places = placesOf(countsOf(data).identifiers);
  let unheld = domain - top;
  identifiers.forEach((identifier, i) => {
    estimate[places.get(identifier) ?? unheld++] = frequencies[i]! || FOUND_AT_ZERO;
  });
  return estimate;
}

const placesOf = onceEachObject(
  (identifiers: Float64Array): ReadonlyMap<number, number> =>
    new Map(Array.from(identifiers, (identifier, place) => [identifier, place])),
);

/** Sources always count. */
function countsOf({ counts }: IdentifierData): NonNullable<IdentifierData['counts']> {
  if (counts) return counts;
  throw new ParameterError('data.counts', undefined, 'given');
}
