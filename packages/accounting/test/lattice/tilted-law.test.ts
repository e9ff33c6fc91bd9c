import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { unrolled, wound } from '../../src/lattice/circle.ts';
import { logCentredMoment, tilted, type LatticeLaw } from '../../src/lattice/tilted-law.ts';
import { uniform } from '../../../core/test/uniform.ts';

function lawOf(masses: Readonly<Record<number, number>>): LatticeLaw {
  const points = Float64Array.from(Object.keys(masses), Number);
  return { points, logMass: points.map((point) => Math.log(masses[point]!)) };
}

describe('a tilted law', () => {
  it('has the masses, the total and the moments of e^(tilt point) times its own', () => {
    // With tilt log 2 the masses 1/2, 1/4, 1/4 of -1, 0, 3 become 1/4, 1/4, 2 of a total of 5/2.
    const { masses, logTotal, mean, variance } = tilted(lawOf({ [-1]: 0.5, 0: 0.25, 3: 0.25 }), Math.LN2);
    const expected = new Map([
      [-1, 0.1],
      [0, 0.1],
      [3, 0.8],
    ]);
    const points = lawOf({ [-1]: 0.5, 0: 0.25, 3: 0.25 }).points;
    points.forEach((point, i) => expect(masses[i]).toBeCloseTo(expected.get(point)!, 14));
    expect(logTotal).toBeCloseTo(Math.log(2.5), 14);
    expect(mean).toBeCloseTo(2.3, 13);
    expect(variance).toBeCloseTo(0.1 + 0.8 * 9 - 2.3 ** 2, 13);
  });

  it('keeps the digits of masses below the doubles', () => {
    const law = { points: Float64Array.of(0, 1), logMass: Float64Array.of(0, -2000) };
    const { masses, logTotal, mean } = tilted(law, 2000);
    expect([...masses]).toEqual([0.5, 0.5]);
    expect(logTotal).toBeCloseTo(Math.LN2, 14);
    expect(mean).toBe(0.5);
  });

  it('has moments that a further tilt has as its total, never too small', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            point: fc.integer({ min: -20, max: 20 }),
            log: uniform(-30, 0),
          }),
          {
            minLength: 1,
            maxLength: 12,
          },
        ),
        uniform(-2, 2),
        uniform(-0.5, 0.5),
        (atoms, tilt, power) => {
          const law = {
            points: Float64Array.from(atoms, ({ point }) => point),
            logMass: Float64Array.from(atoms, ({ log }) => log),
          };
          const one = tilted(law, tilt);
          const further = tilted(law, tilt + power);
          const moment = logCentredMoment(one, power);
          const exact = further.logTotal - one.logTotal - power * one.mean;
          expect(moment).toBeGreaterThanOrEqual(exact - 1e-13 * (1 + Math.abs(further.logTotal)));
          expect(moment).toBeLessThanOrEqual(exact + 1e-11 * (1 + Math.abs(further.logTotal)));
        },
      ),
    );
  });
});

it('winds masses round a circle, from which a window is unrolled', () => {
  const points = Float64Array.of(-3, 5, 5, 6);
  const circle = wound(points, Float64Array.of(1, 2, 4, 8), -3, 8);
  // 5 and -3 are on one place of eight, and 6 is the next.
  expect([...circle]).toEqual([7, 8, 0, 0, 0, 0, 0, 0]);
  expect([...unrolled(circle, 7, 4)]).toEqual([0, 7, 8, 0]);
});
