/** Bounds that are quicker than the transform, and what makes them apply: still bounds. */
import { describe, expect, it } from 'vitest';
import type { OtherInput, TypedPair } from '@shuffle-dp/core';
import { pointLosses } from '../../../src/blanket/loss-law.ts';
import { bufferLaw, type BufferLaw } from '../../../src/sharp/buffer/buffer.ts';
import { chordBound } from '../../../src/sharp/buffer/buffer-chords.ts';
import { blanketDivergence } from '../../../src/blanket/privacy-blanket.ts';
import { blanketHolds } from '../../../src/sharp/blanket-holds.ts';
import { RatioTails } from '../../../src/sharp/buffer/ratio-tails.ts';
import { inputBound } from '../../../src/sharp/input-bound.ts';
import { MinimumMoments, SKETCHY } from '../../../src/sharp/gains/minimum-moments.ts';
import { preparedInputs } from '../../../src/sharp/pair-inputs.ts';

const THREE: OtherInput = {
  label: 'an input',
  victim0: Float64Array.of(0.6, 0.3, 0.1),
  victim1: Float64Array.of(0.2, 0.3, 0.5),
  own: Float64Array.of(0.25, 0.5, 0.25),
  blanket: Float64Array.of(0.2, 0.25, 0.1),
};

/**
 * The mass of every lattice point of the sum of the ratios, weighted by e^(weight gains): one draw after the
 * other.
 */
function everyBuffer(draws: BufferLaw, weight: number, size: number): Map<number, number> {
  let law = new Map([[0, 1]]);
  for (let draw = 0; draw < size; draw++) {
    const next = new Map<number, number>();
    for (const [sum, mass] of law) {
      draws.points.forEach((point, i) => {
        const more = mass * draws.probabilities[i]! * Math.exp(weight * draws.gains[i]!);
        next.set(sum + point, (next.get(sum + point) ?? 0) + more);
      });
    }
    law = next;
  }
  return law;
}

describe('the blanket of a pair, at a tilt that suited another', () => {
  const [users, epsilon] = [300, 0.6];
  const pair: TypedPair = { label: 'a pair', inputs: [THREE], symmetric: true };
  const { victim0, victim1, blanket } = THREE;
  const atoms = { label: 'a blanket', victim0, victim1, others: blanket, symmetric: true };
  const { lower, upper } = blanketDivergence(atoms, users, epsilon);
  const told = { theta: 0 };
  blanketHolds(pair, users, epsilon, 2 * upper, told);

  it.each([0, 0.01, 0.3, 1, 1.5, 4, 100])('at %d times the best one never says less than it is', (times) => {
    const at = (delta: number): boolean =>
      blanketHolds(pair, users, epsilon, delta, { theta: times * told.theta });
    expect(at(0.999 * lower)).toBe(false);
    expect(at(1.02 * upper)).toBe(true);
  });

  it('holds nothing where it lacks an output of the victim: a tenth of the mass tells who it was', () => {
    const bare = {
      label: 'others',
      victim0: Float64Array.of(0.45, 0.45, 0.1),
      victim1: Float64Array.of(0.5, 0.5, 0),
      own: Float64Array.of(0.5, 0.5, 0),
      blanket: Float64Array.of(0.45, 0.45, 0),
    };
    const lacking: TypedPair = { label: 'a pair', inputs: [bare], symmetric: true };
    expect(blanketHolds(lacking, 200, 0.01, 1e-2)).toBe(false);
  });

  it.each([0.3, 0.8, 1.5])('at %d times the best one tells alone down to its Chernoff bound', (times) => {
    const theta = times * told.theta;
    let moment = 1;
    blanket.forEach((mass, y) => {
      moment += mass * Math.expm1((theta * (victim0[y]! - Math.exp(epsilon) * victim1[y]!)) / mass);
    });
    const chernoff = Math.exp(users * Math.log(moment) - 1) / (theta * users);
    const above = { theta };
    expect(blanketHolds(pair, users, epsilon, 1.000001 * chernoff, above)).toBe(true);
    expect(above.theta).toBe(theta);
    const below = { theta };
    blanketHolds(pair, users, epsilon, 0.999999 * chernoff, below);
    expect(below.theta).toBe(told.theta);
  });
});

