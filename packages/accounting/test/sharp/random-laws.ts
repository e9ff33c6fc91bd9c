/** Random laws of a few inputs and outputs, and whether their sharp bound is above equal users. */
import * as fc from 'fast-check';
import { blanketDivergence } from '../../src/blanket/privacy-blanket.ts';
import { sharpDelta } from '../../src/sharp/sharp-bound.ts';
import { homogeneousAtomsOf, type RandomizerMatrix } from '../oracle/exhaustive-divergence.ts';
import { inputsOf } from './matrix-inputs.ts';
import { uniform } from '../../../core/test/uniform.ts';

export const matrices: fc.Arbitrary<RandomizerMatrix> = fc
  .tuple(fc.integer({ min: 2, max: 3 }), fc.integer({ min: 2, max: 4 }), fc.constantFrom(0.1, 0.7, 2, 5))
  .chain(([inputs, outputs, budget]) => {
    const exponent = uniform(0, budget);
    const row = fc.array(exponent, { minLength: outputs, maxLength: outputs });
    return fc.array(row, { minLength: inputs, maxLength: inputs });
  })
  .map((rows) =>
    rows.map((row) => {
      const masses = row.map(Math.exp);
      const total = masses.reduce((sum, mass) => sum + mass, 0);
      return masses.map((mass) => mass / total);
    }),
  );

/** Users, and epsilon in deviations of the first pair's loss, where neither end is trivial. */
export const SIZES = fc.constantFrom(5, 40, 333, 10_000, 1_000_000);
export const DEVIATIONS = fc.double({ min: 0.5, max: 6, noNaN: true });

/** The bound, and the exact divergence of the worst equal users. */
export function sharpAndEqual(
  matrix: RandomizerMatrix,
  users: number,
  deviations: number,
): { readonly sharp: number; readonly equal: number } {
  const [first, second] = [matrix[0]!, matrix[1]!];
  const variance = first.reduce((sum, mass, y) => sum + (mass - second[y]!) ** 2 / mass, 0);
  const epsilon = deviations * Math.sqrt(variance / users);
  const equal = Math.max(
    ...homogeneousAtomsOf(matrix).map(
      (atoms) => blanketDivergence(atoms, users, epsilon, { ends: 'lower' }).lower,
    ),
  );
  const pairs = matrix.flatMap((_, x1) =>
    matrix
      .slice(0, x1)
      .map((__, x0) => ({ label: 'a pair', inputs: inputsOf(matrix, x0, x1), symmetric: false })),
  );
  return { sharp: sharpDelta({ pairs }, users, epsilon, Math.max(equal, 1e-12)).value, equal };
}
