import { describe, expect, it } from 'vitest';
import { relativeWidth } from '@shuffle-dp/core';
import { composedDelta, composedEpsilon, type PairRounds } from '../../src/index.ts';
import reference from '../fixtures/composition.json' with { type: 'json' };

const pairs = reference.pairs.map(({ pair }) => ({
  ...pair,
  p: pair.p === 'inf' ? Infinity : Number(pair.p),
}));

type Case = (typeof reference.cases)[number];

function roundsOf({ rounds }: Case): PairRounds[] {
  return rounds.map(([index, users, count]) => ({ pair: pairs[index!]!, users: users!, count: count! }));
}

function title({ setting, rounds }: Case): string {
  return `${setting}, n and counts ${rounds.map(([, users, count]) => `${users} x ${count}`).join(', ')}`;
}

describe('brackets of an independent program', () => {
  it.each(reference.cases.map((entry) => [title(entry), entry] as const))('%s', (_, entry) => {
    const rounds = roundsOf(entry);
    for (const [epsilon, lower, upper] of entry.delta) {
      const ours = composedDelta(rounds, epsilon!, { relativeWidth: 3e-3 });
      expect(ours.lower).toBeLessThanOrEqual(upper!);
      expect(ours.upper).toBeGreaterThanOrEqual(lower!);
      expect(relativeWidth(ours)).toBeLessThan(1e-2);
    }
    for (const [delta, lower, upper] of entry.epsilon) {
      const ours = composedEpsilon(rounds, delta!, { relativeWidth: 1e-3 });
      expect(ours.lower).toBeLessThanOrEqual(upper!);
      expect(ours.upper).toBeGreaterThanOrEqual(lower!);
      expect(relativeWidth(ours)).toBeLessThan(1e-3);
    }
  });
});