describe('tails of the ratios by tilts of a grid', () => {
  it.each([0, 0.1, 0.7])('bound every tail with gains of weight %d, and not by much', (weight) => {
    const size = 12;
    const draws = bufferLaw(THREE, 1.1, 0.125)!;
    const law = [...everyBuffer(draws, weight, size)];
    const tails = RatioTails.of(draws, weight);
    for (const deviations of [-3, -1, 1, 2, 3, 5]) {
      const point = Math.round((size + deviations * draws.deviation * Math.sqrt(size)) / draws.step);
      const above = Math.log(law.reduce((sum, [at, mass]) => sum + (at >= point ? mass : 0), 0));
      const below = Math.log(law.reduce((sum, [at, mass]) => sum + (at <= point ? mass : 0), 0));
      const beyond = law.reduce((sum, [at, mass]) => sum + mass * Math.max(0, at - point), 0);
      const excess = Math.log((beyond * draws.step) / size);
      const whole = Math.log(law.reduce((sum, [, mass]) => sum + mass, 0));
      expect(tails.log(size, point, 1)).toBeGreaterThanOrEqual(above);
      expect(tails.log(size, point, -1)).toBeGreaterThanOrEqual(below);
      expect(tails.logExcess(size, point)).toBeGreaterThanOrEqual(excess);
      // On the far side of the mean Chernoff's bound loses a factor of some deviations.
      if (above < whole - 2) expect(tails.log(size, point, 1)).toBeLessThan(above + 3);
      if (below < whole - 2) expect(tails.log(size, point, -1)).toBeLessThan(below + 3);
      if (above < whole - 2) expect(tails.logExcess(size, point)).toBeLessThan(excess + 2);
    }
  });

  it.each([0.2, 1, 4])(
    'bound what grows beyond a point with the steepness %d, and not by much',
    (steepness) => {
      const size = 12;
      const draws = bufferLaw(THREE, 1.1, 0.125)!;
      const law = [...everyBuffer(draws, 0.1, size)];
      const tails = RatioTails.of(draws, 0.1);
      for (const deviations of [1, 2, 3, 5]) {
        const point = Math.round((size + deviations * draws.deviation * Math.sqrt(size)) / draws.step);
        const exact = Math.log(
          law.reduce(
            (sum, [at, mass]) =>
              sum + (at >= point ? mass * Math.exp(steepness * (at - point) * draws.step) : 0),
            0,
          ),
        );
        const bound = tails.log(size, point, 1, steepness);
        expect(bound).toBeGreaterThanOrEqual(exact);
        expect(bound).toBeGreaterThanOrEqual(tails.log(size, point, 1));
        expect(bound).toBeLessThan(exact + 3);
      }
    },
  );

  it.each([-3, -8, -20])('find the point beyond which the excess is e^%d', (log) => {
    const draws = bufferLaw(THREE, 1.1, 0.125)!;
    const tails = RatioTails.of(draws, 0);
    const point = tails.pointOfExcess(200, log);
    expect(tails.logExcess(200, Math.ceil(point))).toBeLessThanOrEqual(log);
    expect(tails.logExcess(200, Math.floor(point) - 1)).toBeGreaterThan(log - 0.1);
  });
});

