import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Real } from '@shuffle-dp/core';

/** From mpmath with 1300 bits, rounded to the nearest double. */
const REFERENCE = {
  exp: [
    [0.1, 1.1051709180756477],
    [-0.75, 0.4723665527410147],
    [2.5, 12.182493960703473],
    [30.2, 13052489528882.516],
    [-300.7, 2.556520571425501e-131],
    [700.3, 1.3690700720098904e304],
    [-744.1, 5e-324],
  ],
  expm1: [
    [1e-9, 1.0000000005000001e-9],
    [0.0142, 0.014301298913601422],
    [-0.016, -0.015872679944714887],
    [0.3, 0.3498588075760031],
    [-0.7, -0.5034146962085905],
    [12.1, 179870.86225375102],
    [-37.2, -0.9999999999999999],
  ],
  log: [
    [0.3, -1.2039728043259361],
    [0.9921, -0.00793137032628028],
    [1.004, 0.003992021269537457],
    [2.7, 0.9932517730102834],
    [1e-300, -690.7755278982137],
    [3e200, 461.61563088747727],
  ],
  log1p: [
    [1e-12, 9.999999999995e-13],
    [0.005, 0.004987541511039074],
    [-0.007, -0.00702461493696446],
    [0.4, 0.33647223662121295],
    [-0.93, -2.659260036932779],
    [1e10, 23.025850930040455],
  ],
  sin: [
    [0.5, 0.479425538604203],
    [1.6, 0.9995736030415051],
    [Math.PI, 1.2246467991473532e-16],
    [-20.3, -0.9927664058359071],
    [314159.25, -0.01535837547158855],
    [1e22, -0.8522008497671888],
    [21053343141, 1.7533805082422143e-12],
    [8958937768937, -2.2019812105637776e-14],
  ],
  cos: [
    [0.5, 0.8775825618903728],
    [Math.PI / 2, 6.123233995736766e-17],
    [4.2, -0.4902608213406994],
    [-20.3, 0.12006191504242673],
    [314159.25, 0.9998820531957126],
    [1e22, 0.523214785395139],
  ],
  tan: [
    [0.3, 0.30933624960962325],
    [1.5, 14.101419947171719],
    [-2.2, 1.3738230567687946],
  ],
  asin: [
    [0.2, 0.2013579207903308],
    [-0.9, -1.1197695149986342],
  ],
  acos: [
    [0.2, 1.369438406004566],
    [-0.9, 2.6905658417935308],
    [0.999, 0.044725087168733454],
  ],
  sinh: [
    [0.01, 0.010000166667500003],
    [1.3, 1.698382437292616],
    [-30.5, -8809508975677.816],
  ],
  cosh: [
    [0.01, 1.0000500004166681],
    [1.3, 1.9709142303266285],
    [-30.5, 8809508975677.816],
  ],
  tanh: [
    [0.003, 0.0029999910000324],
    [-0.8, -0.664036770267849],
    [15.5, 0.9999999999999312],
  ],
  atanh: [
    [0.01, 0.010000333353334763],
    [-0.7, -0.8673005276940531],
    [0.999, 3.8002011672501994],
  ],
} as const;

type Name = keyof typeof REFERENCE;

const functions: Readonly<Record<Name, (x: number) => number>> = { ...Real };

/**
 * Those whose error is below one unit in the last place: the nearest double is next to what they give, or it.
 */
const CLOSE: readonly Name[] = ['exp', 'expm1', 'log', 'log1p', 'sin', 'cos'];

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** How many doubles lie from one to the other. */
function apart(a: number, b: number): number {
  const place = (value: number): bigint => {
    double[0] = value;
    return bits[0]! >= 0n ? bits[0]! : -(bits[0]! & 0x7fffffffffffffffn);
  };
  return Number.isNaN(a) && Number.isNaN(b) ? 0 : Math.abs(Number(place(a) - place(b)));
}

