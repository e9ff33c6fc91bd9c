/**
 * The circle of a convolution against the plain one, where losses are whole steps of the lattice, so that
 * neither end moves them; and losses between its points. The truth is a sum of positive terms.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { latticeProduct } from '../../../src/sets/product/lattice-product.ts';
import type { Side } from '../../../src/sets/product/loss-lattice.ts';
import type { PairFactor } from '../../../src/sets/product/pair-factor.ts';
import { convolvedDivergence } from '../../../src/sets/product/product-loss.ts';
import { typicalLoss } from '../../../src/sets/product/typical-loss.ts';
import type { RatioLaw } from '../../../src/sets/ratio-law.ts';
import { uniform } from '../../../../core/test/uniform.ts';

const STEP = 1 / 64;
const WAVES = { frequency: 0, coefficients: [{ re: 1, im: 0 }], below: 0 };

/** Losses in steps, and their masses under the first hypothesis. */
type Losses = readonly (readonly [loss: number, mass: number])[];

/** Ratios whose logarithms are these losses where they are sent, and minus them where they are not. */
function ratios(losses: Losses, role: 'sent' | 'unsent'): RatioLaw {
  const sign = role === 'sent' ? 1 : -1;
  const logRatio = Float64Array.from(losses, ([loss]) => sign * loss * STEP);
  return {
    logMass: Float64Array.from(
      losses,
      ([loss, mass]) => Math.log(mass) - (role === 'sent' ? loss * STEP : 0),
    ),
    logRatio,
    leastLog: logRatio,
    mostLog: logRatio,
    lowest: Math.min(...logRatio),
    highest: Math.max(...logRatio),
    count: new Float64Array(losses.length),
    zero: 0,
    cut: 0,
    error: 0,
  };
}

function factorsOf(sent: Losses, unsent: Losses, copies: number): PairFactor[] {
  const label = { logWeight: 0, sent: ratios(sent, 'sent'), unsent: ratios(unsent, 'unsent') };
  return [{ copies, labels: [label] }];
}

function productOf(sent: Losses, unsent: Losses, copies: number, side: Side, step = STEP) {
  return latticeProduct(factorsOf(sent, unsent, copies), side, step, WAVES);
}

/** E (1 - e^(epsilon - L))_+ of the sum L of all losses, nothing wrapped. */
function plainDivergence(sent: Losses, unsent: Losses, copies: number, epsilon: number): number {
  let law = new Map([[0, 1]]);
  for (let copy = 0; copy < copies; copy++) {
    for (const losses of [sent, unsent]) {
      const next = new Map<number, number>();
      for (const [total, mass] of law)
        for (const [loss, own] of losses) next.set(total + loss, (next.get(total + loss) ?? 0) + mass * own);
      law = next;
    }
  }
  let sum = 0;
  for (const [total, mass] of law) sum += mass * Math.max(0, -Math.expm1(epsilon - total * STEP));
  return sum;
}

const USUAL: Losses = [
  [-1, 0.25],
  [0, 0.5],
  [1, 0.25],
];

test('losses beyond the circle that wrap below epsilon are charged to the upper end', () => {
  let broken = 0;
  // Rare, and so far out that the circle of eight deviations ends before it; where it wraps to depends on how
  // far.
  for (let far = 4000; far < 4064; far++) {
    const sent: Losses = [...USUAL, [far, 1e-7]];
    for (const tilt of [0, 0.25]) {
      const epsilon = 2.5 * STEP;
      const around = { tilt, from: epsilon, to: epsilon, mostWrapped: Infinity };
      const { value, charged } = convolvedDivergence(productOf(sent, USUAL, 1, 'upper'), around)(epsilon);
      const exact = plainDivergence(sent, USUAL, 1, epsilon);
      expect(value).toBeGreaterThanOrEqual(exact * (1 - 1e-13));
      if (value * (1 - charged) < exact * (1 - 1e-9)) broken++;
    }
  }
  expect(broken).toBeGreaterThan(16);
});

