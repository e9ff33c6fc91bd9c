import { describe, expect, it } from 'vitest';
import { accountMechanism, accountStages, type Account } from '../../../src/account/account.ts';
import { accountJson } from '../../../../cli/src/output/account-json.ts';

const USERS = 10_000;
const DELTA = 1e-6;

function lowerEndOf(account: Account) {
  const bound = account.bounds.find(({ name }) => name === 'homogeneous-data')!;
  expect(bound.value).toBeLessThanOrEqual(account.bracket.upper);
  return { ...account.bracket, worst: bound.worst, account };
}

/** From the first stage, which has the data sets of equal users; the upper end is not yet the sharpest. */
function lowerEnd(mechanism: string, given: Record<string, number>) {
  const [first] = accountStages(mechanism, given, USERS, { delta: DELTA });
  return lowerEndOf(first!);
}

function bothEnds(mechanism: string, given: Record<string, number>) {
  return lowerEndOf(accountMechanism(mechanism, given, USERS, { delta: DELTA }));
}

describe('the data set behind a lower end', () => {
  it.each([0.5, 1, 2, 4])('three caps apart attain the blanket of PrivUnit at budget %d', (epsilon0) => {
    const { lower, upper, worst } = bothEnds('priv-unit', { epsilon0, cap: 0.25 });
    expect(upper / lower - 1).toBeLessThan(1e-3);
    expect(worst).toContain('third vector');
  });

  it('caps of more than a third of the circle always meet: the third one is opposite to both', () => {
    expect(lowerEnd('priv-unit', { epsilon0: 1, cap: 0.4 }).worst).toContain('opposite to the middle');
    // In many dimensions a quarter of the sphere has a half-angle above 60 degrees. Opposite vectors, with
    // the others about orthogonal to both, are not the worst: an independent program has 0.03123 for these.
    const many = lowerEnd('priv-unit', { epsilon0: 1, cap: 0.25, dimensions: 1000 });
    expect(many.worst).toContain('opposite to the middle');
    expect(many.lower).toBeGreaterThan(1.03 * 0.03123);
  });

  it('others at the far end of the line are worse than with the victim', () => {
    // An independent program: 0.04995 at separation 1, reach 2.
    const { lower, worst } = lowerEnd('metric-laplace', { separation: 1, reach: 2 });
    expect(Math.abs(lower / 0.04995 - 1)).toBeLessThan(1e-3);
    expect(worst).toContain('furthest');
    expect(lowerEnd('metric-laplace', { separation: 1, reach: 3 }).lower).toBeGreaterThan(0.07);
  });

  it.each([
    // An independent program, whose grid in the plane was coarser: at least 0.0377; a bound for every data
    // set is 0.0390.
    [1, 2, 0.0377, 0.039],
    // The far end of the line, and the upper end of today.
    [1, 1, 0.0236, 0.0308],
  ])(
    'planar noise, separation %d, reach %d: others at the apex of the lens',
    (separation, reach, least, most) => {
      const { lower, worst } = lowerEnd('planar-laplace', { separation, reach });
      expect(lower).toBeGreaterThan(least);
      expect(lower).toBeLessThan(most);
      expect(worst).toContain('furthest from both');
    },
  );

  it.each([
    // An independent program.
    [0.5, 0.00967],
    [1, 0.02447],
    [2, 0.07155],
    [4, 0.2628],
  ])('what a function makes of disjoint sets is seen, at budget %d', (epsilon0, buckets20) => {
    const collision = lowerEnd('collision', { epsilon0, items: 4, buckets: 20 });
    expect(Math.abs(collision.lower / buckets20 - 1)).toBeLessThan(6e-4);
    expect(collision.worst).toContain('disjoint');
  });

  it.each([
    // The same program, with a sampled law of the covered share.
    [0.5, 0.01009],
    [1, 0.0247],
    [2, 0.06802],
    [4, 0.2159],
  ])('of the wheel nearly all of it, at budget %d', (epsilon0, sampled) => {
    const { lower } = lowerEnd('wheel', { epsilon0, items: 4, length: 1 / 16 });
    expect(lower / sampled).toBeGreaterThan(0.985);
    expect(lower / sampled).toBeLessThan(1.002);
  });

  it.each([
    [1, 1, 1.14],
    [1, 2, 1.07],
    [2, 4, 1.011],
    [0.1, 0.1, 1.03],
  ])(
    'any metric-private randomizer, separation %d, reach %d: upper over lower below %d',
    (separation, reach, most) => {
      const { lower, upper } = bothEnds('metric-general', { separation, reach });
      expect(upper / lower).toBeLessThan(most);
    },
  );

  it.each([
    // The same program: others halfway to an end, and in the middle.
    [0.5, 0.01584, 'halfway'],
    [1, 0.03719, 'the middle'],
  ])('piecewise, budget %d', (epsilon0, independent, value) => {
    const { lower, worst } = lowerEnd('piecewise', { epsilon0 });
    expect(Math.abs(lower / independent - 1)).toBeLessThan(1e-3);
    expect(worst).toContain(value);
  });

  it('narrow Gaussian noise: the better of two gaps', () => {
    // A fine grid in an independent program: about 1.91 to 2.0. A narrower gap of the blanket's ends at
    // 1.9512, and takes twice as long.
    const { lower, upper } = bothEnds('gaussian', { sigma: 0.5 });
    expect(lower).toBeGreaterThan(1.935);
    expect(upper).toBeLessThan(1.9515);
  });

  it('is named in JSON', () => {
    const { account } = bothEnds('grr', { epsilon0: 1, domain: 16 });
    const { bounds } = accountJson(account, { explain: false, cite: false }) as {
      bounds: { name: string; worst?: string }[];
    };
    expect(bounds.filter(({ worst }) => worst !== undefined)).toMatchObject([
      { name: 'homogeneous-data', worst: 'all others hold a third value' },
    ]);
  });
});
