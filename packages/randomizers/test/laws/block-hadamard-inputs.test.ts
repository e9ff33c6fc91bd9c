import { expect, it } from 'vitest';
import type { OtherInput } from '@shuffle-dp/core';
import { blockHadamardResponse } from '../../src/categories/block-hadamard-response.ts';

const EPSILON0 = 1.2;

/** Masses by their ratios to the blanket, which is what accountants see of a type. */
function byRatios(rows: readonly (readonly number[])[]): string {
  const masses = new Map<string, number>();
  for (const [first, second, own, blanket] of rows) {
    const key = [first!, second!, own!].map((mass) => (mass / blanket!).toFixed(9)).join(' ');
    masses.set(key, (masses.get(key) ?? 0) + blanket!);
  }
  return [...masses]
    .filter(([, mass]) => mass > 1e-15)
    .map(([key, mass]) => `${key}: ${mass.toFixed(12)}`)
    .toSorted()
    .join('; ');
}

function rowsOf({ victim0, victim1, own, blanket }: OtherInput): number[][] {
  return Array.from(own, (mass, y) => [victim0[y]!, victim1[y]!, mass, blanket[y]!]);
}

it.each([
  [7, 1],
  [13, 2],
  [14, 2],
  [12, 4],
  [28, 4],
  [9, 8],
])('%d values in %d blocks: every pair beside every value is among the types', (domain, blocks) => {
  const randomizer = blockHadamardResponse({ domain, epsilon0: EPSILON0, blocks });
  const { typed } = randomizer.amplification();
  const listed = typed!.pairs.map(({ inputs }) => new Set(inputs.map((input) => byRatios(rowsOf(input)))));
  const laws = Array.from({ length: domain }, (_, value) =>
    Array.from({ length: randomizer.order }, (__, message) =>
      Math.exp(randomizer.logProbability([message], value)),
    ),
  );
  // What every input gives at least: the lower of two levels.
  const least = Math.min(...laws.flat());
  for (const first of laws) {
    for (const second of laws) {
      if (first === second) continue;
      const beside = laws.map((own) => byRatios(own.map((mass, y) => [first[y]!, second[y]!, mass, least])));
      expect(listed.some((pair) => beside.every((type) => pair.has(type)))).toBe(true);
    }
  }
});

it('the values of the victim exchanged exchange types', () => {
  const { typed } = blockHadamardResponse({ domain: 28, epsilon0: EPSILON0, blocks: 4 }).amplification();
  for (const { inputs } of typed!.pairs) {
    const exchanged = inputs.map((input) =>
      byRatios(rowsOf({ ...input, victim0: input.victim1, victim1: input.victim0 })),
    );
    expect(exchanged.toSorted()).toEqual(inputs.map((input) => byRatios(rowsOf(input))).toSorted());
  }
});
