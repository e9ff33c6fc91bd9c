/** Key-value pairs: the frequency of every key, or the mean of its values. */
import { ParameterError } from '@shuffle-dp/core';
import { createKeyValueProtocol, keyMeans } from '@shuffle-dp/protocols';
import { nobodyStaysAway } from './attendance.ts';
import type { DataKind } from './data-kind.ts';

export const KEY_VALUES: DataKind<'key-values'> = {
  holds: 'key-values',
  draw: (source, { users, simulation }, stream) => source.draw(users, simulation, stream),
  truthOf(data, { data: { range }, measure }) {
    const { population } = data;
    if (measure === 'means')
      return { empirical: keyMeans(data, (range.low + range.high) / 2), population: population?.means };
    return {
      empirical: data.histogram.map((holders) => holders / data.users),
      population: population?.frequencies,
    };
  },
  inQuestion: (truth, { data: { keys } }) =>
    keys === undefined ? undefined : Uint8Array.from(truth, (_, key) => (key < keys ? 1 : 0)),
  namesOf: ({ names = null }) => names,
  limitsOf: ({ measure, data: { range, items } }) =>
    measure === 'means' ? { low: range.low, high: range.high } : { low: 0, high: 1, sum: items },
  bytesOf: ({ histogram, pairs, counts }) =>
    3 * histogram.byteLength +
    (pairs ? pairs.keys.byteLength + pairs.values.byteLength : 0) +
    (counts?.holders.byteLength ?? 0),
  attending: () => nobodyStaysAway('key-value pairs'),
  protocolOf({ spec, data, delta, epsilon, measure }) {
    const { users, domain, items, range, simulation, config } = data;
    if (simulation === 'aggregated' && config.kind === 'csv-key-values')
      throw new ParameterError(
        'simulation',
        simulation,
        "'messages', and 'aggregated' is the default: values of a file are too many to count",
      );
    return createKeyValueProtocol(spec, {
      users,
      domain,
      items,
      range: { low: range.low, high: range.high },
      measure: measure === 'means' ? 'means' : 'frequencies',
      delta,
      epsilon,
    });
  },
};
