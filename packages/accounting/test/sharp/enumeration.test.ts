import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputBound } from '../../src/sharp/input-bound.ts';
import { prepareInput } from '../../src/sharp/prepared-input.ts';
import { exhaustiveDivergence, type RandomizerMatrix } from '../oracle/exhaustive-divergence.ts';
import { inputsOf } from './matrix-inputs.ts';
import { uniform } from '../../../core/test/uniform.ts';

/** A law of `outputs` values whose logarithms lie in a range of this width. */
function law(outputs: number, budget: number): fc.Arbitrary<number[]> {
  const exponent = uniform(0, budget);
  return fc.array(exponent, { minLength: outputs, maxLength: outputs }).map((exponents) => {
    const masses = exponents.map(Math.exp);
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    return masses.map((mass) => mass / total);
  });
}

const matrices: fc.Arbitrary<RandomizerMatrix> = fc
  .tuple(fc.integer({ min: 2, max: 3 }), fc.integer({ min: 2, max: 3 }), fc.constantFrom(0.2, 1, 3, 8))
  .chain(([inputs, outputs, budget]) =>
    fc.array(law(outputs, budget), { minLength: inputs, maxLength: inputs }),
  );

/** A randomizer, its users, epsilon, and parameters of the bound. */
const DRAWN = [
  matrices,
  fc.integer({ min: 4, max: 6 }),
  uniform(0, 1.5),
  uniform(0, 4),
  fc.double({ min: 0.05, max: 3, noNaN: true }),
] as const;

describe('the sharp bound against all data sets of a few users', () => {
  test('no parameters give less than the worst mixed data set', () => {
    fc.assert(
      fc.property(...DRAWN, fc.boolean(), (matrix, users, epsilon, kappa, tilt, large) => {
        const worst = exhaustiveDivergence(matrix, users, epsilon);
        // An even number of users, at least two, beside the buffer.
        const buffer = ((users - 1) % 2) + (large && users >= 5 ? 2 : 0);
        let bound = 0;
        for (let x0 = 0; x0 < matrix.length; x0++) {
          for (let x1 = 0; x1 < matrix.length; x1++) {
            if (x0 === x1) continue;
            for (const input of inputsOf(matrix, x0, x1)) {
              const prepared = prepareInput(input, Math.exp(epsilon), users)!;
              const scale = Math.max(...prepared.gains.values.map(Math.abs), 1e-9);
              if (prepared.excess === 0) continue;
              const parameters = { buffer, kappa, theta: tilt / scale };
              bound = Math.max(bound, inputBound(prepared, users, parameters, worst.delta));
            }
          }
        }
        expect(bound).toBeGreaterThanOrEqual(worst.delta * (1 - 1e-12));
      }),
      { numRuns: 50, seed: 12 },
    );
  });

  test('nor where the buffer is no place for the message of the victim, or its law there is from above', () => {
    fc.assert(
      fc.property(...DRAWN, fc.constantFrom(1, 1.3), (matrix, users, epsilon, kappa, tilt, raised) => {
        const worst = exhaustiveDivergence(matrix, users, epsilon);
        const buffer = ((users - 1) % 2) + (users >= 5 ? 2 : 0);
        for (const place of ['none', 'raised'] as const) {
          let bound = 0;
          for (let x0 = 0; x0 < matrix.length; x0++) {
            for (let x1 = 0; x1 < matrix.length; x1++) {
              if (x0 === x1) continue;
              for (const input of inputsOf(matrix, x0, x1)) {
                const fromAbove = {
                  victim0: input.victim0.map((mass) => raised * mass),
                  victim1: input.victim1.map((mass) => mass / raised),
                };
                const other = { ...input, buffer: place === 'none' ? null : fromAbove };
                const prepared = prepareInput(other, Math.exp(epsilon), users)!;
                const scale = Math.max(...prepared.gains.values.map(Math.abs), 1e-9);
                if (prepared.excess === 0) continue;
                const parameters = { buffer, kappa, theta: tilt / scale };
                const value = inputBound(prepared, users, parameters, worst.delta);
                bound = Math.max(bound, value);
                if (place === 'raised') {
                  const plain = prepareInput(input, Math.exp(epsilon), users)!;
                  expect(value).toBeGreaterThanOrEqual(
                    inputBound(plain, users, parameters, worst.delta) * (1 - 1e-9),
                  );
                }
              }
            }
          }
          expect(bound).toBeGreaterThanOrEqual(worst.delta * (1 - 1e-12));
        }
      }),
      { numRuns: 50, seed: 13 },
    );
  });
});