test('losses below the circle that wrap above epsilon are charged to the lower end', () => {
  for (let far = 4000; far < 4064; far++) {
    const sent: Losses = [...USUAL, [-far, 1e-7]];
    const epsilon = STEP / 2;
    const exact = plainDivergence(sent, USUAL, 1, epsilon);
    const product = productOf(sent, USUAL, 1, 'lower');
    const below = (mostWrapped: number): number =>
      convolvedDivergence(product, { tilt: 0, from: epsilon, to: epsilon, mostWrapped })(epsilon).value;
    const wrapped = below(Infinity);
    expect(wrapped).toBeLessThanOrEqual(exact * (1 + 1e-13));
    // The circle that grows until hardly anything is wrapped has nothing to charge.
    const grown = below(1e-7);
    expect(grown).toBeLessThanOrEqual(exact * (1 + 1e-13));
    expect(grown).toBeGreaterThan(exact * (1 - 1e-6));
    expect(grown).toBeGreaterThan(wrapped);
  }
});

const usual = fc.array(
  fc.tuple(fc.integer({ min: -20, max: 20 }), fc.double({ min: 0.01, max: 1, noNaN: true })),
  {
    minLength: 2,
    maxLength: 4,
  },
);
const far = fc.array(
  fc.tuple(
    fc.integer({ min: -3000, max: 3000 }),
    fc.double({ min: -40, max: -6, noNaN: true }).map((log) => Math.exp(log)),
  ),
  { maxLength: 2 },
);
const law = fc.tuple(usual, far).map(([often, rarely]): Losses => {
  const total = often.reduce((sum, [, mass]) => sum + mass, 0);
  return [...often.map(([loss, mass]) => [loss, mass / total] as const), ...rarely];
});

test('both ends hold at all epsilons of one tilt, wrapped or whole', () => {
  let wrapped = 0;
  const known = new Map<Side, number>();
  fc.assert(
    fc.property(
      law,
      law,
      fc.integer({ min: 1, max: 3 }),
      uniform(0, 3),
      uniform(0, 2),
      fc.option(uniform(0, 8)),
      (sent, unsent, copies, from, width, given) => {
        const epsilons = [from, from + width / 3, from + width];
        const exact = epsilons.map((epsilon) => plainDivergence(sent, unsent, copies, epsilon));
        // Beyond the largest loss nothing is convolved.
        fc.pre(exact.every((value) => value > 0));
        for (const side of ['upper', 'lower'] as const) {
          const product = productOf(sent, unsent, copies, side);
          const tilt = given ?? typicalLoss(factorsOf(sent, unsent, copies)).tiltFor(from, STEP);
          for (const most of [Infinity, 1e-7, 0]) {
            const around = { tilt, from, to: from + width, mostWrapped: most };
            const divergence = convolvedDivergence(product, around);
            epsilons.forEach((epsilon, i) => {
              const { value, charged } = divergence(epsilon);
              known.set(side, (known.get(side) ?? 0) + (Number.isNaN(value) ? 0 : 1));
              if (Number.isNaN(value)) return;
              if (side === 'upper') expect(value).toBeGreaterThanOrEqual(exact[i]! * (1 - 1e-13));
              else expect(value).toBeLessThanOrEqual(exact[i]! * (1 + 1e-13));
              if (most === 0 || side === 'lower') return;
              if (value * (1 - charged) < exact[i]! * (1 - 1e-9)) wrapped++;
            });
          }
        }
      },
    ),
    { numRuns: 100, seed: 5 },
  );
  expect(wrapped).toBeGreaterThan(7);
  for (const side of ['upper', 'lower'] as const) expect(known.get(side)).toBeGreaterThan(800);
});

// Such a circle took more memory than there is.
test('an epsilon millions of steps beyond what is likely has an upper end without a circle, and no lower one', () => {
  const sent: Losses = [...USUAL, [2_000_000, 1e-9]];
  const epsilon = 1_500_000 * STEP;
  const exact = plainDivergence(sent, USUAL, 1, epsilon);
  const values = [0, 1e-5, 1e-4, 1e-3].map((tilt) => {
    const around = { tilt, from: epsilon, to: epsilon, mostWrapped: 0 };
    const at = (side: Side) => convolvedDivergence(productOf(sent, USUAL, 1, side), around)(epsilon).value;
    expect(at('lower')).toBe(0);
    return at('upper');
  });
  for (const value of values) expect(value).toBeGreaterThanOrEqual(exact);
  expect(Math.min(...values)).toBeLessThan(0.5);
});

