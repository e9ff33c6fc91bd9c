// @module-tag long
/** How much errors of counts drawn one by one spread beside those of messages: docs/statistics.md. */
import { readFileSync } from 'node:fs';
import { RandomStream, type SimulationPath } from '@shuffle-dp/core';
import {
  createKeyValueProtocol,
  createSetProtocol,
  poisonedEstimate,
  poisonedMessagesEstimate,
  type SetProtocolSpec,
} from '@shuffle-dp/protocols';
import { subsetSelection } from '@shuffle-dp/randomizers';
import { momentsOf } from '../../src/results/trial-statistics.ts';
import { expect, it } from 'vitest';
import { markedTable } from '../../../cli/test/docs/markdown-table.ts';

const TRIALS = 20_000;
const DELTA = 1e-3;

/** The estimates of a trial, and what they estimate. */
interface Measured {
  readonly truth: Float64Array;
  readonly estimate: (path: SimulationPath, stream: RandomStream) => Float64Array;
}

function deviationRatio({ truth, estimate }: Measured): number {
  const deviation = (path: SimulationPath): number => {
    const stream = RandomStream.fromSeed(`deviation ${path}`);
    const errors = Array.from({ length: TRIALS }, (_, trial) =>
      estimate(path, stream.fork(trial)).reduce((sum, value, i) => sum + (value - truth[i]!) ** 2, 0),
    );
    return Math.sqrt(momentsOf(errors).variance);
  };
  return deviation('aggregated') / deviation('messages');
}

/** Whose keys or items follow each other round the domain. */
const roundRobin = (users: number, domain: number, items: number): number[][] =>
  Array.from({ length: users }, (_, user) =>
    Array.from({ length: items }, (_one, j) => (user + j) % domain).toSorted((a, b) => a - b),
  );

const histogramOf = (held: readonly number[], domain: number): Float64Array => {
  const histogram = new Float64Array(domain);
  for (const item of held) histogram[item]!++;
  return histogram;
};

function pairs(users: number, domain: number, items: number, epsilon0: number): Measured {
  const range = { low: -1, high: 1 };
  const setting = { users, domain, items, range, delta: DELTA, measure: 'frequencies' } as const;
  const protocol = createKeyValueProtocol({ kind: 'pckv-grr', epsilon0 }, setting);
  const keys = Uint32Array.from(roundRobin(users, domain, items).flat());
  const values = Float64Array.from(keys, (_, i) => (i % 2 === 0 ? 0.5 : -0.5));
  const histogram = histogramOf([...keys], domain);
  const sums = new Float64Array(domain);
  const holders = new Float64Array(2 * domain);
  keys.forEach((key, i) => {
    sums[key]! += values[i]!;
    holders[2 * key + (values[i]! > 0 ? 1 : 0)]!++;
  });
  const squares = histogram.map((count) => count / 4);
  const data = { kind: 'key-values', users, domain, items, histogram, sums, squares } as const;
  const held = {
    messages: { ...data, pairs: { keys, values } },
    aggregated: { ...data, counts: { values: Float64Array.of(-0.5, 0.5), holders } },
  };
  return {
    truth: histogram.map((count) => count / users),
    estimate: (path, stream) => protocol.run(held[path], stream, path),
  };
}

function sets(kind: SetProtocolSpec['kind'], epsilon: number): Measured {
  const size = { users: 50, domain: 3, items: 2 };
  const protocol = createSetProtocol({ kind } as SetProtocolSpec, {
    ...size,
    delta: DELTA,
    levels: [epsilon],
    shares: [1],
  });
  const rows = Uint16Array.from(roundRobin(size.users, size.domain, size.items).flat());
  const histogram = histogramOf([...rows], size.domain);
  const data = { kind: 'sets', ...size, rows, histogram } as const;
  return {
    truth: histogram.map((count) => count / size.users),
    estimate: (path, stream) => protocol.run(data, stream, path),
  };
}

/** 100 fake users beside 100 honest ones, local budget 1. */
function crafted(attack: 'maximal-gain' | 'random-message', domain: number, size: number): Measured {
  const oracle = subsetSelection({ domain, epsilon0: 1, subsetSize: size });
  const users = 100;
  const values = Uint32Array.from({ length: users }, (_, user) => user % domain);
  const histogram = histogramOf([...values], domain);
  const data = { kind: 'categories', users, domain, values, histogram } as const;
  const fake = { attack, targets: [0, 1], count: 100 };
  const estimates = { messages: poisonedMessagesEstimate, aggregated: poisonedEstimate };
  return {
    truth: histogram.map((count) => count / users),
    estimate: (path, stream) => estimates[path](oracle, data, fake, stream),
  };
}

/** In the order of the page. */
const CASES: readonly (() => Measured)[] = [
  () => pairs(400, 4, 2, 1),
  () => pairs(400, 4, 2, 3),
  () => pairs(3, 12, 1, 1),
  ...([1, 3] as const).flatMap((epsilon) =>
    (['wheel', 'collision', 'sampled-rappor'] as const).map((kind) => () => sets(kind, epsilon)),
  ),
  () => crafted('maximal-gain', 3, 1),
  () => crafted('maximal-gain', 8, 1),
  () => crafted('maximal-gain', 8, 4),
  () => crafted('random-message', 3, 1),
  () => crafted('random-message', 8, 4),
];

const page = readFileSync(new URL('../../../../docs/statistics.md', import.meta.url), 'utf8');
const rows = markedTable(page, 'deviations');

it('the page has a row for each case', () => expect(rows).toHaveLength(CASES.length));

it.each(CASES.map((make, i) => [rows[i]?.join(', '), make, i] as const))('%s', (_, make, i) => {
  expect(deviationRatio(make()).toFixed(2)).toBe(rows[i]![3]);
});