describe('elementary functions', () => {
  test.each(Object.keys(REFERENCE) as Name[])('%s has the reference values', (name) => {
    for (const [x, value] of REFERENCE[name])
      expect(apart(functions[name](x), value), `${name}(${x})`).toBeLessThanOrEqual(
        CLOSE.includes(name) ? 1 : 2,
      );
  });

  test('the angle of a point has the reference values', () => {
    expect(apart(Real.atan2(0.3, 1.7), 0.1746721990082397)).toBeLessThanOrEqual(2);
    expect(apart(Real.atan2(-2.5, 0.4), -1.4121410646084953)).toBeLessThanOrEqual(2);
    expect(apart(Real.atan2(1, -3), 2.819842099193151)).toBeLessThanOrEqual(2);
    expect(apart(Real.atan2(-1e-9, -2), -3.141592653089793)).toBeLessThanOrEqual(2);
  });

  test('powers have the reference values', () => {
    expect(apart(Real.power(1.1, 200), 189905276.4604649)).toBeLessThanOrEqual(1);
    expect(apart(Real.power(0.97, 2.5), 0.9266790305709954)).toBeLessThanOrEqual(2);
    expect(apart(Real.power(3.3, 1 / 3), 1.4888055529538273)).toBeLessThanOrEqual(2);
    expect(apart(Real.power(1.25, -700), 1.4554285650048631e-68)).toBeLessThanOrEqual(1);
    expect([Real.hypot(0, 0), Real.hypot(-3, 4), Real.hypot(5e-324, 0), Real.hypot(1, Infinity)]).toEqual([
      0,
      5,
      5e-324,
      Infinity,
    ]);
    expect(apart(Real.hypot(1e-200, -1e-200), 1.4142135623730951e-200)).toBeLessThanOrEqual(2);
    expect(apart(Real.hypot(1e200, 1e200), 1.4142135623730951e200)).toBeLessThanOrEqual(2);
    expect([Real.power(0, 0), Real.power(-3, 3), Real.power(10, 22), Real.power(7, 400)]).toEqual([
      1,
      -27,
      1e22,
      Infinity,
    ]);
  });

  // Those of the engine err by less than one unit, or two for hyperbolic functions and arcs.
  const RANGES: readonly (readonly [Name, low: number, high: number, most: number])[] = [
    ['exp', -745, 709.7, 1],
    ['exp', -0.1, 0.1, 1],
    ['expm1', -45, 709, 1],
    ['expm1', -0.05, 0.05, 1],
    ['log', 5e-324, 1e300, 1],
    ['log', 0.4, 2.2, 1],
    ['log', 0.99, 1.01, 1],
    ['log1p', -1, 5, 1],
    ['log1p', -0.01, 0.01, 1],
    ['sin', -30, 30, 1],
    ['sin', -1e7, 1e7, 1],
    ['sin', 1e6, 3e13, 1],
    ['sin', -1e15, 1e15, 1],
    ['cos', -30, 30, 1],
    ['cos', -1e7, 1e7, 1],
    ['cos', -3e13, -1e6, 1],
    ['sin', -1e20, 1e20, 1],
    ['cos', -1e20, 1e20, 1],
    ['tan', -30, 30, 3],
    ['asin', -1, 1, 4],
    ['acos', -1, 1, 4],
    ['sinh', -720, 720, 4],
    ['sinh', -1, 1, 4],
    ['cosh', -720, 720, 4],
    ['tanh', -30, 30, 4],
    ['tanh', -0.1, 0.1, 4],
    ['atanh', -1, 1, 4],
  ];
  describe.each(RANGES)('%s from %d to %d', (name, low, high, most) => {
    test("is next to the engine's", () => {
      fc.assert(
        fc.property(fc.double({ min: low, max: high, noNaN: true }), (x) => {
          expect(apart(functions[name](x), Math[name](x))).toBeLessThanOrEqual(most);
        }),
        { numRuns: 2000 },
      );
    });
  });

  test("sines near whole numbers of right angles are next to the engine's, of their signs too", () => {
    fc.assert(
      fc.property(fc.double({ min: 2 ** 20, max: 2 ** 65, noNaN: true }), (x) => {
        const angle = Math.round(x) * (Math.PI / 2);
        for (const near of [angle, -angle]) {
          expect(apart(Real.sin(near), Math.sin(near))).toBeLessThanOrEqual(1);
          expect(apart(Real.cos(near), Math.cos(near))).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each(Object.keys(REFERENCE) as Name[])('%s at the ends and at nothing', (name) => {
    for (const x of [NaN, Infinity, -Infinity, 0, -0, 1, -1, 5e-324, -5e-324, 1e-310, 1e-20, 709.79, -745.2])
      expect(apart(functions[name](x), Math[name](x)), `${name}(${x})`).toBeLessThanOrEqual(1);
  });

  test('large angles are reduced by a whole number of right angles', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 1022 }),
        fc.double({ min: 1, max: 2, noNaN: true, maxExcluded: true }),
        fc.constantFrom(1, -1),
        (exponent, significand, sign) => {
          const angle = sign * significand * 2 ** exponent;
          const { turns, rest } = reducedExactly(angle);
          const [sine, cosine] = [Math.sin(rest), Math.cos(rest)];
          const [expectedSine, expectedCosine] = [
            [sine, cosine],
            [cosine, -sine],
            [-sine, -cosine],
            [-cosine, sine],
          ][turns]!;
          expect(Math.abs(Real.sin(angle) - expectedSine!)).toBeLessThan(3e-16);
          expect(Math.abs(Real.cos(angle) - expectedCosine!)).toBeLessThan(3e-16);
        },
      ),
    );
  });

  test('the large angle that is nearest to a whole number of right angles keeps its digits', () => {
    // J.-M. Muller, Elementary Functions, 2006: of all doubles. Its cosine is -4.68716592425462761112e-19.
    const angle = 6381956970095103 * 2 ** 797;
    expect(Real.cos(angle)).toBe(-4.68716592425462761112e-19);
    expect(Real.sin(angle)).toBe(1);
    expect(Real.cos(-angle)).toBe(Real.cos(angle));
    expect(Real.sin(-angle)).toBe(-1);
  });

  test('angles on the axes are those of the engine', () => {
    for (const y of [0, -0, 1, -1, Infinity, NaN])
      for (const x of [0, -0, 2, -2, -Infinity, NaN])
        expect(apart(Real.atan2(y, x), Math.atan2(y, x))).toBeLessThanOrEqual(1);
  });
});

/**
 * In whole numbers of 2^-1400: the rest of an angle of at least 2^20 by right angles, whose digits come from
 * Euler's arctangents.
 */
function reducedExactly(angle: number): { readonly turns: number; readonly rest: number } {
  const unit = 1n << 1400n;
  const arctangent = (inverse: bigint): bigint => {
    let sum = 0n;
    for (let k = 0n, term = unit / inverse; term !== 0n; k++, term /= -inverse * inverse)
      sum += term / (2n * k + 1n);
    return sum;
  };
  const right = 2n * (arctangent(2n) + arctangent(3n));
  const value = BigInt(Math.trunc(angle)) * unit + (BigInt((angle % 1) * 2 ** 40) * unit) / (1n << 40n);
  const floor = (a: bigint, b: bigint): bigint => a / b - (a % b < 0n ? 1n : 0n);
  const turns = floor(2n * value + right, 2n * right);
  return {
    turns: Number(((turns % 4n) + 4n) % 4n),
    rest: Number((value - turns * right) >> 1000n) / 2 ** 400,
  };
}
