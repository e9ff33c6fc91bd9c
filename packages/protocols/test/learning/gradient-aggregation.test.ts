import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { clipLaplace } from '@shuffle-dp/randomizers';
import { averageCalibration } from '../../src/learning/clip-laplace-calibration.ts';
import { FEDERATED_FRAMEWORKS, type FrameworkSpec } from '../../src/learning/framework-spec.ts';
import { aggregateGradients } from '../../src/learning/gradient-aggregation.ts';
import type { GradientSource } from '../../src/learning/gradient-source.ts';

const USERS = 100;
const BUDGETS = Float64Array.from({ length: USERS }, (_, i) => 1 + (i % 4));
const TRUTH = [0.05, -0.02, 0, 0.1, 0.3];

/** Every user has the same gradient plus an alternating part that averages out. */
const source: GradientSource = {
  users: USERS,
  dimensions: TRUTH.length,
  writeInto: (user, row) =>
    row.set(TRUTH.map((value, k) => (k < 4 ? value : 0.3) + (k === 1 ? (user % 2 ? 0.01 : -0.01) : 0))),
};

const estimate = (spec: FrameworkSpec, seed: string): Float64Array =>
  aggregateGradients(source, BUDGETS, spec, RandomStream.fromSeed(seed));

describe('aggregation of gradients', () => {
  it('without privacy is the average itself, unclipped', () => {
    estimate({ kind: 'non-private', clipBound: 0.1 }, 'x').forEach((value, k) =>
      expect(value).toBeCloseTo(TRUTH[k]!, 12),
    );
  });

  // Twenty tests at a false alarm rate of 1e-6 each.
  it.each(['ldp-min', 'pldp', 'uni-shuffle', 'unbiased-clip-laplace'] as const)(
    '%s is unbiased for clipped gradients',
    (kind) => {
      const moments = TRUTH.map(() => new RunningMoments());
      for (let trial = 0; trial < 120; trial++) {
        estimate({ kind, clipBound: 0.1 }, `${kind} ${trial}`).forEach((value, k) => moments[k]!.add(value));
      }
      TRUTH.forEach((truth, k) => {
        const { mean, variance, count } = moments[k]!;
        expect(
          zTest(mean, Math.min(truth, 0.1), Math.sqrt(variance / count)),
          `dimension ${k}`,
        ).toBeGreaterThan(1e-6);
      });
    },
  );

  it('of APES is calibrated: nearly unbiased where users agree, and within the clip bound', () => {
    const calibrate = averageCalibration(BUDGETS, 0.1);
    for (const value of [-0.1, -0.03, 0, 0.001, 0.05, 0.0999]) {
      const expected =
        [1, 2, 3, 4].reduce(
          (sum, epsilon0) =>
            sum +
            clipLaplace({ epsilon0, inputRange: { low: -0.1, high: 0.1 }, correction: 'average' }).mean(
              value,
            ),
          0,
        ) / 4;
      expect(calibrate(expected)).toBeCloseTo(value, 5);
    }
    expect(calibrate(0.09)).toBe(0.1);
    for (const value of estimate({ kind: 'apes', clipBound: 0.1 }, 'apes'))
      expect(Math.abs(value)).toBeLessThanOrEqual(0.1);
  });

  it('is the same at every repetition, and another with another seed', () => {
    for (const kind of FEDERATED_FRAMEWORKS) {
      const spec: FrameworkSpec = { kind, clipBound: 0.1, keptShare: 0.4, messageBudget: 4 };
      expect(estimate(spec, 'a')).toEqual(estimate(spec, 'a'));
      if (kind !== 'non-private') expect(estimate(spec, 'a')).not.toEqual(estimate(spec, 'b'));
    }
  });

  it.each(FEDERATED_FRAMEWORKS)(
    'of %s gives the same averages where messages are added as they come',
    (kind) => {
      const spec: FrameworkSpec = { kind, clipBound: 0.1, keptShare: 0.4, messageBudget: 4 };
      const stream = RandomStream.fromSeed(kind);
      const shuffled = aggregateGradients(source, BUDGETS, spec, stream, 'messages');
      const added = aggregateGradients(source, BUDGETS, spec, stream, 'aggregated');
      // Shuffled messages are kept in single precision.
      added.forEach((value, k) => expect(Math.abs(value - shuffled[k]!)).toBeLessThan(1e-6));
    },
  );

  it('refuses budgets that do not fit, and shares and bounds out of range', () => {
    const run = (spec: Partial<FrameworkSpec>, budgets = BUDGETS) =>
      aggregateGradients(
        source,
        budgets,
        { kind: 's-apes', clipBound: 0.1, ...spec },
        RandomStream.fromSeed('x'),
      );
    expect(() => run({}, BUDGETS.subarray(1))).toThrow(
      /budgets = 99: must be one for each of the 100 users/u,
    );
    expect(() => run({ clipBound: 0 })).toThrow(/clipBound = 0/u);
    expect(() => run({ keptShare: 1.5 })).toThrow(/keptShare = 1\.5/u);
    expect(() =>
      run(
        {},
        BUDGETS.map(() => 0),
      ),
    ).toThrow(/epsilon0 = 0/u);
  });
});
