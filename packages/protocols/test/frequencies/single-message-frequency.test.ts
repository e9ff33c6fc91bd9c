import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { singleMessageFrequency } from '../../src/frequencies/single-message-frequency.ts';
import { shuffledOracle } from '../../src/frequencies/shuffled-oracle.ts';
import { CATEGORY_RANDOMIZERS, generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { describeProtocolLaws, pathsAgree } from '../laws/protocol-laws.ts';
import { randomCategories } from '../laws/random-data.ts';

const FREQUENCY_RANDOMIZERS = CATEGORY_RANDOMIZERS.map(({ name }) => name);

const untargeted = { users: 1500, domain: 6, delta: 1e-5 };
const setting = { ...untargeted, epsilon: 0.5 };
const data = randomCategories('frequency', 1500, 6);

for (const randomizer of FREQUENCY_RANDOMIZERS) {
  describe(`frequencies by ${randomizer}`, () => {
    const protocol = singleMessageFrequency({ kind: 'frequency', randomizer }, setting);
    describeProtocolLaws({ protocol, data, trials: 300, stages: ['data messages'] });

    it('meets the central target, certified, with a larger local budget', () => {
      const [statement] = protocol.privacy();
      expect(statement!.status).toBe('certified');
      expect(statement!.epsilon.upper).toBeLessThanOrEqual(0.5);
      expect(statement!.epsilon.upper).toBeGreaterThan(0.499);
      expect(protocol.parameters.epsilon0).toBeGreaterThan(0.5);
    });
  });
}

describe('single-message frequencies', () => {
  it('take the published accounting where asked, and say where it is not sound', () => {
    const spec = { kind: 'frequency', randomizer: 'grr', accounting: 'variation-ratio' } as const;
    const [statement] = singleMessageFrequency(spec, setting).privacy();
    expect(statement).toMatchObject({ status: 'as published', sound: false });
    expect(statement!.reason).toContain('docs/soundness.md');
    expect(statement!.epsilon.upper).toBeLessThanOrEqual(0.5);
  });

  it('call the published accounting sound where nothing is left over beside the two values', () => {
    const spec = { kind: 'frequency', randomizer: 'grr', accounting: 'variation-ratio' } as const;
    const [statement] = singleMessageFrequency(spec, { ...setting, domain: 2 }).privacy();
    expect(statement).toMatchObject({ status: 'certified', sound: true });
    expect(statement!.reason).toBeUndefined();
  });

  it('are refused of an oracle over other categories', () => {
    const make = (epsilon0: number) => generalizedRandomizedResponse({ epsilon0, domain: 4 });
    const options = { title: 'four', randomizer: 'grr' };
    expect(() => shuffledOracle(make, options, setting)).toThrow(
      'the domain of the oracle = 4: must be 6, as that of the setting',
    );
  });

  it('tell the sizes that clients have to be given', () => {
    const sizesOf = (spec: { randomizer: string; hashRange?: number; subsetSize?: number }) =>
      singleMessageFrequency({ kind: 'frequency', epsilon0: 1, ...spec }, untargeted).parameters;
    expect(sizesOf({ randomizer: 'local-hash', hashRange: 5 })).toMatchObject({ hashRange: 5 });
    expect(sizesOf({ randomizer: 'subset', subsetSize: 3 })).toMatchObject({ subsetSize: 3 });
    expect(sizesOf({ randomizer: 'hadamard' })).toMatchObject({ order: 8 });
  });

  it('keep a fixed local budget', () => {
    const protocol = singleMessageFrequency(
      { kind: 'frequency', randomizer: 'grr', epsilon0: 1 },
      untargeted,
    );
    expect(protocol.parameters.epsilon0).toBe(1);
    expect(protocol.privacy()[0]!.epsilon.upper).toBeLessThan(1);
    expect(() => singleMessageFrequency({ kind: 'frequency', randomizer: 'grr' }, untargeted)).toThrow(
      'epsilon = "nothing": must be given, or the local budget epsilon0 fixed',
    );
  });

  it.each(FREQUENCY_RANDOMIZERS)('by %s have one joint law on those paths that say so', (randomizer) => {
    const small = { users: 4, domain: 4, delta: 0.1 };
    const protocol = singleMessageFrequency({ kind: 'frequency', randomizer, epsilon0: 1 }, small);
    const statistic = (estimate: Float64Array): string =>
      [...estimate].map((value) => Math.round(value * 100)).join();
    // Fixed seed; false alarm 1e-6.
    const agree = pathsAgree(protocol, randomCategories('few', 4, 4), 4000, statistic) > 1e-6;
    expect(agree).toBe(protocol.jointPaths.includes('aggregated'));
  });

  it('need values for the message path', () => {
    const { kind, users, domain, histogram } = data;
    const counted = { kind, users, domain, histogram };
    const protocol = singleMessageFrequency({ kind: 'frequency', randomizer: 'grr', epsilon0: 1 }, setting);
    expect(() => protocol.run(counted, RandomStream.fromSeed('x'), 'messages')).toThrow(
      'path = "messages": must be \'aggregated\' for data that are only a histogram',
    );
  });
});
