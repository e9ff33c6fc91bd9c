// Sets that are too many to list: users beyond those who can be drawn are counted by item, for the protocols
// that need no whole sets.
import { RandomStream } from '@shuffle-dp/core';
import { createSetProtocol, needsWholeSets, SET_PROTOCOLS } from '@shuffle-dp/protocols';
import { describe, expect, it } from 'vitest';
import { experimentSchema } from '../../src/config/schema.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { drawSuccessiveCounts, ringingTimes } from '../../src/data/item-sets/successive-counts.ts';
import type { Cell } from '../../src/kinds/cell.ts';

const LEVELS = { levels: [0.5, 1], shares: [0.25, 0.75] };

function cellOf(users: number, kind: string, simulation = 'aggregated'): Cell {
  const parsed = experimentSchema.parse({
    name: 'sets',
    seed: 'sets',
    adjacency: 'replace-one',
    trials: 1,
    simulation,
    users,
    data: { kind: 'sets-zipf', domain: 128, items: 4, exponent: 1 },
    privacy: { ...LEVELS, delta: 1e-9 },
    protocols: [{ kind }],
  });
  return planExperiment({ ...parsed, measure: 'frequencies' }, 'sets.yaml').cells[0]!;
}

describe('users of sets that are too many to list', () => {
  it('are a billion on the aggregated path', () => {
    expect(cellOf(1e9, 'segmented').data.users).toBe(1e9);
  });

  it('are refused in one line where whole sets have to be known', () => {
    for (const kind of ['subexp-shuffled', 'subexp-local'])
      expect(() => cellOf(1e9, kind)).toThrow(
        'users = 1000000000: must be at most 67108864 where every user is drawn',
      );
  });

  it('are the same on both paths up to where they are counted', () => {
    const [most, more] = [2 ** 26, 2 ** 26 + 1];
    expect(cellOf(most, 'segmented').data.key).toBe(cellOf(most, 'segmented', 'messages').data.key);
    expect(cellOf(more, 'segmented').data.key).not.toBe(cellOf(more, 'segmented', 'messages').data.key);
  });

  it.each(SET_PROTOCOLS.map(({ kind }) => kind))(
    'are enough for %s, or it says that it needs whole sets',
    (kind) => {
      const [users, domain, items] = [1000, 12, 3];
      const probabilities = new Float64Array(domain).fill(1 / domain);
      const usersOfLevel = Float64Array.of(250, 750);
      const stream = RandomStream.fromSeed(`counts for ${kind}`);
      const law = { probabilities, items, times: ringingTimes(probabilities, items) };
      const holdersOfLevel = drawSuccessiveCounts(law, usersOfLevel, stream);
      const histogram = probabilities.map((_, item) => holdersOfLevel[0]![item]! + holdersOfLevel[1]![item]!);
      const protocol = createSetProtocol({ kind } as { kind: 'segmented' }, {
        users,
        domain,
        items,
        delta: 1e-6,
        ...LEVELS,
      });
      const data = {
        kind: 'sets',
        users,
        domain,
        items,
        histogram,
        counts: { usersOfLevel, holdersOfLevel },
      } as const;
      const run = (): Float64Array => protocol.run(data, stream, 'aggregated');
      if (needsWholeSets(kind)) expect(run).toThrow("every user's set");
      else expect([...run()].every(Number.isFinite)).toBe(true);
    },
  );
});
