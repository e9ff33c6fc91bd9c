import { describe, expect, it } from 'vitest';
import type { OtherInput } from '@shuffle-dp/core';
import { sharpestEpsilon } from '@shuffle-dp/accounting';
import { hierarchicalResponse } from '../../src/range-queries/hierarchical-response.ts';
import { hierarchy } from '../../src/range-queries/hierarchy.ts';

const EPSILON0 = 1.3;

/** The law of the message of a leaf, node by node of all levels, from the definition. */
function messageLaw(domain: number, branching: number, leaf: number): number[] {
  const { levels } = hierarchy(domain, branching);
  return levels.flatMap(({ nodes, width }) =>
    Array.from({ length: nodes }, (_, node) => {
      const isOwn = Math.floor(leaf / width) === node;
      return (isOwn ? Math.exp(EPSILON0) : 1) / (Math.exp(EPSILON0) + nodes - 1) / levels.length;
    }),
  );
}

/** Masses of a type by its ratios to the blanket, which is what accountants see of it. */
function byRatios(atoms: readonly (readonly number[])[]): string {
  const masses = new Map<string, number>();
  for (const [first, second, own, blanket] of atoms) {
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

describe('the inputs of range queries', () => {
  it.each([
    [8, 2],
    [9, 3],
    [11, 2],
    [10, 3],
    [7, 8],
  ])('%d leaves, branching %d: every pair beside every leaf is among them', (domain, branching) => {
    const { typed } = hierarchicalResponse(hierarchy(domain, branching), EPSILON0).amplification();
    const listed = typed!.pairs.map(({ inputs }) => new Set(inputs.map((input) => byRatios(rowsOf(input)))));
    const laws = Array.from({ length: domain }, (_, leaf) => messageLaw(domain, branching, leaf));
    const least = laws[0]!.map((_, y) => Math.min(...laws.map((law) => law[y]!)));
    for (const first of laws) {
      for (const second of laws) {
        if (first === second) continue;
        const beside = laws.map((own) =>
          byRatios(own.map((mass, y) => [first[y]!, second[y]!, mass, least[y]!])),
        );
        expect(listed.some((pair) => beside.every((type) => pair.has(type)))).toBe(true);
      }
    }
  });

  it('exchanging the victim leaves exchanges types', () => {
    const { typed } = hierarchicalResponse(hierarchy(9, 3), EPSILON0).amplification();
    for (const { inputs } of typed!.pairs) {
      const forwards = inputs.map((input) => byRatios(rowsOf(input)));
      const backwards = inputs.map((input) =>
        byRatios(rowsOf({ ...input, victim0: input.victim1, victim1: input.victim0 })),
      );
      expect(backwards.toSorted()).toEqual(forwards.toSorted());
    }
  });

  it('leave less open than the blanket where a level has two nodes', () => {
    const profile = hierarchicalResponse(hierarchy(4, 2), 1).amplification();
    const { typed, ...untyped } = profile;
    const sharp = sharpestEpsilon(profile, 10_000, 1e-6, { epsilon0: 1 });
    const blanket = sharpestEpsilon(untyped, 10_000, 1e-6, { epsilon0: 1 });
    expect(sharp.lower).toBe(blanket.lower);
    expect(sharp.upper).toBeLessThan(blanket.upper * 0.97);
    expect(sharp.upper / sharp.lower).toBeLessThan(1.01);
    expect(typed!.domain).toBe(4);
  });
});
