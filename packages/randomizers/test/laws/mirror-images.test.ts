/** Atoms that are called symmetric, of which one direction is looked at: the other one is the same. */
import { expect, test } from 'vitest';
import {
  clipLaplace,
  gaussianMechanism,
  laplaceMechanism,
  piecewiseMechanism,
} from '@shuffle-dp/randomizers';
import type { AmplificationProfile } from '@shuffle-dp/core';

type Atom = readonly [victim0: number, victim1: number, others: number];

/** The smaller ratio first, so that neighbours in the list are neighbours on the line. */
const byRatio = (atoms: readonly Atom[]): Atom[] => atoms.toSorted((a, b) => a[0] / a[1] - b[0] / b[1]);

const profiles: readonly [name: string, profile: () => AmplificationProfile][] = [
  ...[1, 10, 20, 28].flatMap((epsilon0): [string, () => AmplificationProfile][] => [
    [`laplace, ${epsilon0} nats`, () => laplaceMechanism({ epsilon0 }).amplification()],
    [`clip-laplace, ${epsilon0} nats`, () => clipLaplace({ epsilon0 }).amplification()],
    [`piecewise, ${epsilon0} nats`, () => piecewiseMechanism({ epsilon0 }).amplification()],
  ]),
  ['gaussian', () => gaussianMechanism({ sigma: 0.3 }).amplification()],
];

test.each(profiles)('%s', (_, profile) => {
  const { blanket, homogeneous } = profile();
  const symmetric = [...blanket, ...homogeneous].filter((atoms) => atoms.symmetric);
  expect(symmetric).not.toHaveLength(0);
  for (const { victim0, victim1, others } of symmetric) {
    const shown = [...others.keys()].filter((y) => others[y]! > 0);
    const forward = byRatio(shown.map((y) => [victim0[y]!, victim1[y]!, others[y]!]));
    const backward = byRatio(shown.map((y) => [victim1[y]!, victim0[y]!, others[y]!]));
    forward.forEach((atom, i) => {
      atom.forEach((mass, j) => expect(backward[i]![j]! / mass).toBeCloseTo(1, 9));
    });
  }
});
