/** A set of items and a privacy level a user: the frequency of every item. */
import { createSetProtocol } from '@shuffle-dp/protocols';
import { nobodyStaysAway } from './attendance.ts';
import type { DataKind } from './data-kind.ts';

export const SETS: DataKind<'sets'> = {
  holds: 'sets',
  draw: (source, { users, shares }, stream) => source.draw(users, shares, stream),
  truthOf: ({ histogram, users, population }) => ({
    empirical: histogram.map((holders) => holders / users),
    population,
  }),
  namesOf: ({ names = null }) => names,
  limitsOf: ({ data }) => ({ low: 0, high: 1, sum: data.items }),
  bytesOf: ({ rows, histogram, levelOf }) =>
    rows.byteLength + histogram.byteLength + (levelOf?.byteLength ?? 0),
  attending: () => nobodyStaysAway('sets'),
  protocolOf({ spec, data, levels, delta }) {
    const { users, domain, items, shares } = data;
    return createSetProtocol(spec, { users, domain, items, delta, levels, shares });
  },
};