it('moments of a far tilt are bounded without the integral', () => {
  const law = pointLosses(
    { label: '', victim0: THREE.victim0, victim1: THREE.victim1, others: THREE.own, symmetric: true },
    1.1,
  );
  const near = new MinimumMoments(law, 40, 0.2, { smoothing: 0.012, spacing: 0.08, most: 0 });
  const far = new MinimumMoments(law, 40, 0.2, SKETCHY);
  for (const t of [0.1, 0.5, 0.79, 0.81, 1.5, 4]) {
    expect(far.logAt(t)).toBeGreaterThan(near.logAt(t) - 1e-3);
    expect(far.logAt(t)).toBeLessThan(near.logAt(t) + 6);
  }
});

describe('a buffer by chords', () => {
  it.each([
    [3, 0.2, 0.5],
    [20, 0.1, 2],
    [60, 0.05, 6],
  ])('of %d draws bounds the expectation, and not by much', (size, weight, tilt) => {
    const draws = bufferLaw(THREE, 1.1, 0.125)!;
    const logF = (ratio: number): number => tilt * ratio + 0.3 * (tilt * ratio) ** 2;
    const law = everyBuffer(draws, weight, size);
    let exact = 0;
    for (const [sum, mass] of law) exact += mass * Math.exp(logF((sum * draws.step) / size));
    for (const slope of [0, tilt / size, (2 * tilt) / size]) {
      const log = chordBound(draws, weight, size, slope, logF);
      expect(log).toBeGreaterThanOrEqual(Math.log(exact));
      expect(log).toBeLessThan(Math.log(exact) + 1.5);
    }
  });
});

describe('efforts', () => {
  it('are all bounds, the cheaper the larger', () => {
    const pair: TypedPair = { label: 'a pair', inputs: [THREE], symmetric: true };
    const users = 2000;
    const [input] = preparedInputs(pair, users, 0.12, 1e-6)!;
    const parameters = { buffer: 61, kappa: 0.8, theta: 0.05 };
    const [fine, coarse, quick, sketchy, rough] = (
      ['fine', 'coarse', 'quick', 'sketchy', 'rough'] as const
    ).map((effort) => inputBound(input!.prepared, users, parameters, 1e-6, effort));
    expect(coarse! / fine!).toBeGreaterThan(1);
    expect(coarse! / fine!).toBeLessThan(1.05);
    expect(quick! / fine!).toBeGreaterThan(1);
    expect(quick! / fine!).toBeLessThan(1.05);
    expect(sketchy! / fine!).toBeGreaterThan(1);
    expect(sketchy! / fine!).toBeLessThan(4);
    expect(rough! / fine!).toBeGreaterThan(1);
    expect(rough! / fine!).toBeLessThan(20);
  });

  it('are bounds of gains of many values, of which some take fewer', () => {
    const points = Array.from({ length: 150 }, (_, y) => (y - 75) / 18);
    const law = (centre: number): Float64Array => {
      const masses = points.map((y) => Math.exp(-((y - centre) ** 2) / 2));
      const total = masses.reduce((sum, mass) => sum + mass, 0);
      return Float64Array.from(masses, (mass) => mass / total);
    };
    const [victim0, victim1, own] = [law(-0.5), law(0.5), law(0.1)];
    const blanket = own.map((mass, y) => Math.min(mass, victim0[y]!, victim1[y]!));
    const input = { label: 'others', victim0, victim1, own, blanket };
    const users = 5000;
    const { prepared } = preparedInputs(
      { label: 'noise', inputs: [input], symmetric: true },
      users,
      0.06,
      1e-6,
    )![0]!;
    expect(prepared.fewerGains().values.length).toBeLessThan(prepared.gains.values.length / 2);
    for (const theta of [0.02, 0.05]) {
      const parameters = { buffer: 299, kappa: 1, theta };
      const fine = inputBound(prepared, users, parameters, 1e-6);
      expect(fine).toBeLessThan(1e-2);
      const sketchy = inputBound(prepared, users, parameters, 1e-6, 'sketchy');
      expect(sketchy / fine).toBeGreaterThan(1);
      expect(sketchy / fine).toBeLessThan(1.2);
    }
  });
});
