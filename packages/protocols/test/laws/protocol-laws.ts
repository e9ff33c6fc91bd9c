/**
 * What every protocol must do, whatever it is: estimate without bias, err as much as it says, on both paths
 * alike, shuffle in plain sight, and state its privacy.
 */
import { expect, it } from 'vitest';
import {
  meanSquareOverRanges,
  RandomStream,
  RunningMoments,
  sumOfSquares,
  type CategoricalData,
  type SetValuedData,
  type ShuffleTrace,
  type SimulationPath,
} from '@shuffle-dp/core';
import { twoSampleChiSquare, zTest } from '@shuffle-dp/core/testkit';
import type { FrequencyProtocol, ShuffleProtocol } from '../../src/shuffle-protocol.ts';

/** Each check of this file raises a false alarm with at most this probability; seeds are fixed. */
const SIGNIFICANCE = 1e-6;

export interface ProtocolCase<Data> {
  readonly protocol: ShuffleProtocol<Data>;
  readonly data: Data;
  readonly trials: number;
  /** Exact mean of the estimate per item, where it is not the frequency: levels that weigh unequally. */
  readonly expectation?: Float64Array;
  /** Stages that a traced run shows, in order. */
  readonly stages: readonly string[];
}

export function describeProtocolLaws<Data extends SetValuedData | CategoricalData>({
  protocol,
  data,
  trials,
  expectation,
  stages,
}: ProtocolCase<Data>): void {
  const root = RandomStream.fromSeed(`protocol laws ${protocol.name}`);
  const truth = data.histogram.map((count) => count / data.users);
  const mean = expectation ?? truth;

  for (const path of protocol.paths) {
    it(`estimates without bias and errs as expected, by ${path}`, () => {
      const sums = new Float64Array(data.domain);
      const squares = new Float64Array(data.domain);
      const errors = new RunningMoments();
      const rangeErrors = new RunningMoments();
      for (let trial = 0; trial < trials; trial++) {
        const estimate = protocol.run(data, root.fork(path).fork(trial), path);
        for (let j = 0; j < data.domain; j++) {
          sums[j]! += estimate[j]!;
          squares[j]! += estimate[j]! * estimate[j]!;
        }
        const away = estimate.map((value, j) => value - truth[j]!);
        errors.add(sumOfSquares(away));
        rangeErrors.add(meanSquareOverRanges(away));
      }
      for (let j = 0; j < data.domain; j++) {
        const average = sums[j]! / trials;
        const variance = squares[j]! / trials - average * average;
        const pValue = zTest(average, mean[j]!, Math.sqrt(variance / trials));
        expect(pValue, `item ${j}`).toBeGreaterThan(SIGNIFICANCE / data.domain);
      }
      expectMean(errors, protocol.expectedError(data), 'error');
      if (data.kind === 'categories') {
        const { jointPaths, expectedRangeError } = protocol as unknown as FrequencyProtocol;
        if (jointPaths.includes(path)) expectMean(rangeErrors, expectedRangeError(data), 'error of ranges');
      }
    });
  }

  it('shows the messages before and after the shuffle', () => {
    const seen: ShuffleTrace[] = [];
    protocol.run(data, root.fork('trace'), 'messages', (entry) => seen.push(entry));
    expect(seen.map(({ stage }) => stage)).toEqual(stages);
    for (const { before, after, permutedBy, messages } of seen) {
      expect(messages).toBeGreaterThan(0);
      expect(before.length).toBe(Math.min(8, messages));
      expect(after.length).toBe(before.length);
      expect(after).not.toEqual(before);
      expect(permutedBy.startsWith(root.fork('trace').path)).toBe(true);
    }
  });

  it('gives the same estimates for the same stream', () => {
    for (const path of protocol.paths) {
      const again = () => protocol.run(data, root.fork('again'), path);
      expect(again()).toEqual(again());
    }
  });

  it('states its privacy and its cost', () => {
    for (const statement of [...protocol.privacy(), ...protocol.certifiedPrivacy()]) {
      expect(statement.epsilon.lower).toBeLessThanOrEqual(statement.epsilon.upper);
      expect(statement.adjacency).toBe('replace-one');
      if (statement.status === 'certified') expect(statement.sound).toBe(true);
      if (statement.sound !== true) expect(statement.reason).toBeTruthy();
    }
    for (const { status } of protocol.certifiedPrivacy()) expect(status).toBe('certified');
    expect(protocol.cost().messagesPerUser).toBeGreaterThan(0);
    expect(protocol.cost().bitsPerUser).toBeGreaterThan(0);
  });
}

/** @param expected null where it is not known */
function expectMean({ mean, variance, count }: RunningMoments, expected: number | null, name: string): void {
  if (expected === null) return;
  const pValue = zTest(mean, expected, Math.sqrt(variance / count));
  expect(pValue, `${name} ${mean}, expected ${expected}`).toBeGreaterThan(SIGNIFICANCE);
}

/**
 * Whether a statistic of the estimates has one distribution on both paths: two-sample chi-square over its
 * distinct values.
 * @param statistic must take few values
 */
export function pathsAgree<Data>(
  protocol: ShuffleProtocol<Data>,
  data: Data,
  trials: number,
  statistic: (estimate: Float64Array) => string,
): number {
  const tables = (['messages', 'aggregated'] satisfies SimulationPath[]).map((path) => {
    const table = new Map<string, number>();
    const root = RandomStream.fromSeed(`paths of ${protocol.name}`).fork(path);
    for (let trial = 0; trial < trials; trial++) {
      const key = statistic(protocol.run(data, root.fork(trial), path));
      table.set(key, (table.get(key) ?? 0) + 1);
    }
    return table;
  });
  const keys = [...new Set(tables.flatMap((table) => [...table.keys()]))].sort();
  const [a, b] = tables.map((table) => keys.map((key) => table.get(key) ?? 0));
  return twoSampleChiSquare(a!, b!).pValue;
}
