/** One vector a user: their mean, coordinate by coordinate. */
import { averageVector, createVectorProtocol } from '@shuffle-dp/protocols';
import { attendingVectors } from './attendance.ts';
import type { DataKind } from './data-kind.ts';

export const VECTORS: DataKind<'vectors'> = {
  holds: 'vectors',
  draw: (source, { users }, stream) => source.draw(users, stream),
  truthOf: (data) => ({ empirical: averageVector(data), population: data.population }),
  namesOf: ({ names = null }) => names,
  limitsOf: ({ data: { range } }) => ({ low: range.low, high: range.high }),
  bytesOf: ({ values }) => values.byteLength,
  attending: (data, _cell, attendance, stream) => attendingVectors(data, attendance, stream),
  protocolOf({ spec, data, delta, epsilon }, users = data.users) {
    const { domain, range } = data;
    return createVectorProtocol(spec, {
      users,
      dimensions: domain,
      range: { low: range.low, high: range.high },
      delta,
      epsilon,
    });
  },
};
