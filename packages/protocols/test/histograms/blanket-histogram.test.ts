import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { createFrequencyProtocol, FREQUENCY_PROTOCOLS, type HistogramSpec } from '../../src/index.ts';
import { describeProtocolLaws, pathsAgree } from '../laws/protocol-laws.ts';
import { randomCategories } from '../laws/random-data.ts';

const six = { users: 1500, domain: 6, delta: 1e-5 };
const two = { ...six, domain: 2 };

const CASES: readonly (readonly [HistogramSpec, typeof six])[] = [
  [{ kind: 'pure-dump' }, six],
  [{ kind: 'mix-dump' }, six],
  [{ kind: 'balls-into-bins-histogram', hashRange: 3 }, six],
  [{ kind: 'cheu-zhilyaev' }, six],
  [{ kind: 'cheu-zhilyaev', flip: 0.2 }, six],
  [{ kind: 'balcer-cheu' }, two],
  [{ kind: 'balcer-cheu', coin: 0.2 }, two],
];

describe.each(CASES)('%j', (spec, setting) => {
  const protocol = createFrequencyProtocol(spec, { ...setting, epsilon: 0.5 });
  const data = randomCategories('histograms', setting.users, setting.domain);
  describeProtocolLaws({ protocol, data, trials: 200, stages: ['data messages'] });

  it('meets the central target, certified, with hardly a blanket to spare', () => {
    expect(protocol.name).toBe(FREQUENCY_PROTOCOLS.find(({ kind }) => kind === spec.kind)!.title);
    const { status, epsilon } = protocol.privacy()[0]!;
    expect(status).toBe('certified');
    expect(epsilon.upper).toBeLessThanOrEqual(0.5);
    // One of about a hundred blankets is what may be spared.
    expect(epsilon.upper).toBeGreaterThan(0.495);
    if (spec.kind === 'pure-dump' || spec.kind === 'balcer-cheu') {
      expect(epsilon.lower / epsilon.upper).toBeGreaterThan(1 - 1e-4);
    }
  });

  it('has one distribution on both paths', () => {
    const few = { users: 5, domain: Math.min(3, setting.domain), delta: 0.1 };
    const fixed = createFrequencyProtocol({ ...spec, flip: 0.25, blanketRate: 0.8 } as HistogramSpec, few);
    const compared = fixed.jointPaths.includes('aggregated') ? few.domain : 1;
    const statistic = (estimate: Float64Array): string =>
      [...estimate.subarray(0, compared)].map((value) => Math.round(value * 1000)).join();
    // Fixed seed; false alarm 1e-6.
    expect(pathsAgree(fixed, randomCategories('five', 5, few.domain), 3000, statistic)).toBeGreaterThan(1e-6);
  });

  it('takes the published accounting where asked, with its verdict', () => {
    const published = createFrequencyProtocol(
      { ...spec, accounting: 'variation-ratio' },
      { ...setting, epsilon: 0.5 },
    );
    const statement = published.privacy()[0]!;
    expect(statement.accountant).toBe('variation-ratio');
    expect(statement.epsilon.upper).toBeLessThanOrEqual(0.5);
    // Table 4 merges two unlike outcomes of flipped bits; elsewhere its pair is sound.
    expect(statement.sound).toBe(spec.kind !== 'cheu-zhilyaev');
    expect(published.certifiedPrivacy()[0]!.sound).toBe(true);
    expect(published.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThanOrEqual(0.5 * 1.02);
  });

  it('needs a target, or all that a target would set', () => {
    expect(() => createFrequencyProtocol(spec, setting)).toThrow('epsilon = "nothing": must be given, or');
    const fixed = { ...spec, flip: 0.25, blanketRate: 0.5 } as HistogramSpec;
    expect(createFrequencyProtocol(fixed, setting).cost().messagesPerUser).toBe(1.5);
  });

  it('needs values for the message path', () => {
    const { kind, users, domain, histogram } = data;
    const counted = { kind, users, domain, histogram };
    expect(() => protocol.run(counted, RandomStream.fromSeed('x'), 'messages')).toThrow(
      'path = "messages": must be \'aggregated\' for data that are only a histogram',
    );
  });
});

describe('multi-message histograms', () => {
  it('send fewer blankets for what randomized data messages hide besides, and certify it', () => {
    const setting = { users: 10_000, domain: 16, delta: 1e-6 };
    const blanketsFor = (epsilon: number, accounting: 'blanket' | 'variation-ratio') =>
      createFrequencyProtocol({ kind: 'mix-dump', flip: 0.1, accounting }, { ...setting, epsilon });
    const count = (protocol: { readonly parameters: object }): number =>
      (protocol.parameters as { readonly blankets: number }).blankets;
    const certified = blanketsFor(0.3, 'blanket');
    // The published pair is exact among blankets alone.
    const alone = blanketsFor(0.3, 'variation-ratio');
    expect(count(certified)).toBeLessThan(0.9 * count(alone));
    const { lower, upper } = certified.privacy()[0]!.epsilon;
    expect(upper).toBeLessThanOrEqual(0.3);
    expect(upper).toBeGreaterThan(0.3 * (1 - 1e-3));
    expect(lower / upper).toBeGreaterThan(0.99);
    const fewer = {
      kind: 'mix-dump',
      flip: 0.1,
      blanketRate: (count(certified) * (1 - 2e-3)) / 10_000,
    } as const;
    expect(createFrequencyProtocol(fewer, setting).certifiedPrivacy()[0]!.epsilon.upper).toBeGreaterThan(0.3);
    // The data messages alone meet a larger one, of which one blanket is left.
    expect(count(blanketsFor(1, 'blanket'))).toBe(1);
  });

  it('bracket the privacy of a hundred million blankets, whose transforms err more', () => {
    const spec = { kind: 'mix-dump', flip: 0.02, blanketRate: 1e5 } as const;
    const huge = createFrequencyProtocol(spec, { users: 1000, domain: 1e6, delta: 1e-5 });
    const { lower, upper } = huge.certifiedPrivacy()[0]!.epsilon;
    expect(lower).toBeGreaterThan(0.48);
    expect(lower).toBeLessThan(upper);
    expect(upper).toBeLessThan(0.5);
  });

  it('send no blankets where the data message alone is private enough', () => {
    const flip = 0.5;
    const protocol = createFrequencyProtocol({ kind: 'mix-dump', flip }, { ...six, epsilon: 2 });
    expect(protocol.cost().messagesPerUser).toBe(1);
    expect(protocol.privacy()[0]!.epsilon.upper).toBeLessThanOrEqual(Math.log(5));
  });

  it('refuse what is no protocol', () => {
    const setting = { ...six, epsilon: 0.5 };
    const make = (spec: HistogramSpec) => () => createFrequencyProtocol(spec, setting);
    expect(make({ kind: 'balcer-cheu' })).toThrow('domain = 6: must be 2: the protocol sums bits');
    expect(make({ kind: 'mix-dump', flip: 0.9 })).toThrow(
      'flip = 0.9: must be in (0, (domain - 1) / domain) = (0, ',
    );
    expect(make({ kind: 'cheu-zhilyaev', flip: 0.5 })).toThrow('flip = 0.5: must be in (0, 1/2)');
    expect(make({ kind: 'pure-dump', blanketRate: 1e12 })).toThrow(
      'blanketRate = 1000000000000: must be at most 666666666: 1500 users send at most 1000000000000 blanket messages',
    );
    expect(make({ kind: 'cheu-zhilyaev', blanketRate: 0 })).toThrow('blanketRate = 0: must be');
    expect(make({ kind: 'pure-dump', blanketRate: -1 })).toThrow('blanketRate = -1: must be');
    expect(make({ kind: 'balls-into-bins-histogram', hashRange: 4 })).toThrow(
      'hashRange = 4: must be a prime number',
    );
  });

  it.each(['blanket', 'variation-ratio'] as const)(
    'flip as little as they may where the target asks for next to nothing, by %s',
    (accounting) => {
      for (const [epsilon, users] of [
        [20, 1e12],
        [50, 1],
        [500, 1e12],
      ] as const) {
        const setting = { users, domain: 6, delta: 1e-6, epsilon };
        const protocol = createFrequencyProtocol({ kind: 'cheu-zhilyaev', accounting }, setting);
        expect(protocol.parameters.flip).toBe(1e-9);
        expect(protocol.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThanOrEqual(epsilon);
      }
    },
  );

  it('name the target where no flipping of bits would meet it', () => {
    const setting = { users: 1, domain: 6, delta: 1e-12, epsilon: 1e-10 };
    expect(() => createFrequencyProtocol({ kind: 'cheu-zhilyaev' }, setting)).toThrow(
      'epsilon = 1e-10: must be larger',
    );
  });

  it('take fewer blankets where hashed to fewer buckets than categories', () => {
    const setting = { users: 10_000, domain: 1000, delta: 1e-6, epsilon: 1 };
    const rate = (spec: HistogramSpec): number => createFrequencyProtocol(spec, setting).parameters.blankets;
    const hashed = rate({ kind: 'balls-into-bins-histogram', hashRange: 11 });
    expect(hashed).toBeLessThan(rate({ kind: 'pure-dump' }) / 80);
  });
});
