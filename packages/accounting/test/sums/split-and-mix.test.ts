/** Shuffled shares, with everything listed: all inputs, all shares, all permutations. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import {
  discreteLaplaceDivergence,
  leastShares,
  polyaDifferenceNoise,
  shareDistance,
  sharedSumDelta,
  sharedSumEpsilon,
  shiftedCountDivergence,
  splitAndMixShares,
} from '@shuffle-dp/accounting';

describe('the distance of shuffled shares', () => {
  test.each([
    [2, 2, 3],
    [3, 2, 3],
    [4, 2, 3],
    [6, 2, 3],
    [5, 2, 3],
    [3, 3, 3],
    [4, 2, 4],
  ])(
    'q = %d, %d users, %d shares: no data set exceeds it, equal inputs have its chi-square',
    (q, users, shares) => {
      const bound = shareDistance(users, shares, q);
      const { distance, chiSquare } = worstOfAllInputs(q, users, shares);
      expect(bound).toBeGreaterThanOrEqual(distance);
      if (bound < 1) expect(2 * bound).toBeCloseTo(Math.sqrt(chiSquare), 7);
      expect(bound).toBeLessThan(2.5 * distance);
    },
  );

  test.each([
    // Against the recursion followed to the end, in exact integers elsewhere: 2^-36.5, 2^-43.9, 2^-58.5.
    [10_000, 2 ** 32, 9, -36.5],
    [10_000, 2 ** 32, 10, -43.9],
    [10_000, 2 ** 32, 12, -58.5],
    [2000, 2 ** 30, 8, -23.3],
  ])('%d users, modulus %d, %d shares', (users, modulus, shares, log2) => {
    expect(Math.log2(shareDistance(users, shares, modulus))).toBeCloseTo(log2, 0);
  });

  test.each([
    [300, 2 ** 20, 6],
    [200, 2 ** 32, 9],
    [130, 131, 4],
  ])('is bounded beyond the first users as if the recursion went on: %d users', (users, modulus, shares) => {
    const followed = recursion(users, shares, modulus);
    const bound = shareDistance(users, shares, modulus);
    expect(bound).toBeGreaterThanOrEqual(followed);
    expect(bound / followed).toBeLessThan(1 + 4 / users);
  });

  it('the authors ask for 12 shares for 2^-40, where 10 are enough, and their numbers hold where the bound tells', () => {
    expect(splitAndMixShares(10_000, 2 ** 32, 40)).toBe(12);
    expect(leastShares(10_000, 2 ** 32, 2 ** -40)).toBe(10);
    for (const users of [19, 50, 300, 10_000, 1e6, 1e9])
      for (const bits of [31, 32, 40, 52])
        for (const sigma of [10, 20, 40, 80]) {
          const shares = splitAndMixShares(users, 2 ** bits, sigma);
          const distance = shareDistance(users, shares, 2 ** bits);
          // Many users with few shares each: the bound tells nothing, and says so by 1.
          if (users >= 10_000 && sigma <= 40 && distance === 1) continue;
          expect(distance).toBeLessThanOrEqual(2 ** -sigma);
        }
    expect(() => splitAndMixShares(18, 2 ** 32, 40)).toThrow('needs n >= 19');
  });
});

describe('the noise of a sum', () => {
  test.each([
    [1, 1],
    [1, 10],
    [0.5, 7],
    [3, 4],
  ])('design %d, %d steps: closed form against the sum over all values', (design, steps) => {
    const law = polyaDifferenceNoise(1, Math.exp(-design / steps));
    for (const share of [0, 0.3, 0.77, 0.999, 1]) {
      const closed = discreteLaplaceDivergence(design, steps, share * design);
      const { lower, upper } = shiftedCountDivergence(law, steps, share * design);
      expect(closed).toBeGreaterThanOrEqual(lower * (1 - 1e-12));
      expect(closed).toBeLessThanOrEqual(upper * (1 + 1e-12));
      expect(upper - lower).toBeLessThan(1e-9);
    }
  });

  test('discrete Laplace noise is the sum of shares, and what users take away with them is lost', () => {
    const law = polyaDifferenceNoise(1, Math.exp(-1));
    const half = polyaDifferenceNoise(0.5, Math.exp(-1)).logMass.map(Math.exp);
    const middle = (half.length - 1) / 2;
    for (const v of [0, 1, 5]) {
      let sum = 0;
      half.forEach((mass, i) => (sum += mass * (half[2 * middle + v - i] ?? 0)));
      expect(Math.log(sum)).toBeCloseTo(law.logMass[v - law.first]!, 10);
    }
    // 95 %, 90 % and half of the users: more than the design, whatever small delta.
    for (const [share, epsilon] of [
      [0.95, 1.081],
      [0.9, 1.171],
      [0.5, 2.343],
    ] as const) {
      const left = polyaDifferenceNoise(share, Math.exp(-0.1));
      expect(shiftedCountDivergence(left, 10, epsilon + 0.001).upper).toBeLessThan(1e-6);
      expect(shiftedCountDivergence(left, 10, epsilon - 0.001).lower).toBeGreaterThan(1e-6);
      const told = sharedSumEpsilon({ design: 1, steps: 10, share, distance: 0, wrapped: 0 }, 1e-6);
      expect(Math.abs(told.upper - epsilon)).toBeLessThan(0.001);
      expect(told.upper - told.lower).toBeLessThan(1e-6);
      // Users who move the sum by less are protected as well.
      const moved = (steps: number): number => shiftedCountDivergence(left, steps, epsilon / 2).upper;
      for (let steps = 1; steps < 10; steps++) expect(moved(steps)).toBeLessThanOrEqual(moved(steps + 1));
    }
    // What shares tell is added, and what wraps taken away.
    const sum = { design: 1, steps: 10, share: 0.9 };
    const { lower, upper } = sharedSumEpsilon({ ...sum, distance: 1e-7, wrapped: 1e-7 }, 1e-6);
    const bare = sharedSumEpsilon({ ...sum, distance: 0, wrapped: 0 }, 1e-6);
    expect(lower).toBeLessThan(bare.lower);
    expect(upper).toBeGreaterThan(bare.upper);
    expect(sharedSumEpsilon({ ...sum, distance: 4e-7, wrapped: 0 }, 1e-6).upper).toBe(Infinity);
  });

  test('the whole protocol of two users, everything listed, stays below', () => {
    // q = 5, 3 shares, one step, noise wrapped modulo q: V(x, y) against V(x', y) at two epsilons.
    const [q, shares, design] = [5, 3, 1];
    const distance = shareDistance(2, shares, q);
    const noise = polyaDifferenceNoise(0.5, Math.exp(-design)).logMass.map(Math.exp);
    const middle = (noise.length - 1) / 2;
    const wrapped = new Float64Array(q);
    noise.forEach((mass, i) => (wrapped[(((i - middle) % q) + q) % q]! += mass));
    const view = (inputs: readonly number[]): Map<string, number> => {
      const law = new Map<string, number>();
      for (let a = 0; a < q; a++)
        for (let b = 0; b < q; b++)
          for (const [seen, mass] of sharesLaw([(inputs[0]! + a) % q, (inputs[1]! + b) % q], q, shares))
            law.set(seen, (law.get(seen) ?? 0) + mass * wrapped[a]! * wrapped[b]!);
      return law;
    };
    const laws = [view([0, 0]), view([1, 0]), view([0, 1]), view([1, 1])];
    for (const epsilon of [0.5, 1]) {
      const { upper } = sharedSumDelta({ design, steps: 1, distance, wrapped: 0 }, epsilon);
      for (const [p, r] of [
        [0, 1],
        [1, 0],
        [2, 3],
        [3, 2],
      ] as const) {
        let delta = 0;
        for (const [seen, mass] of laws[p]!)
          delta += Math.max(0, mass - Math.exp(epsilon) * laws[r]!.get(seen)!);
        expect(delta).toBeLessThanOrEqual(upper);
      }
    }
  });

  test('epsilon at a delta', () => {
    const sum = { design: 1, steps: 10, distance: 1e-9, wrapped: 0 };
    const { lower, upper } = sharedSumEpsilon(sum, 1e-6);
    expect(upper).toBeLessThanOrEqual(1);
    expect(sharedSumDelta(sum, upper).upper).toBeLessThanOrEqual(1e-6);
    expect(sharedSumDelta(sum, lower * (1 - 1e-9)).lower).toBeGreaterThan(1e-6);
    expect(sharedSumEpsilon({ ...sum, distance: 1e-5 }, 1e-6).upper).toBe(Infinity);
  });
});

/** The law of the sorted shares of these inputs. */
function sharesLaw(inputs: readonly number[], q: number, shares: number): Map<string, number> {
  let law = new Map<string, number>([['', 1]]);
  for (const input of inputs) {
    const cuts: number[][] = [];
    for (let code = 0; code < q ** (shares - 1); code++) {
      const cut = Array.from({ length: shares - 1 }, (_, j) => Math.floor(code / q ** j) % q);
      cuts.push([...cut, (((input - cut.reduce((a, b) => a + b, 0)) % q) + q) % q]);
    }
    const next = new Map<string, number>();
    for (const [seen, mass] of law)
      for (const cut of cuts) {
        const key = [...seen.split(''), ...cut.map(String)].toSorted().join('');
        next.set(key, (next.get(key) ?? 0) + mass / cuts.length);
      }
    law = next;
  }
  return law;
}

