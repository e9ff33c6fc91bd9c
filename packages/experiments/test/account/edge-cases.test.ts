import { describe, expect, it } from 'vitest';
import type { Target } from '@shuffle-dp/core';
import { accountMechanism, type Account } from '../../src/account/account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';

/** What every account must obey, wherever its parameters lie. */
function expectCoherent({ bracket, bounds }: Account): void {
  expect(bracket.lower).toBeGreaterThanOrEqual(0);
  expect(bracket.lower).toBeLessThanOrEqual(bracket.upper);
  for (const { name, direction, value, sound } of bounds) {
    if (value === null) continue;
    expect({ name, isNumber: value >= 0 }).toEqual({ name, isNumber: true });
    if (sound !== true) continue;
    const coherent =
      direction === 'upper'
        ? value >= bracket.lower * (1 - 1e-9) && value >= bracket.upper * (1 - 1e-12)
        : value <= bracket.upper * (1 + 1e-9);
    expect({ name, value, coherent }).toEqual({ name, value, coherent: true });
  }
}

function account(name: string, given: Record<string, number>, users: number, target: Target): Account {
  const result = accountMechanism(name, given, users, target);
  expectCoherent(result);
  return result;
}

const LOCAL = MECHANISMS.filter(({ parameters }) => parameters[0]!.name === 'epsilon0');
/** The lower ends of random functions are coarse, and padding keeps sampled RAPPOR below its budget. */
const COARSE = new Set(['wheel', 'collision', 'sampled-rappor']);
const SHARP = LOCAL.filter(({ name }) => !COARSE.has(name));

describe('one user, who has no company', () => {
  it.each(SHARP)('$name keeps all of the local budget', ({ name, example }) => {
    const given = { ...example, epsilon0: 1 };
    const { bracket } = account(name, given, 1, { delta: 1e-9 });
    // Less than the budget only by what delta forgives.
    expect(bracket.upper).toBeLessThanOrEqual(1);
    expect(bracket.lower).toBeGreaterThan(0.99);
  });

  it('randomized response has its own divergence', () => {
    const p = Math.E;
    const exact = (p - Math.exp(0.5)) / (p + 2);
    const { bracket } = account('grr', { epsilon0: 1, domain: 3 }, 1, { epsilon: 0.5 });
    expect(Math.abs(bracket.lower / exact - 1)).toBeLessThan(1e-12);
    expect(Math.abs(bracket.upper / exact - 1)).toBeLessThan(1e-12);
  });
});

