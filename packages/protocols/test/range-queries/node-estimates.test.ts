import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { canonicalRuns, hierarchy, nodeSums } from '../../src/range-queries/hierarchy.ts';
import { answerRange, consistentEstimates } from '../../src/range-queries/node-estimates.ts';

const SHAPES = [
  [8, 2],
  [13, 2],
  [11, 3],
] as const;

/** Frequencies that differ from level to level, as noisy estimates do. */
function noisyEstimates(domain: number, branching: number) {
  const tree = hierarchy(domain, branching);
  const stream = RandomStream.fromSeed(`noise ${domain} ${branching}`);
  const frequencies = tree.levels.map(({ nodes }) =>
    Float64Array.from({ length: nodes }, () => 1 / nodes + 0.3 * (stream.next() - 0.5)),
  );
  return { hierarchy: tree, frequencies, variances: tree.levels.map((_, h) => 1 + 0.5 * h) };
}

test('a range is the sum over its canonical nodes', () => {
  const { hierarchy: tree, frequencies } = noisyEstimates(8, 2);
  expect(canonicalRuns(tree, { from: 1, to: 8 })).toEqual([
    { level: 0, first: 1, end: 2 },
    { level: 1, first: 1, end: 2 },
    { level: 2, first: 1, end: 2 },
  ]);
  const sum = frequencies[0]![1]! + frequencies[1]![1]! + frequencies[2]![1]!;
  expect(answerRange({ hierarchy: tree, frequencies }, { from: 1, to: 8 })).toBeCloseTo(sum, 14);
});

describe.each(SHAPES)('consistency over %d leaves, %d children', (domain, branching) => {
  const { hierarchy: tree, frequencies, variances } = noisyEstimates(domain, branching);
  const consistent = consistentEstimates({ hierarchy: tree, frequencies }, variances);
  const [leaves] = consistent.frequencies;

  test('every node is the sum of its leaves, and the whole is 1', () => {
    nodeSums(tree, leaves!).forEach((sums, h) => {
      sums.forEach((sum, node) => expect(consistent.frequencies[h]![node]).toBeCloseTo(sum, 13));
    });
    expect(leaves!.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 13);
  });

  // At the minimum under sum = 1 the derivative of the squared errors is the same along every leaf.
  test('it is the weighted least squares solution', () => {
    const slopes = Array.from(leaves!, (_, leaf) =>
      tree.levels.reduce((slope, { width }, h) => {
        const node = Math.floor(leaf / width);
        return slope + (frequencies[h]![node]! - consistent.frequencies[h]![node]!) / variances[h]!;
      }, 0),
    );
    for (const slope of slopes) expect(slope).toBeCloseTo(slopes[0]!, 12);
    expect(Math.abs(frequencies[0]![0]! - leaves![0]!)).toBeGreaterThan(1e-3);
  });

  test('consistent estimates stay as they are', () => {
    const again = consistentEstimates(consistent, variances);
    again.frequencies.forEach((level, h) => {
      level.forEach((value, node) => expect(value).toBeCloseTo(consistent.frequencies[h]![node]!, 13));
    });
  });
});

test('consistency needs a variance for each level', () => {
  const { hierarchy: tree, frequencies } = noisyEstimates(8, 2);
  expect(() => consistentEstimates({ hierarchy: tree, frequencies }, [1, 0, 1])).toThrow(
    'levelVariances[1] = 0: must be a positive number',
  );
  expect(() => consistentEstimates({ hierarchy: tree, frequencies }, [1, 1])).toThrow('levelVariances[2]');
});
