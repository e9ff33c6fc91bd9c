import { expect, it, vi } from 'vitest';
import type { LikelihoodAtoms, TypedInputs } from '@shuffle-dp/core';
import { profileOnDemand } from '../../src/laws/profile-on-demand.ts';

const half = Float64Array.of(0.5, 0.5);
const atoms: LikelihoodAtoms = { label: '', victim0: half, victim1: half, others: half, symmetric: true };

it('parts of a profile are computed when they are asked for, once', () => {
  const parts = {
    blanket: vi.fn<() => LikelihoodAtoms[]>(() => [atoms]),
    homogeneous: vi.fn<() => LikelihoodAtoms[]>(() => [atoms, atoms]),
    typed: vi.fn<() => TypedInputs>(() => ({ pairs: [] })),
  };
  const profile = profileOnDemand(null, parts);
  expect(profile.variationRatio).toBeNull();
  expect(Object.values(parts).map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  expect(profile.blanket).toEqual([atoms]);
  expect(profile.blanket).toBe(profile.blanket);
  expect(Object.values(parts).map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0]);
  expect({ ...profile }).toEqual({
    variationRatio: null,
    blanket: [atoms],
    homogeneous: [atoms, atoms],
    typed: { pairs: [] },
  });
  expect(Object.values(parts).map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
});

it('a profile without types says so', () => {
  expect(profileOnDemand(null, { blanket: () => [], homogeneous: () => [] }).typed).toBeUndefined();
});