/** Largest distance from uniform shares of the same sum over all inputs, and the largest chi-square. */
function worstOfAllInputs(q: number, users: number, shares: number): { distance: number; chiSquare: number } {
  const ideals = Array.from({ length: q }, (_, sum) => sharesLaw([sum], q, users * shares));
  let [distance, chiSquare] = [0, 0];
  for (let code = 0; code < q ** users; code++) {
    const inputs = Array.from({ length: users }, (_, i) => Math.floor(code / q ** i) % q);
    if (inputs.some((x, i) => i > 0 && x < inputs[i - 1]!)) continue;
    const seen = sharesLaw(inputs, q, shares);
    let [away, square] = [0, 0];
    for (const [key, mass] of ideals[inputs.reduce((a, b) => a + b, 0) % q]!) {
      const difference = (seen.get(key) ?? 0) - mass;
      away += Math.abs(difference) / 2;
      square += difference ** 2 / mass;
    }
    distance = Math.max(distance, away);
    chiSquare = Math.max(chiSquare, square);
  }
  return { distance, chiSquare };
}

/** u_n by its recursion to the end, in doubles; the distance. */
function recursion(users: number, shares: number, q: number): number {
  const logFactorials = [0];
  for (let k = 1; k <= users * shares; k++) logFactorials.push(logFactorials[k - 1]! + Math.log(k));
  const logH = (j: number): number => logFactorials[j * shares]! - 2 * logFactorials[j]!;
  const u = [NaN, 0];
  for (let k = 2; k <= users; k++) {
    let sum = 0;
    for (let j = 1; j < k; j++)
      sum += ((q * (k - j) - j) / k) * Math.exp(logH(j) + logH(k - j) - logH(k)) * (1 + u[j]!);
    u.push(sum);
  }
  return 0.5 * Math.sqrt(u[users]!);
}

test('docs/split-and-mix.md rounds distances up, as upper bounds are', () => {
  const page = readFileSync(new URL('../../../../docs/split-and-mix.md', import.meta.url), 'utf8');
  const printed = /gives 2\^−([\d.]+) for (\d+) shares and 2\^−([\d.]+) for (\d+)/u.exec(page)!.slice(1);
  const [few, fewShares, more, moreShares] = printed.map(Number) as [number, number, number, number];
  for (const [exponent, shares] of [
    [few, fewShares],
    [more, moreShares],
  ] as const) {
    const exact = -Math.log2(shareDistance(10_000, shares, 2 ** 32));
    expect(exponent).toBe(Math.floor(10 * exact) / 10);
  }
});