test('of one outcome, split onto the lattice in every way, the lower end has no more than it had', () => {
  let [counted, split] = [0, 0];
  const fractions = fc.array(uniform(0, 1), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      fractions,
      fractions,
      fc.constantFrom(1e-3, 1 / 16, 0.5, 1.5),
      uniform(-1.2, 1.2),
      fc.constantFrom(0, 0.5, 4, 30),
      (sent, unsent, step, share, tilt) => {
        const ofOne = (fraction: number): Losses => [[(fraction * step) / STEP, 1]];
        const pairs = [...sent.slice(0, unsent.length).keys()];
        const factors = pairs.map((i) => ({
          copies: 1,
          labels: [
            {
              logWeight: 0,
              sent: ratios(ofOne(sent[i]!), 'sent'),
              unsent: ratios(ofOne(-unsent[i]!), 'unsent'),
            },
          ],
        }));
        const total = pairs.reduce((sum, i) => sum + (sent[i]! - unsent[i]!) * step, 0);
        // From where the split carries nothing across epsilon to the middle, on both sides.
        const epsilon = total + share * 2 * factors.length * step;
        const exact = Math.max(0, -Math.expm1(epsilon - total));
        for (const mostWrapped of [0, Infinity]) {
          const around = { tilt, from: epsilon, to: epsilon, mostWrapped };
          const at = (side: Side): number =>
            convolvedDivergence(latticeProduct(factors, side, step, WAVES), around)(epsilon).value;
          const [above, below] = [at('upper'), at('lower')];
          // Far tilts leave the doubles.
          if (Number.isNaN(above) || Number.isNaN(below)) continue;
          expect(above).toBeGreaterThanOrEqual(exact * (1 - 1e-13));
          expect(below).toBeLessThanOrEqual(exact * (1 + 1e-13));
          if (above > exact * (1 + 1e-6)) split++;
          if (below > 0) counted++;
        }
      },
    ),
    { numRuns: 1000, seed: 11 },
  );
  expect(split).toBeGreaterThan(250);
  expect(counted).toBeGreaterThan(250);
});

test('losses between the points: both ends hold, and the lower one falls short by the second order', () => {
  const between = fc.array(fc.tuple(uniform(-30, 30), uniform(0.01, 1)), { minLength: 2, maxLength: 4 });
  const normal = between.map((losses): Losses => {
    const total = losses.reduce((sum, [, mass]) => sum + mass, 0);
    return losses.map(([loss, mass]) => [loss, mass / total]);
  });
  const short: [wide: number, narrow: number] = [0, 0];
  fc.assert(
    fc.property(
      normal,
      normal,
      fc.integer({ min: 1, max: 3 }),
      uniform(0, 1.5),
      (sent, unsent, copies, epsilon) => {
        const exact = plainDivergence(sent, unsent, copies, epsilon);
        fc.pre(exact > 1e-6);
        for (const [i, step] of [STEP / 4, STEP / 64].entries()) {
          const at = (side: Side): number => {
            const product = productOf(sent, unsent, copies, side, step);
            const tilt = typicalLoss(factorsOf(sent, unsent, copies)).tiltFor(epsilon, step);
            const around = { tilt, from: epsilon, to: epsilon, mostWrapped: 1e-7 };
            return convolvedDivergence(product, around)(epsilon).value;
          };
          const [above, below] = [at('upper'), at('lower')];
          expect(above).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
          expect(below).toBeLessThanOrEqual(exact * (1 + 1e-12));
          short[i]! += (exact - below) / exact;
        }
      },
    ),
    { numRuns: 200, seed: 12 },
  );
  // Of atoms, which a total may hit, the error is between the first order and the second.
  expect(short[1] / short[0]).toBeLessThan(0.05);
});
