import { describe, expect, it } from 'vitest';
import { accountMechanism, boundValue } from '../../../src/account/account.ts';

const known = new Map<string, number>();

/** Each is computed once. */
function upper(name: string, parameters: Record<string, number>, users = 10_000): number {
  const key = JSON.stringify([name, parameters, users]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const { lower, upper: end } = accountMechanism(name, parameters, users, { delta: 1e-6 }).bracket;
  expect(lower).toBeLessThanOrEqual(end);
  known.set(key, end);
  return end;
}

describe.each(['metric-general', 'metric-laplace', 'planar-laplace'])('%s', (name) => {
  it('gives more away over larger distances, and less among more users', () => {
    const near = upper(name, { separation: 0.5 });
    expect(near).toBeLessThan(upper(name, { separation: 1 }));
    expect(upper(name, { separation: 0.5, reach: 0.5 })).toBe(near);
    expect(near).toBeLessThan(upper(name, { separation: 0.5, reach: 1 }));
    expect(upper(name, { separation: 0.5 }, 100_000)).toBeLessThan(near);
  });

  it('refuses a reach below the separation', () => {
    expect(() => upper(name, { separation: 2, reach: 1 })).toThrow(
      'reach = 1: must be in [separation = 2, 700]',
    );
  });
});

it('Laplace noise on the line covers the bounded Laplace mechanism, whose others are known better', () => {
  const blanket = (mechanism: string, given: Record<string, number>): number =>
    boundValue(accountMechanism(mechanism, given, 10_000, { delta: 1e-6 }), 'blanket')!;
  const bounded = blanket('laplace', { epsilon0: 1 });
  expect(blanket('metric-laplace', { separation: 1 })).toBeGreaterThan(bounded);
  expect(blanket('metric-laplace', { separation: 1 })).toBeLessThan(1.05 * bounded);
});

it('one pair on the line is the worst pair of the bounded mechanism: both have one lower end, and nearly one upper end', () => {
  const [line, bounded] = [upper('metric-laplace', { separation: 1 }), upper('laplace', { epsilon0: 1 })];
  expect(bounded / line).toBeGreaterThan(1);
  expect(bounded / line).toBeLessThan(1.005);
});

describe('Hadamard response', () => {
  it('with several blocks has its own bracket', () => {
    const four = accountMechanism('hadamard', { epsilon0: 2, order: 16, blocks: 4 }, 10_000, { delta: 1e-6 });
    expect(four.parameters).toEqual({ epsilon0: 2, order: 16, blocks: 4, support: 2 });
    // s (p - 1) / (s p + K - s) with s = 2, K = 16.
    const p = Math.exp(2);
    expect(four.variationRatio!.beta).toBeCloseTo((2 * (p - 1)) / (2 * p + 14), 12);
    expect(four.bracket.upper / four.bracket.lower).toBeLessThan(1.001);
  });

  it.each([
    [{ blocks: 3 }, 'blocks = 3: must be a power of two from 1 to order / 2 = 8'],
    [{ blocks: 16 }, 'blocks = 16: must be a power of two from 1 to order / 2 = 8'],
    [{ blocks: 4, support: 8 }, 'support = 8: must be order / (2 blocks) = 2'],
  ])('with %j is refused', (given, reason) => {
    expect(() => upper('hadamard', { epsilon0: 2, order: 16, ...given })).toThrow(reason);
  });
});
