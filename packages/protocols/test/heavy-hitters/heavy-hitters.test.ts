import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments, type ProtocolParameters } from '@shuffle-dp/core';
import { twoSampleChiSquare } from '@shuffle-dp/core/testkit';
import {
  createFrequencyProtocol,
  createHeavyHitterProtocol,
  HEAVY_HITTER_PROTOCOLS,
  topQuality,
  type HeavyHitterSpec,
  type IdentifierData,
} from '../../src/index.ts';
import { identifierCounts } from '../../src/heavy-hitters/identifier-data.ts';

/** Few identifiers that many hold, spread over the domain, and many that one holds. */
function zipfian(seed: string, users: number, bits: number, values: boolean): IdentifierData {
  const stream = RandomStream.fromSeed(seed);
  const identifiers: number[] = [];
  const holders: number[] = [];
  let left = users;
  for (let rank = 1; rank <= 60 && left > 0; rank++) {
    identifiers.push(Math.floor(stream.next() * 2 ** bits));
    // The shares of sixty ranks add up to 1.
    holders.push(rank === 60 ? left : Math.min(left, Math.round((0.2136 * users) / rank)));
    left -= holders.at(-1)!;
  }
  const counts = { identifiers: Float64Array.from(identifiers), holders: Float64Array.from(holders) };
  const inOrder = identifiers.flatMap((identifier, i) =>
    values ? Array<number>(holders[i]!).fill(identifier) : [],
  );
  return { kind: 'identifiers', users, bits, counts, ...(values && { values: Float64Array.from(inOrder) }) };
}

const SPECS: readonly HeavyHitterSpec[] = [
  { kind: 'prefix-tree' },
  { kind: 'prefix-tree', rounds: 'all' },
  { kind: 'prefix-tree', oracle: { kind: 'frequency', randomizer: 'grr' } },
  { kind: 'prefix-tree', oracle: { kind: 'balls-into-bins-histogram', hashRange: 31 } },
  { kind: 'prefix-tree', oracle: { kind: 'two-sided-geometric-dummies', samplingRate: 1 } },
  { kind: 'hashed-bits' },
];

describe.each(SPECS)('%j', (spec) => {
  const setting = { users: 20_000, bits: 16, top: 5, epsilon: 1, delta: 1e-6 };
  const protocol = createHeavyHitterProtocol(spec, setting);
  const data = zipfian('hitters', setting.users, setting.bits, true);

  it.each(protocol.paths)('finds what most users hold, by %s', (path) => {
    const quality = new RunningMoments();
    for (let trial = 0; trial < 5; trial++) {
      const { identifiers, frequencies } = protocol.find(data, RandomStream.fromSeed(`find ${trial}`), path);
      expect(frequencies.length).toBe(identifiers.length);
      expect(frequencies.every((value, i) => i === 0 || value <= frequencies[i - 1]!)).toBe(true);
      quality.add(topQuality(identifiers, identifierCounts(data), 5).cumulativeRank);
    }
    const loud = JSON.stringify(spec).includes('grr');
    // The first has a fifth of all users, the fifth a twenty-fifth; randomized response over 161 prefixes is
    // far louder.
    expect(quality.mean).toBeGreaterThan(loud ? 0.3 : 0.85);
  });

  it('meets the central target', () => {
    const [{ epsilon, delta, status }] = protocol.certifiedPrivacy() as unknown as [
      { epsilon: { lower: number; upper: number }; delta: number; status: string },
    ];
    expect(status).toBe('certified');
    expect(delta).toBe(1e-6);
    expect(epsilon.upper).toBeLessThanOrEqual(1 + 1e-12);
    expect(epsilon.upper).toBeGreaterThan(0.98);
    expect(protocol.cost().messagesPerUser).toBeGreaterThanOrEqual(1);
  });
});