describe('two users', () => {
  it('randomized response over three values has the divergence of the worst data set', () => {
    // The other user holds the victim's first value; outputs that show it and the first value.
    const p = Math.exp(2);
    const growth = Math.exp(1.9);
    expect(growth).toBeGreaterThan((p * p + 1) / (p + 1));
    const { bracket } = account('grr', { epsilon0: 2, domain: 3 }, 2, { epsilon: 1.9 });
    const truth = (p * (p - growth)) / (p + 2) ** 2;
    expect(bracket.lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
    expect(bracket.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
    expect(bracket.lower / truth).toBeGreaterThan(0.99);
  });
});

describe('a delta or an epsilon at the end of its range', () => {
  it.each(LOCAL)('$name at delta 0 and 1, at epsilon 0 and above the budget', ({ name, example }) => {
    const given = { ...example, epsilon0: 1 };
    expect(account(name, given, 100, { delta: 1 }).bracket).toEqual({ lower: 0, upper: 0 });
    expect(account(name, given, 100, { epsilon: 1.001 }).bracket).toEqual({ lower: 0, upper: 0 });
    const none = account(name, given, 100, { delta: 0 }).bracket;
    expect(none.upper).toBeLessThanOrEqual(1);
    expect(none.lower).toBeGreaterThan(0.1);
    const variation = account(name, given, 100, { epsilon: 0 }).bracket;
    expect(variation.lower).toBeGreaterThan(0);
    expect(variation.upper).toBeLessThan(Math.tanh(0.5));
  });

  it('noise without bounds hides nothing at delta 0', () => {
    expect(account('gaussian', { sigma: 2 }, 100, { delta: 0 }).bracket.upper).toBe(Infinity);
    const poisson = { rate: 0.5, domain: 16, blankets: 1 };
    expect(account('poisson-blanket', poisson, 100, { delta: 0 }).bracket.upper).toBe(Infinity);
  });
});

describe('budgets at the ends of the range', () => {
  it.each(SHARP)('$name with hardly any budget', ({ name, example }) => {
    const { bracket } = account(name, { ...example, epsilon0: 1e-6 }, 1000, { delta: 1e-9 });
    expect(bracket.upper).toBeGreaterThan(1e-9);
    expect(bracket.upper).toBeLessThan(1e-7);
    expect(bracket.lower / bracket.upper).toBeGreaterThan(0.99);
  });

  it.each([
    ['grr', { domain: 16 }],
    ['clip-laplace', {}],
  ])('%s with a budget of 50, which a thousand users hardly lower', (name, given) => {
    const { bracket } = account(name, { ...given, epsilon0: 50 }, 1000, { delta: 1e-9 });
    expect(bracket.lower).toBeGreaterThan(43);
    expect(bracket.upper).toBeLessThanOrEqual(50);
  });
});

describe('a pair at the ends of its range', () => {
  const delta = 1e-9;

  it('has no divergence where beta is 0 or too small to matter', () => {
    for (const pair of [
      { p: 3, beta: 0, q: 3 },
      { p: 1.0000001, beta: 1e-8, q: 2 },
      { p: 1 + 1e-12, beta: 1e-13, q: 2 },
    ]) {
      const { upper } = account('variation-ratio', pair, 1000, { delta }).bracket;
      expect(upper).toBeLessThanOrEqual(Math.log(pair.p));
    }
    expect(account('variation-ratio', { p: 3, beta: 0, q: 3 }, 9, { epsilon: 0 }).bracket.upper).toBe(0);
  });

  it('is the stronger clone at the largest beta', () => {
    const p = Math.exp(1);
    const pair = { p, beta: (p - 1) / (p + 1), q: p };
    const general = account('general', { epsilon0: 1 }, 10_000, { delta: 1e-6 }).bracket;
    const { bracket, sound } = account('variation-ratio', pair, 10_000, { delta: 1e-6 });
    expect(sound).toBe(true);
    expect(bracket.upper).toBeCloseTo(general.upper, 12);
  });

  it('with an infinite p keeps a floor at every epsilon', () => {
    const pair = { p: Infinity, beta: 1, q: 16 };
    // Nobody else in the bin of the other input: then the outcome is impossible under it, whatever epsilon.
    const floor = (1 - 1 / 16) ** 99;
    const { lower, upper } = account('variation-ratio', pair, 100, { epsilon: 200 }).bracket;
    expect(lower / floor).toBeGreaterThan(1 - 1e-9);
    expect(upper / floor).toBeLessThan(1.2);
    expect(account('variation-ratio', pair, 100, { delta: floor / 2 }).bracket.upper).toBe(Infinity);
    account('variation-ratio', { ...pair, beta: 0.5 }, 10_000, { epsilon: 1000 });
  });
});

describe('masses far below the rounding of others', () => {
  // Values of sixty digits and more, from the definitions.
  it('of the wheel at arcs of a millionth are no differences', { tags: 'long' }, () => {
    const parameters = { epsilon0: 30, items: 10, length: 2 ** -20 };
    const { lower } = account('wheel', parameters, 1e12, { epsilon: 13.307306 }).bracket;
    expect(lower).toBeGreaterThan(1.05545e-6);
    // By differences it was 1.07813e-6.
    expect(lower).toBeLessThan(1.055464e-6);
  });

  it('of subsets that nearly all meet a set are no differences', () => {
    const parameters = { epsilon0: 8, domain: 950, items: 6, subsetSize: 944 };
    const { lower, upper } = account('subset-exponential', parameters, 1e6, { epsilon: 0 }).bracket;
    // The sharp bound was 8.88e-16, below the lower end.
    expect(lower).toBeGreaterThan(9.9e-16);
    expect(upper).toBeGreaterThanOrEqual(lower);
  });

  it.each([
    [5, 299.134],
    [70, 296.665],
    [1e12, 273.403],
  ])('of flips of 7e-66 among %d users are added, not taken from 1', (users, most) => {
    const { lower, upper } = account('cheu-zhilyaev', { flip: 7e-66 }, users, { delta: 1e-100 }).bracket;
    expect(upper).toBeLessThan(most);
    expect(lower).toBeGreaterThan(0.99 * upper);
  });
});

// s log(r / (1 - r)) in fifty digits, of the doubles that r are: two users hold one word, and it is attained.
it.each([
  [5, 0.99, 22.975599250672947],
  [2, 0.7, 1.694595720774407],
  [31, 0.99999, 356.90037941266817],
])('%i bits kept with probability %d: at delta 0 no loss lies above the upper end', (bits, keep, least) => {
  const { upper } = accountMechanism('vector-rr', { bits, keepProbability: keep }, 2, { delta: 0 }).bracket;
  expect(upper).toBeGreaterThanOrEqual(least);
  expect(upper).toBeLessThan(least * (1 + 1e-14));
});
