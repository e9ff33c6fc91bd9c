/** What every protocol of one number a user must do: the laws of protocol-laws.ts, for one estimate. */
import { expect, it } from 'vitest';
import { RandomStream, RunningMoments, type ShuffleTrace } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import type { NumberData } from '../../src/sums-and-means/number-data.ts';
import type { NumberProtocol } from '../../src/shuffle-protocol.ts';

/** Each check of this file raises a false alarm with at most this probability; seeds are fixed. */
const SIGNIFICANCE = 1e-6;

export interface NumberCase {
  readonly protocol: NumberProtocol;
  readonly data: NumberData;
  readonly trials: number;
  readonly stages: readonly string[];
  /** All messages are the same: no order tells one from another. */
  readonly alike?: boolean;
}

export function describeNumberLaws({ protocol, data, trials, stages, alike = false }: NumberCase): void {
  const root = RandomStream.fromSeed(`number laws ${protocol.name}`);
  const mean = data.values!.reduce((sum, value) => sum + value, 0) / data.users;
  const estimates = (path: 'messages' | 'aggregated'): number[] =>
    Array.from({ length: trials }, (_, trial) => protocol.run(data, root.fork(path).fork(trial), path)[0]!);

  it.each(protocol.paths)('estimates without bias and errs as expected, by %s', (path) => {
    const away = new RunningMoments();
    const squares = new RunningMoments();
    for (const estimate of estimates(path)) {
      away.add(estimate - mean);
      squares.add((estimate - mean) ** 2);
    }
    const expected = protocol.expectedError(data)!;
    expect(zTest(away.mean, 0, Math.sqrt(expected / trials))).toBeGreaterThan(SIGNIFICANCE);
    const spread = Math.sqrt(squares.variance / trials);
    expect(zTest(squares.mean, expected, spread)).toBeGreaterThan(SIGNIFICANCE);
    expect(expected).toBeLessThanOrEqual(protocol.worstError! * (1 + 1e-12));
  });

  it.runIf(protocol.paths.length === 2)('has one distribution on both paths', () => {
    // Two samples of size m each: an empirical law is held against the other with the size of their
    // difference.
    const [first, second] = [estimates('messages'), estimates('aggregated').toSorted((a, b) => a - b)];
    const below = (x: number): number => {
      let low = 0;
      for (let high = second.length; low < high;) {
        const middle = (low + high) >> 1;
        if (second[middle]! <= x) low = middle + 1;
        else high = middle;
      }
      return low / second.length;
    };
    const distance = Math.max(
      ...first
        .toSorted((a, b) => a - b)
        .map((x, i) => Math.max(Math.abs(below(x) - i / trials), Math.abs(below(x) - (i + 1) / trials))),
    );
    // Kolmogorov and Smirnov for two samples: 2 exp(-m D^2) is above the significance.
    expect(2 * Math.exp(-trials * Math.max(0, distance - 1 / trials) ** 2)).toBeGreaterThan(SIGNIFICANCE);
  });

  it('shows the messages before and after the shuffle, and repeats itself', () => {
    const seen: ShuffleTrace[] = [];
    protocol.run(data, root.fork('trace'), 'messages', (entry) => seen.push(entry));
    expect(seen.map(({ stage }) => stage)).toEqual(stages);
    for (const { before, after } of seen) expect(after.join() === before.join()).toBe(alike);
    for (const path of protocol.paths) {
      const again = () => protocol.run(data, root.fork('again'), path);
      expect(again()).toEqual(again());
    }
  });

  it('states its privacy and its cost', () => {
    for (const statement of protocol.certifiedPrivacy()) {
      expect(statement.status).toBe('certified');
      expect(statement.sound).toBe(true);
      expect(statement.epsilon.lower).toBeLessThanOrEqual(statement.epsilon.upper);
    }
    expect(protocol.privacy()[0]!.adjacency).toBe('replace-one');
    expect(protocol.cost().messagesPerUser).toBeGreaterThan(0);
    expect(protocol.cost().bitsPerUser).toBeGreaterThan(0);
  });
}

/** Skewed numbers of a range, some at its ends. */
export function randomNumbers(
  seed: string,
  users: number,
  { low, high }: { readonly low: number; readonly high: number },
): NumberData {
  const stream = RandomStream.fromSeed(seed);
  const values = Float64Array.from({ length: users }, (_, i) => {
    const x = stream.next();
    return i % 10 === 0 ? low : low + (high - low) * x * x;
  });
  return { kind: 'numbers', users, values };
}
