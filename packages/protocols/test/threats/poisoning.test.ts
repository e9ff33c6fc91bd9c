import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments, type CategoricalData, type FrequencyOracle } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import {
  augmentedRandomizedResponse,
  blockHadamardResponse,
  generalizedRandomizedResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import {
  POISONING_ATTACKS,
  poisonedError,
  poisonedEstimate,
  poisonedMessagesEstimate,
  poisoningGain,
  sampleFakeSupport,
} from '../../src/index.ts';

const domain = 20;
const epsilon0 = 2;
const oracles: Readonly<Record<string, FrequencyOracle>> = {
  grr: generalizedRandomizedResponse({ domain, epsilon0 }),
  oue: optimizedUnaryEncoding({ domain, epsilon0 }),
  rappor: symmetricUnaryEncoding({ domain, epsilon0 }),
  olh: localHashing({ domain, epsilon0, hashRange: 7 }),
  subset: subsetSelection({ domain, epsilon0, subsetSize: 3 }),
};
const targets = [3, 8, 9, 17];

describe('poisoned frequencies', () => {
  it('maximal gains are those of the closed forms', () => {
    const e = Math.exp(epsilon0);
    const gain = (name: string): number =>
      poisoningGain(oracles[name]!, 'maximal-gain', { fraction: 1 - 1e-15, targets: 4, targetFrequency: 0 });
    expect(gain('grr')).toBeCloseTo(1 + (domain - 4) / (e - 1), 10);
    expect(gain('grr')).toBeCloseTo(3.50428, 5);
    expect(gain('oue')).toBeCloseTo(8 + 8 / (e - 1), 10);
    expect(gain('oue')).toBeCloseTo(9.25214, 5);
    expect(gain('olh')).toBeCloseTo((4 * (e + 7 - 1)) / (e - 1), 10);
    expect(gain('subset')).toBeCloseTo(5.68126, 5);
    const q = 1 / (1 + Math.exp(1));
    expect(gain('rappor')).toBeCloseTo((4 * (1 - q)) / (1 - 2 * q), 10);
  });

  it('honest messages for targets gain the share alone, whatever the oracle', () => {
    for (const oracle of Object.values(oracles))
      for (const attack of ['random-item', 'input'] as const)
        expect(
          poisoningGain(oracle, attack, { fraction: 0.1, targets: 4, targetFrequency: 0.3 }),
        ).toBeCloseTo(0.07, 12);
  });

  it.each(Object.keys(oracles).flatMap((name) => POISONING_ATTACKS.map((attack) => [name, attack] as const)))(
    '%s under %s: simulated gains are those of the formula',
    (name, attack) => {
      const oracle = oracles[name]!;
      const [users, fakes, trials] = [2000, 200, 400];
      const histogram = Float64Array.from({ length: domain }, (_, v) => (v < 10 ? 150 : 50));
      const frequency = targets.reduce((sum, target) => sum + histogram[target]!, 0) / users;
      const root = RandomStream.fromSeed(`poison ${name} ${attack}`);
      const gains = new RunningMoments();
      for (let trial = 0; trial < trials; trial++) {
        const stream = root.fork(trial);
        const honest = oracle.sampleSupportCounts(histogram, stream);
        const fake = sampleFakeSupport(oracle, attack, targets, fakes, stream);
        const after = oracle.estimate(
          honest.map((count, v) => count + fake[v]!),
          users + fakes,
        );
        gains.add(targets.reduce((sum, target) => sum + after[target]!, 0) - frequency);
      }
      const expected = poisoningGain(oracle, attack, {
        fraction: fakes / (users + fakes),
        targets: targets.length,
        targetFrequency: frequency,
      });
      // Fixed seed; false alarm 1e-6 each.
      expect(zTest(gains.mean, expected, Math.sqrt(gains.variance / trials))).toBeGreaterThan(1e-6);
    },
  );

  it.each(
    Object.keys(oracles).flatMap((name) =>
      (['maximal-gain', 'random-message'] as const).map((attack) => [name, attack] as const),
    ),
  )('%s under %s: messages in the shuffled list have the means and variances of counts', (name, attack) => {
    const oracle = oracles[name]!;
    // No function need send several targets to one bucket.
    const promoted = name === 'olh' && attack === 'maximal-gain' ? [8] : targets;
    const [users, count, trials] = [60, 20, 800];
    const values = Uint32Array.from({ length: users }, (_, i) => i % 12);
    const histogram = new Float64Array(domain);
    for (const value of values) histogram[value]!++;
    const data: CategoricalData = { kind: 'categories', users, domain, histogram, values };
    const fakes = { attack, targets: promoted, count };
    const moments = ([poisonedEstimate, poisonedMessagesEstimate] as const).map((estimate) => {
      const root = RandomStream.fromSeed(`${estimate.name} ${name} ${attack}`);
      const ofItem = Array.from({ length: domain }, () => new RunningMoments());
      const squares = Array.from({ length: domain }, () => new RunningMoments());
      for (let trial = 0; trial < trials; trial++)
        estimate(oracle, data, fakes, root.fork(trial)).forEach((value, v) => {
          ofItem[v]!.add(value);
          squares[v]!.add(value ** 2);
        });
      return { ofItem, squares };
    });
    const [counted, made] = moments as [(typeof moments)[0], (typeof moments)[0]];
    for (const of of ['ofItem', 'squares'] as const)
      counted[of].forEach((first, v) => {
        const second = made[of][v]!;
        const spread = Math.hypot(first.standardError, second.standardError);
        // Fixed seeds; over all items, oracles and attacks a false alarm of 1e-3.
        if (spread > 0) expect(zTest(first.mean, second.mean, spread)).toBeGreaterThan(1e-3 / 400);
        else expect(second.mean).toBeCloseTo(first.mean, 12);
      });
    const truth = histogram.map((holders) => holders / users);
    const error = made.ofItem.reduce(
      (sum, { mean, variance }, v) => sum + (mean - truth[v]!) ** 2 + variance,
      0,
    );
    expect(error / poisonedError(oracle, data, fakes, truth)).toBeGreaterThan(0.92);
    expect(error / poisonedError(oracle, data, fakes, truth)).toBeLessThan(1.08);
  });

  it('no message is made without the values, nor of a function that joins several targets', () => {
    const histogram = new Float64Array(domain).fill(1);
    const counted: CategoricalData = { kind: 'categories', users: domain, domain, histogram };
    const data = { ...counted, values: Uint32Array.from(histogram.keys()) };
    const stream = RandomStream.fromSeed('x');
    const fakes = { attack: 'maximal-gain', targets, count: 3 } as const;
    expect(() => poisonedMessagesEstimate(oracles['grr']!, counted, fakes, stream)).toThrow('data.values');
    expect(() => poisonedMessagesEstimate(oracles['olh']!, data, fakes, stream)).toThrow(
      'one for local-hash',
    );
  });

  it('the best message of randomized response is no chance at all', () => {
    const fake = sampleFakeSupport(oracles['grr']!, 'maximal-gain', targets, 100, RandomStream.fromSeed('x'));
    expect(fake.reduce((sum, count) => sum + count, 0)).toBe(100);
    expect(targets.reduce((sum, target) => sum + fake[target]!, 0)).toBe(100);
  });

  it('refuses what is no attack', () => {
    const hadamard = blockHadamardResponse({
      domain,
      epsilon0,
      order: 32,
    } as never) as unknown as FrequencyOracle;
    const stream = RandomStream.fromSeed('x');
    expect(() => sampleFakeSupport(hadamard, 'maximal-gain', targets, 1, stream)).toThrow(
      'must be grr, binary-rr, oue, subset or local-hash for this attack',
    );
    const augmented = augmentedRandomizedResponse({ domain, epsilon0, informative: 0.5 });
    expect(() => sampleFakeSupport(augmented, 'random-message', targets, 1, stream)).toThrow(
      'randomizer = "augmented-rr": must be grr, ',
    );
    expect(() => sampleFakeSupport(oracles['grr']!, 'input', [20], 1, stream)).toThrow('targets[0] = 20');
    expect(() => sampleFakeSupport(oracles['grr']!, 'maximal-gain', [0, 0], 100, stream)).toThrow(
      'targets[1] = 0: must be another than those before',
    );
    expect(() =>
      poisoningGain(oracles['grr']!, 'input', { fraction: 1, targets: 1, targetFrequency: 0 }),
    ).toThrow('fraction = 1: must be in [0, 1)');
  });
});
