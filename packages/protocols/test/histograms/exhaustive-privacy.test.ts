/** What the histograms state of their privacy, against the truth over all data sets of a few users. */
import { describe, expect, it } from 'vitest';
import { LinearHashFamily } from '@shuffle-dp/randomizers';
import { createFrequencyProtocol, type HistogramSpec } from '../../src/index.ts';
import { exhaustiveDivergence, type MessageLaw } from './exhaustive-messages.ts';

interface World {
  readonly spec: HistogramSpec;
  readonly users: number;
  readonly domain: number;
  readonly blankets: number;
  readonly data: readonly MessageLaw[];
  readonly blanket: MessageLaw;
  /** All data sets are protected alike, so that the statement is the truth. */
  readonly exact?: true;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const uniform = (count: number): number[] => upTo(count).map(() => 1 / count);
const inTheClear = (domain: number): number[][] =>
  upTo(domain).map((x) => upTo(domain).map((y) => (x === y ? 1 : 0)));

function mixed(flip: number, domain: number): Pick<World, 'data' | 'blanket' | 'domain'> {
  const data = upTo(domain).map((x) => upTo(domain).map((y) => (x === y ? 1 - flip : flip / (domain - 1))));
  return { domain, data, blanket: uniform(domain) };
}

function flippedBits(flip: number, domain: number): Pick<World, 'data' | 'blanket' | 'domain'> {
  const rowOf = (bits: number): number[] =>
    upTo(2 ** domain).map((row) =>
      upTo(domain).reduce((mass, bit) => mass * (((row ^ bits) >> bit) & 1 ? flip : 1 - flip), 1),
    );
  return { domain, data: upTo(domain).map((x) => rowOf(1 << x)), blanket: rowOf(0) };
}

function hashed(buckets: number, domain: number): Pick<World, 'data' | 'blanket' | 'domain'> {
  const family = new LinearHashFamily(domain, buckets);
  const bins = upTo(family.size * buckets);
  const data = upTo(domain).map((x) =>
    bins.map((bin) => (family.hash(Math.floor(bin / buckets), x) === bin % buckets ? 1 / family.size : 0)),
  );
  return { domain, data, blanket: uniform(bins.length) };
}

const WORLDS: readonly World[] = [
  {
    spec: { kind: 'pure-dump' },
    users: 3,
    blankets: 4,
    domain: 3,
    data: inTheClear(3),
    blanket: uniform(3),
    exact: true,
  },
  {
    spec: { kind: 'pure-dump' },
    users: 2,
    blankets: 5,
    domain: 2,
    data: inTheClear(2),
    blanket: uniform(2),
    exact: true,
  },
  {
    spec: { kind: 'balcer-cheu' },
    users: 4,
    blankets: 8,
    domain: 2,
    data: inTheClear(2),
    blanket: uniform(2),
    exact: true,
  },
  {
    spec: { kind: 'balcer-cheu', coin: 0.2 },
    users: 3,
    blankets: 9,
    domain: 2,
    data: inTheClear(2),
    blanket: [0.8, 0.2],
    exact: true,
  },
  { spec: { kind: 'mix-dump', flip: 0.2 }, users: 3, blankets: 3, ...mixed(0.2, 3) },
  { spec: { kind: 'mix-dump', flip: 0.1 }, users: 1, blankets: 4, ...mixed(0.1, 3) },
  { spec: { kind: 'mix-dump', flip: 0.3 }, users: 4, blankets: 2, ...mixed(0.3, 2) },
  { spec: { kind: 'cheu-zhilyaev', flip: 0.2 }, users: 2, blankets: 2, ...flippedBits(0.2, 3) },
  { spec: { kind: 'cheu-zhilyaev', flip: 0.3 }, users: 3, blankets: 3, ...flippedBits(0.3, 2) },
  { spec: { kind: 'balls-into-bins-histogram', hashRange: 2 }, users: 2, blankets: 2, ...hashed(2, 3) },
  { spec: { kind: 'balls-into-bins-histogram', hashRange: 2 }, users: 2, blankets: 2, ...hashed(2, 4) },
];

describe.each(WORLDS)(
  '$spec, $users users, domain $domain',
  ({ spec, users, domain, blankets, data, blanket, exact }) => {
    it.each([0.05, 0.3])('is protected as stated, delta = %d', (delta) => {
      const protocol = createFrequencyProtocol(
        { ...spec, blanketRate: blankets / users },
        { users, domain, delta },
      );
      expect(protocol.parameters.blankets).toBe(blankets);
      const { lower, upper } = protocol.certifiedPrivacy()[0]!.epsilon;
      const truth = (epsilon: number): number =>
        exhaustiveDivergence(data, blanket, users, blankets, epsilon);
      // Rounding of the enumeration apart.
      if (upper < Infinity) expect(truth(upper)).toBeLessThanOrEqual(delta * (1 + 1e-9));
      if (lower > 1e-6) expect(truth(lower * (1 - 1e-6))).toBeGreaterThanOrEqual(delta);
      if (exact) expect(upper - lower).toBeLessThanOrEqual(1e-6 * upper);
    });
  },
);
