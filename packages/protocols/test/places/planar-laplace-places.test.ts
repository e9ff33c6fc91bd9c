// z tests of 400 to 2,000 trials with fixed seeds, at 1e-6 a check.
import { RandomStream, RunningMoments, type SimulationPath } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { gridMasses, planarLaplace } from '@shuffle-dp/randomizers';
import { describe, expect, it } from 'vitest';
import { createPlaceProtocol, gridHistogram, meanPlace, type PlaceData } from '../../src/index.ts';
import { gridEstimator } from '../../src/places/grid-estimator.ts';

const USERS = 200;
const region = { x: { low: -1, high: 3 }, y: { low: 10, high: 13 } };
const stream = RandomStream.fromSeed('places');
const data: PlaceData = {
  kind: 'places',
  users: USERS,
  x: Float64Array.from({ length: USERS }, () => -1 + 4 * stream.next() ** 2),
  y: Float64Array.from({ length: USERS }, () => 10 + 3 * stream.next()),
};
const setting = { users: USERS, region, side: 2, delta: 1e-4 };
const TRIALS = 2000;

function moments(measure: 'mean' | 'frequencies', path: SimulationPath) {
  const protocol = createPlaceProtocol({ kind: 'planar-laplace', epsilon0: 6 }, { ...setting, measure });
  const truth =
    measure === 'mean' ? meanPlace(data) : gridHistogram(data, region, 2).map((count) => count / USERS);
  const root = RandomStream.fromSeed(`places ${measure} ${path}`);
  const away = Array.from(truth, () => new RunningMoments());
  const squares = new RunningMoments();
  for (let trial = 0; trial < TRIALS; trial++) {
    let error = 0;
    protocol.run(data, root.fork(trial), path).forEach((value, i) => {
      away[i]!.add(value - truth[i]!);
      error += (value - truth[i]!) ** 2;
    });
    squares.add(error);
  }
  return { away, squares, expected: protocol.expectedError(data)! };
}

describe.each(['mean', 'frequencies'] as const)('the %s of places', (measure) => {
  const [messages, aggregated] = (['messages', 'aggregated'] as const).map((path) => moments(measure, path));

  it.each([
    ['messages', messages!],
    ['aggregated', aggregated!],
  ])('has no bias, and the error of its formula, by %s', (_path, { away, squares, expected }) => {
    for (const { mean, variance } of away)
      expect(zTest(mean, 0, Math.sqrt(variance / TRIALS))).toBeGreaterThan(1e-6);
    const spread = Math.sqrt(squares.variance / TRIALS);
    expect(zTest(squares.mean, expected, spread)).toBeGreaterThan(1e-6);
    // The test would see a fifth.
    expect(5 * spread).toBeLessThan(0.2 * expected);
  });

  it('has the same spread on both paths, estimate by estimate', () => {
    messages!.away.forEach((first, i) => {
      const second = aggregated!.away[i]!;
      // Of normal estimates the log of a variance has a deviation of sqrt(2 / trials).
      const ratio = Math.log(first.variance / second.variance);
      expect(zTest(ratio, 0, Math.sqrt(4 / TRIALS))).toBeGreaterThan(1e-6);
    });
  });
});

it('messages of a cell fall where planar Laplace noise puts them', () => {
  const side = 3;
  const masses = gridMasses(region, side, 1.2);
  const noise = planarLaplace({ epsilonPerUnit: 1.2, separation: 1 });
  const draws = 40_000;
  for (const [sender, x, y] of [
    [0, -1 + 4 / 6, 10.5],
    [5, 3 - 4 / 6, 11.5],
  ] as const) {
    const messages = noise.allocate(draws);
    const values = { x: new Float64Array(draws).fill(x), y: new Float64Array(draws).fill(y) };
    noise.randomizeInto(values, messages, RandomStream.fromSeed(`cell ${sender}`));
    const counts = gridHistogram({ kind: 'places', users: draws, ...messages.columns }, region, side);
    for (let cell = 0; cell < 9; cell++) {
      const mass = masses[sender * 9 + cell]!;
      expect(zTest(counts[cell]! / draws, mass, Math.sqrt((mass * (1 - mass)) / draws))).toBeGreaterThan(
        1e-6,
      );
    }
  }
  for (let sender = 0; sender < 9; sender++)
    expect(masses.subarray(9 * sender, 9 * sender + 9).reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(
      1,
      12,
    );
});

it('the grid estimator inverts the law of messages', () => {
  const masses = gridMasses(region, 4, 2);
  const { estimate } = gridEstimator(masses, 16);
  const held = Float64Array.from({ length: 16 }, (_, v) => (v * 7) % 5);
  const counts = new Float64Array(16);
  held.forEach((users, s) =>
    masses.subarray(16 * s, 16 * s + 16).forEach((mass, c) => (counts[c]! += users * mass)),
  );
  estimate(counts).forEach((users, v) => expect(users).toBeCloseTo(held[v]!, 9));
});

describe('privacy', () => {
  it('is calibrated to the target, and grows with users who collude', () => {
    const target = {
      users: 5000,
      region,
      side: 4,
      delta: 1e-6,
      epsilon: 0.5,
      measure: 'frequencies',
    } as const;
    const protocol = createPlaceProtocol({ kind: 'planar-laplace' }, target);
    const { epsilon } = protocol.certifiedPrivacy()[0]!;
    expect(epsilon.upper).toBeLessThanOrEqual(0.5 * (1 + 1e-9));
    expect(epsilon.upper).toBeGreaterThan(0.499);
    expect(epsilon.lower).toBeGreaterThan(0.2);
    expect(protocol.threatenedPrivacy!({ colluding: 0.5 })[0]!.epsilon.upper).toBeGreaterThan(0.5);
  });

  it('does not depend on the unit of length', () => {
    const metres = { x: { low: 0, high: 4000 }, y: { low: 0, high: 3000 } };
    const [km, m] = [region, metres].map((where) =>
      createPlaceProtocol(
        { kind: 'planar-laplace', epsilon0: 2 },
        { ...setting, region: where, measure: 'mean' },
      ),
    );
    expect(m!.certifiedPrivacy()[0]!.epsilon).toEqual(km!.certifiedPrivacy()[0]!.epsilon);
    expect(m!.parameters.epsilonPerUnit * 1000).toBeCloseTo(km!.parameters.epsilonPerUnit, 12);
  });
});

it('refuses what makes no sense', () => {
  const make = (changes: object) => () =>
    createPlaceProtocol(
      { kind: 'planar-laplace', epsilon0: 1 },
      { ...setting, measure: 'frequencies', ...changes },
    );
  expect(make({ side: 25 })).toThrow('side = 25');
  expect(make({ region: { x: { low: 1, high: 1 }, y: region.y } })).toThrow(
    'region.x.high - region.x.low = 0',
  );
  const fine = createPlaceProtocol(
    { kind: 'planar-laplace', epsilon0: 0.05 },
    { ...setting, side: 20, measure: 'frequencies' },
  );
  expect(fine.expectedError(data)).toBeGreaterThan(1e6);
  expect(() => gridEstimator(new Float64Array(16).fill(0.25), 4)).toThrow('grid = 2: must be coarser');
  expect(() => fine.run({ ...data, users: 5 }, stream, 'messages')).toThrow('data.users = 5');
});
