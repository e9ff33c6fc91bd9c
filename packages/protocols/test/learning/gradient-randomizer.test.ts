import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { gradientRandomizer } from '../../src/learning/gradient-randomizer.ts';

const DIMENSIONS = 40;
const row = (): Float64Array => Float64Array.from({ length: DIMENSIONS }, (_, k) => (k < 5 ? 0.1 : 0));

function messages(kind: 'apes' | 's-apes', sparsification: 'largest' | 'random', seed: string): Float64Array {
  const values = row();
  gradientRandomizer({ kind, clipBound: 0.1, keptShare: 0.25, sparsification }, DIMENSIONS, 5)(
    values,
    5,
    RandomStream.fromSeed(seed),
  );
  return values;
}

/** What s-apes randomizes before it drops anything. */
function undropped(seed: string): Float64Array {
  const values = row();
  gradientRandomizer({ kind: 's-apes', clipBound: 0.1, keptShare: 1 }, DIMENSIONS, 5)(
    values,
    5,
    RandomStream.fromSeed(seed),
  );
  return values;
}

describe('post-sparsification', () => {
  it('keeps the largest messages as they are and replaces all others', () => {
    const before = undropped('seed');
    const after = messages('s-apes', 'largest', 'seed');
    const kept = [...after.keys()].filter((k) => after[k] === before[k]);
    expect(kept).toHaveLength(10);
    const threshold = Math.min(...kept.map((k) => Math.abs(before[k]!)));
    expect([...before].filter((value) => Math.abs(value) > threshold)).toHaveLength(9);
    for (const value of after) expect(Math.abs(value)).toBeLessThanOrEqual(0.1);
  });

  it('at random keeps as many, elsewhere', () => {
    const before = undropped('seed');
    const after = messages('s-apes', 'random', 'seed');
    expect([...after.keys()].filter((k) => after[k] === before[k])).toHaveLength(10);
    expect(after).not.toEqual(messages('s-apes', 'largest', 'seed'));
  });
});
