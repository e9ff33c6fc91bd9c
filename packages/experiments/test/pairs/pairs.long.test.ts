// @module-tag long
// 5,000 trials of every pair with fixed seeds: theory lines by one chi-square over all cells, both paths item
// by item.
import { readFileSync } from 'node:fs';
import { regularizedGammaTail } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { everyPair, measured, type MeasuredPair } from './pairs.ts';

const TRIALS = 5000;
const pairs = everyPair();
const scores: number[] = [];
let ran = 0;

describe.each(pairs.map((pair) => [pair.name, pair] as const))('%s', (_name, pair) => {
  it('has one mean and one variance on both paths', () => {
    const known = pair.paths.map((path): MeasuredPair => {
      const found = measured(pair, path, TRIALS);
      if (found.excess) scores.push(found.excess.mean / found.excess.standardError);
      return found;
    });
    ran++;
    const [first, second] = known;
    if (!first || !second) return;
    const alike = (['errors', 'squares'] as const).flatMap((of) =>
      first[of].flatMap((moments, i) => {
        const other = second[of][i]!;
        const spread = Math.hypot(moments.standardError, other.standardError);
        return spread === 0 ? [] : [zTest(moments.mean, other.mean, spread)];
      }),
    );
    // All items of all pairs together raise a false alarm with a probability of 0.001.
    expect(Math.min(1, ...alike)).toBeGreaterThan(0.001 / alike.length / pairs.length);
  });
});

afterAll(() => {
  const chiSquare = scores.reduce((sum, z) => sum + z * z, 0);
  const pValue = regularizedGammaTail(scores.length / 2, chiSquare / 2);
  expect(pValue).toBeGreaterThan(0.001);
  // The page tells of all pairs.
  if (ran < pairs.length) return;
  const page = readFileSync(new URL('../../../../docs/statistics.md', import.meta.url), 'utf8');
  expect(page).toContain(`${scores.length} cells, ${chiSquare.toFixed(1)}, p = ${pValue.toFixed(2)}.`);
});