describe('heavy hitters', () => {
  it.each(['prefix-tree', 'hashed-bits'] as const)('%s: one law on both paths', (kind) => {
    const users = 60;
    const bits = 4;
    const protocol = createHeavyHitterProtocol(
      {
        kind,
        ...(kind === 'prefix-tree' ? { bitsPerRound: 1, breadth: 2 } : { buckets: 2 }),
      } as HeavyHitterSpec,
      { users, bits, top: 1, epsilon: 3, delta: 0.1 },
    );
    const values = Float64Array.from({ length: users }, (_, i) => (i < 20 ? 5 : i < 35 ? 12 : i % 16));
    const data: IdentifierData = { kind: 'identifiers', users, bits, values };
    const tables = protocol.paths.map((path) => {
      const table = new Float64Array(17);
      const root = RandomStream.fromSeed('one law').fork(path);
      for (let trial = 0; trial < 1500; trial++)
        table[protocol.find(data, root.fork(trial), path).identifiers[0] ?? 16]!++;
      return table;
    });
    // Fixed seed; false alarm 1e-6.
    expect(twoSampleChiSquare(tables[0]!, tables[1]!).pValue).toBeGreaterThan(1e-6);
  });

  it.each(['prefix-tree', 'hashed-bits'] as const)('%s finds ten of a million users among 2^48', (kind) => {
    const [users, bits] = [1_000_000, 48];
    const data = zipfian('large', users, bits, false);
    const protocol = createHeavyHitterProtocol({ kind }, { users, bits, top: 10, epsilon: 1, delta: 1e-8 });
    const found = protocol.find(data, RandomStream.fromSeed('large'), 'aggregated');
    const { precision, recall, cumulativeRank } = topQuality(found.identifiers, data.counts!, 10);
    expect(precision).toBeGreaterThanOrEqual(0.8);
    expect(recall).toBeGreaterThanOrEqual(0.8);
    expect(cumulativeRank).toBeGreaterThanOrEqual(0.85);
    // The estimate's deviation is below a thousandth.
    expect(Math.abs(found.frequencies[0]! - 0.2136)).toBeLessThan(0.005);
  });

  it('gives what one round gives, where each user takes part in one', () => {
    const setting = { users: 1000, bits: 8, top: 2, epsilon: 1, delta: 1e-6 };
    const tree = createHeavyHitterProtocol({ kind: 'prefix-tree', bitsPerRound: 2, breadth: 4 }, setting);
    // Prefixes of 4, 6 and 8 bits; 333 or 334 users each, 16 candidates and "another".
    expect(tree.parameters['rounds']).toBe(3);
    const inner = [333, 334].map((users) =>
      createFrequencyProtocol(
        { kind: 'negative-binomial-counts' },
        { users, domain: 17, epsilon: 1, delta: 1e-6 },
      ),
    );
    // What clients need of each round: the same noise among 333 users and among 334, who each add less.
    const [of333, of334] = inner.map(({ parameters }): ProtocolParameters => parameters);
    const { blanketRate, noiseMean } = of333!;
    expect(tree.parameters).toMatchObject({
      roundDispersion: 1,
      roundNoiseMean: noiseMean,
      roundBlanketRate: [blanketRate, blanketRate, of334!['blanketRate']],
    });
    const worst = Math.max(...inner.map((protocol) => protocol.certifiedPrivacy()[0]!.epsilon.upper));
    expect(tree.certifiedPrivacy()[0]!.epsilon.upper).toBe(worst);
  });

  it('counts the messages of every round by the users who are in it', () => {
    const setting = { users: 5, bits: 4, top: 1, epsilon: 1, delta: 1e-3 };
    const tree = createHeavyHitterProtocol({ kind: 'prefix-tree', bitsPerRound: 2, breadth: 1 }, setting);
    // Two rounds, of two users and of three, over four prefixes and "another": everybody sends one message,
    // and each of the two groups as much noise for every category, whatever its size.
    const noise = 5 * (tree.parameters['roundNoiseMean'] as number);
    const messages = (5 + 2 * noise) / 5;
    expect(tree.cost().messagesPerUser).toBeCloseTo(messages, 9);
    expect(tree.cost().bitsPerUser).toBeCloseTo(messages * Math.log2(5), 9);
  });

  it.each(['prefix-tree', 'hashed-bits'] as const)('%s: one message each is one a user', (kind) => {
    // Shares of groups of 57 and 58 users, and of 250, add up to more than 1 in doubles.
    for (const [users, bits] of [
      [1000, 13],
      [3000, 16],
      [1009, 17],
    ] as const) {
      const setting = { users, bits, top: 1, epsilon: 1, delta: 1e-3 };
      expect(createHeavyHitterProtocol({ kind, oracle: 'grr' }, setting).cost().messagesPerUser).toBe(1);
    }
  });

  it('quality by hand', () => {
    const counts = { identifiers: Float64Array.of(7, 3, 9, 4), holders: Float64Array.of(5, 9, 5, 1) };
    // The true top three are 3, 7 and 9, of weights 3, 2 and 1.
    expect(topQuality(Float64Array.of(3, 4, 9), counts, 3)).toEqual({
      precision: 2 / 3,
      recall: 2 / 3,
      cumulativeRank: 4 / 6,
    });
    expect(topQuality(Float64Array.of(7), counts, 3)).toEqual({
      precision: 1,
      recall: 1 / 3,
      cumulativeRank: 2 / 6,
    });
    expect(topQuality(new Float64Array(0), counts, 3)).toEqual({
      precision: 0,
      recall: 0,
      cumulativeRank: 0,
    });
  });

  it('hashed bits have a group for each bit and one more, of three users too', () => {
    const users = 3;
    const small = { users, bits: 2, top: 1, epsilon: 1, delta: 1e-3 };
    const protocol = createHeavyHitterProtocol({ kind: 'hashed-bits' }, small);
    const data = zipfian('three', users, 2, true);
    for (const path of protocol.paths)
      expect(protocol.find(data, RandomStream.fromSeed('three'), path).identifiers.length).toBeLessThan(2);
    const bitsOf = (bits: number, among: number) => () =>
      createHeavyHitterProtocol({ kind: 'hashed-bits' }, { ...small, bits, users: among });
    expect(bitsOf(3, users)).toThrow('users = 3: must be at least 4: one for each of 3 bits');
    // A quarter of 63 are 15, and 48 are left.
    expect(bitsOf(48, 62)).toThrow('users = 62: must be at least 63');
    expect(bitsOf(48, 63)).not.toThrow();
  });

  it('refuses data of fewer users than they say', () => {
    const setting = { users: 1000, bits: 8, top: 2, epsilon: 1, delta: 1e-6 };
    const protocol = createHeavyHitterProtocol({ kind: 'prefix-tree' }, setting);
    const { counts } = zipfian('fewer', 999, 8, false);
    const stream = RandomStream.fromSeed('fewer');
    for (const held of [{ counts: counts! }, { values: new Float64Array(999) }])
      expect(() =>
        protocol.find({ kind: 'identifiers', users: 1000, bits: 8, ...held }, stream, 'aggregated'),
      ).toThrow('the number of identifiers = 999: must be data.users = 1000');
  });

  it('refuses what is no setting', () => {
    const setting = { users: 1000, bits: 8, top: 2, epsilon: 1, delta: 1e-6 };
    const make =
      (given: object, spec: object = {}) =>
      () =>
        createHeavyHitterProtocol({ kind: 'prefix-tree', ...spec } as HeavyHitterSpec, {
          ...setting,
          ...given,
        });
    expect(make({ bits: 49 })).toThrow('bits = 49: must be an integer from 1 to 48');
    expect(make({ users: 1 })).toThrow('users = 1: must be at least 2, one for each round');
    expect(make({}, { breadth: 1 })).toThrow('breadth = 1: must be an integer from 2');
    expect(make({ bits: 48 }, { breadth: 65, bitsPerRound: 16 })).toThrow(
      'breadth = 65: must be at most 64 where prefixes grow by 16 bits: more than 4194304 cannot be asked for',
    );
    // No more than there are, however many are kept.
    expect(make({ bits: 22 }, { breadth: 2 ** 20, bitsPerRound: 16 })).not.toThrow();
    expect(make({}, { kind: 'nope' })).toThrow('kind = "nope": must be one of prefix-tree, hashed-bits');
    expect(new Set(HEAVY_HITTER_PROTOCOLS.map(({ kind }) => kind)).size).toBe(2);
  });
});
