/** A set of items and a privacy level a user: the frequency of every item. */
import { dealCounts } from '@shuffle-dp/core';
import { createSetProtocol, levelCounts, levelHistograms } from '@shuffle-dp/protocols';
import { nobodyStaysAway } from './attendance.ts';
import type { DataKind } from './data-kind.ts';
import { sumOfRows } from './sum-of-rows.ts';
import { threatsToPrivacy } from './threats.ts';

export const SETS: DataKind<'sets'> = {
  holds: 'sets',
  draw: (source, { users, shares, simulation }, stream) =>
    simulation === 'aggregated' && source.drawCounts && users >= (source.countsFrom ?? 0)
      ? source.drawCounts(users, shares, stream)
      : source.draw(users, shares, stream),
  blocks: {
    cut(cell, sizes, stream) {
      return dealCounts(levelCounts(cell.users, cell.shares), sizes, stream).map((members, i) => {
        const users = sizes[i]!;
        return { ...cell, users, shares: Array.from(members, (count) => count / users) };
      });
    },
    counted(block, { shares }) {
      const { rows: _, levelOf: __, ...counts } = block;
      const { users, items } = levelHistograms(block, shares.length);
      return { ...counts, counts: { usersOfLevel: users, holdersOfLevel: items } };
    },
    sum: (blocks) => ({
      ...blocks[0]!,
      users: blocks.reduce((sum, { users }) => sum + users, 0),
      histogram: sumOfRows(blocks.map(({ histogram }) => histogram)),
      counts: {
        usersOfLevel: sumOfRows(blocks.map(({ counts }) => counts!.usersOfLevel)),
        holdersOfLevel: blocks[0]!.counts!.holdersOfLevel.map((_, level) =>
          sumOfRows(blocks.map(({ counts }) => counts!.holdersOfLevel[level]!)),
        ),
      },
    }),
  },
  truthOf: ({ histogram, users, population }) => ({
    empirical: histogram.map((holders) => holders / users),
    population,
  }),
  namesOf: ({ names = null }) => names,
  limitsOf: ({ data }) => ({ low: 0, high: 1, sum: data.items }),
  bytesOf: ({ rows, histogram, levelOf, counts }) =>
    (rows?.byteLength ?? 0) +
    histogram.byteLength +
    (levelOf?.byteLength ?? 0) +
    (counts ? counts.usersOfLevel.length * histogram.byteLength : 0) +
    (counts?.sets?.holders.byteLength ?? 0),
  attending: () => nobodyStaysAway('sets'),
  protocolOf({ spec, data, levels, delta, deltas, accounting, threats }) {
    const { users, domain, items, shares } = data;
    const facing = accounting === 'certified' && threats ? threatsToPrivacy(users, threats) : {};
    const { colluding = 0 } = facing;
    return createSetProtocol(spec, {
      users,
      domain,
      items,
      delta,
      ...(deltas && { deltas }),
      levels,
      shares,
      ...(colluding > 0 ? { colluding } : {}),
    });
  },
};
