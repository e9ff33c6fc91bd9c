/**
 * Users who collude or stay away, with everything listed: all data sets of the others, all multisets, all
 * absences.
 */
import { describe, expect, it, test } from 'vitest';
import {
  certifiedDelta,
  certifiedEpsilon,
  honestUsers,
  leastParticipants,
  threatenedPersonalizedPrivacy,
  personalizedPrivacy,
  underThreats,
  type BudgetGroup,
} from '@shuffle-dp/accounting';
import { logBinomialLowerTail, type AmplificationProfile } from '@shuffle-dp/core';
import {
  blanketAtomsOf,
  homogeneousAtomsOf,
  type RandomizerMatrix,
} from '../oracle/exhaustive-divergence.ts';
import {
  hadamardResponseMatrix,
  randomizedResponseMatrix,
  subsetSelectionMatrix,
} from '../oracle/randomizer-matrices.ts';
import { grrProfile, joint, worst } from './threat-oracle.ts';

const MECHANISMS: Readonly<Record<string, RandomizerMatrix>> = {
  'grr 2': randomizedResponseMatrix(2, 1),
  'grr 3': randomizedResponseMatrix(3, 1.5),
  'subset 4, 2': subsetSelectionMatrix(4, 2, 2),
  hadamard: hadamardResponseMatrix(1),
};

const profileOf = (matrix: RandomizerMatrix): AmplificationProfile => ({
  variationRatio: null,
  blanket: blanketAtomsOf(matrix),
  homogeneous: homogeneousAtomsOf(matrix),
});

/** Rounding of the enumeration, and what accountants leave open relative to delta. */
const SLACK = 1e-9;
const GAP = 1e-4;

const COLLUDING = [
  ['grr 2', 4, 1, 0.3],
  ['grr 2', 5, 3, 0.5],
  ['grr 3', 3, 1, 0.4],
  ['grr 3', 4, 1, 1],
  ['grr 3', 4, 2, 0.2],
  ['subset 4, 2', 3, 1, 0.5],
  ['subset 4, 2', 3, 2, 1],
  ['hadamard', 4, 1, 0.3],
  ['hadamard', 3, 1, 0.7],
  ['hadamard', 4, 2, 0.1],
] as const;

test.each(COLLUDING)(
  '%s, %d users, %d of whom collude, epsilon %d: what they see is what fewer users show',
  (name, users, colluders, epsilon) => {
    const matrix = MECHANISMS[name]!;
    const listed = worst(matrix, users - 1, epsilon, (others, victim) =>
      // What colluders send is seen beside the multiset of all messages.
      joint(
        matrix,
        victim,
        others.slice(colluders).map((x) => matrix[x]!),
        others.slice(0, colluders),
      ),
    );
    const fewer = worst(matrix, users - colluders - 1, epsilon, (others, victim) =>
      joint(
        matrix,
        victim,
        others.map((x) => matrix[x]!),
        [],
      ),
    );
    expect(Math.abs(listed.any - fewer.any)).toBeLessThan(SLACK);
    const { profile, users: honest } = underThreats(profileOf(matrix), users, {
      colluding: colluders / users,
    });
    expect(honest).toBe(users - colluders);
    const { lower, upper } = certifiedDelta(profile, honest, epsilon);
    expect(upper).toBeGreaterThanOrEqual(listed.any - SLACK);
    expect(Math.abs(lower - listed.equal)).toBeLessThan(SLACK + GAP * listed.equal);
    expect(lower).toBeLessThanOrEqual(listed.equal + SLACK);
  },
);

const ABSENT = [
  ['grr 2', 4, 0.3, 0.3, 'present'],
  ['grr 2', 5, 0.5, 0.2, 'present'],
  ['grr 3', 3, 0.5, 0.4, 'present'],
  ['grr 3', 4, 0.2, 0.6, 'present'],
  ['subset 4, 2', 3, 0.3, 0.5, 'present'],
  ['hadamard', 4, 0.4, 0.3, 'present'],
  ['grr 2', 4, 0.3, 0.3, 'may be absent'],
  ['grr 3', 3, 0.5, 0.4, 'may be absent'],
  ['subset 4, 2', 3, 0.3, 0.5, 'may be absent'],
  ['hadamard', 4, 0.4, 0.3, 'may be absent'],
] as const;

test.each(ABSENT)(
  '%s, %d users, absent with %d, epsilon %d, victim %s',
  (name, users, dropout, epsilon, victim) => {
    const matrix = MECHANISMS[name]!;
    /** With one output more: nothing. */
    const absent = (row: readonly number[]): number[] => [
      ...row.map((mass) => mass * (1 - dropout)),
      dropout,
    ];
    const own = matrix.map((row) => (victim === 'present' ? [...row, 0] : absent(row)));
    const listed = worst(matrix, users - 1, epsilon, (others, x) =>
      joint(
        own,
        x,
        others.map((held) => absent(matrix[held]!)),
        [],
      ),
    );
    const { profile, users: honest } = underThreats(profileOf(matrix), users, { dropout, victim });
    expect(honest).toBe(users);
    const { lower, upper } = certifiedDelta(profile, honest, epsilon);
    expect(upper).toBeGreaterThanOrEqual(listed.any - SLACK);
    expect(Math.abs(lower - listed.equal)).toBeLessThan(SLACK + GAP * listed.equal);
    expect(lower).toBeLessThanOrEqual(listed.equal + SLACK);
    // Without threats less is certified.
    expect(upper).toBeGreaterThan(
      certifiedDelta(profileOf(matrix), users, epsilon).upper * (victim === 'present' ? 1 : 0),
    );
  },
);

describe('threats', () => {
  it('colluders are rounded up, and the victim is honest', () => {
    expect(honestUsers(100, 0.07)).toBe(93);
    expect(honestUsers(100, 0.071)).toBe(92);
    expect(honestUsers(3, 0.99)).toBe(1);
    expect(honestUsers(10_000, 0)).toBe(10_000);
  });

  it('cost what is known of randomized response', () => {
    // d = 16, budget 3, n = 10,000, delta 1e-6: 0.1715 becomes 0.1814 at 10 % and 0.590 at 90 %.
    const profile = grrProfile(16, 3);
    const epsilon = (colluding: number, dropout = 0): number => {
      const { profile: left, users } = underThreats(profile, 10_000, { colluding, dropout });
      return certifiedEpsilon(left, users, 1e-6, { epsilon0: 3 }).lower;
    };
    expect(epsilon(0)).toBeCloseTo(0.1715, 4);
    expect(epsilon(0.1)).toBeCloseTo(0.1814, 4);
    expect(epsilon(0.9)).toBeCloseTo(0.59, 3);
    // Who stays away takes the message along, as who colludes does.
    expect(epsilon(0, 0.1) / epsilon(0.1)).toBeGreaterThan(0.99);
    expect(epsilon(0, 0.1) / epsilon(0.1)).toBeLessThan(1.01);
    expect(epsilon(0.1, 0.1)).toBeGreaterThan(epsilon(0.1));
  });

  it('plans for participants who are missed rarely', () => {
    const { users, missed } = leastParticipants(1000, 0.3, 1e-9);
    // 700 of 999 stay on average, with a deviation of 14.5.
    expect(users).toBeGreaterThan(590);
    expect(users).toBeLessThan(620);
    expect(missed).toBeLessThanOrEqual(1e-9);
    expect(leastParticipants(1000, 0, 1e-9)).toEqual({ users: 1000, missed: 0 });
    expect(leastParticipants(3, 0.5, 1e-9)).toEqual({ users: 1, missed: 0 });
    // Two others: fewer than one stays with probability 1/4.
    expect(leastParticipants(3, 0.5, 0.26).users).toBe(2);
    expect(leastParticipants(3, 0.5, 0.26).missed).toBeCloseTo(0.25, 8);
    expect(leastParticipants(3, 0.5, 0.24).users).toBe(1);
  });

  it('refuse shares that are none', () => {
    const profile = profileOf(MECHANISMS['grr 2']!);
    expect(() => underThreats(profile, 10, { colluding: 1 })).toThrow('colluding = 1: must be in [0, 1)');
    expect(() => underThreats(profile, 10, { dropout: -0.1 })).toThrow('dropout = -0.1: must be in [0, 1)');
  });
});

describe('users with budgets of their own', () => {
  const group = (budget: number, users: number): BudgetGroup => {
    const matrix = randomizedResponseMatrix(3, budget);
    const law = (row: readonly number[]) => ({ masses: Float64Array.from(row) });
    return {
      budget,
      users,
      blanket: law(matrix[0]!.map((_, y) => Math.min(...matrix.map((row) => row[y]!)))),
      pairs: [{ first: law(matrix[0]!), second: law(matrix[1]!), symmetric: true }],
      held: [Float64Array.from(matrix[2]!)],
    };
  };
  const groups = [group(0.5, 400), group(2, 600)];

  it('are hidden by those who are left', () => {
    const left = personalizedPrivacy([group(0.5, 360), group(2, 540)], 1e-6).worst.epsilon;
    const threatened = threatenedPersonalizedPrivacy(groups, 1e-6, { colluding: 0.1 }).worst.epsilon;
    expect(threatened.upper).toBe(left.upper);
    expect(threatened.lower).toBe(left.lower);
  });

  it('of a group that would collude as a whole are bounded as the only honest one of it', () => {
    const few = [group(0.5, 1), group(2, 2)];
    const { epsilon, worst: user } = threatenedPersonalizedPrivacy(few, 0.02, { colluding: 0.3 });
    // Of each group one colludes: the user of budget 2 is alone, and the message gives away (p - delta) / q.
    const [p, q] = [randomizedResponseMatrix(3, 2)[0]![0]!, randomizedResponseMatrix(3, 2)[0]![1]!];
    const alone = Math.log((p - 0.02) / q);
    expect(user.budget).toBe(2);
    expect(epsilon.upper).toBeGreaterThanOrEqual(alone);
    expect(epsilon.upper).toBeLessThan(alone * (1 + 1e-6));
    expect(epsilon.lower).toBeLessThanOrEqual(alone);
  });

  it('are hidden by some who stay away, less than by all and more than by those who surely stay', () => {
    const { upper } = threatenedPersonalizedPrivacy(groups, 1e-6, { dropout: 0.1 }).worst.epsilon;
    const all = personalizedPrivacy(groups, 1e-6).worst.epsilon.upper;
    const fewer = personalizedPrivacy([group(0.5, 300), group(2, 470)], 1e-6).worst.epsilon.upper;
    expect(upper).toBeGreaterThan(all);
    expect(upper).toBeLessThan(fewer);
  });

  it('are told apart by a test that sees who is missing, no better than by all that is seen', () => {
    const [delta, dropout] = [0.02, 0.3];
    const { worst: user } = threatenedPersonalizedPrivacy([group(0.5, 2), group(2, 3)], delta, { dropout });
    const rowsOf = (budget: number, absent: number): readonly number[][] =>
      randomizedResponseMatrix(3, budget).map((row) => [...row.map((mass) => mass * (1 - absent)), absent]);
    const others = [0.5, 0.5, 2, 2].map((budget) => rowsOf(budget, dropout));
    const worstAt = (epsilon: number): number => {
      let largest = 0;
      for (let k = 0; k < 81; k++) {
        const rows = others.map((laws, i) => laws[Math.floor(k / 3 ** i) % 3]!);
        const [first, second] = [0, 1].map((value) => joint(rowsOf(2, 0), value, rows, []));
        let excess = 0;
        for (const [key, mass] of first!)
          excess += Math.max(0, mass - Math.exp(epsilon) * (second!.get(key) ?? 0));
        largest = Math.max(largest, excess);
      }
      return largest;
    };
    expect(user.budget).toBe(2);
    expect(user.epsilon.lower).toBeGreaterThan(0.5);
    expect(worstAt(user.epsilon.lower)).toBeGreaterThanOrEqual(delta);
    expect(worstAt(user.epsilon.upper)).toBeLessThanOrEqual(delta);
  });

  it('are told apart nearly as well where a tenth stays away as where a tenth was never there', () => {
    const { lower } = threatenedPersonalizedPrivacy(groups, 1e-6, { dropout: 0.1 }).worst.epsilon;
    const tenthFewer = personalizedPrivacy([group(0.5, 360), group(2, 540)], 1e-6).worst.epsilon.lower;
    expect(lower).toBeGreaterThan(0.97 * tenthFewer);
    expect(lower).toBeLessThan(1.03 * tenthFewer);
  });

  it('pay for the absences that are not planned for out of delta', () => {
    const { upper } = threatenedPersonalizedPrivacy([group(0.5, 400)], 1e-6, { dropout: 0.1 }).worst.epsilon;
    // A thousandth of delta: the victim stays, and of the other 399 fewer than 319 do with less than that.
    expect(logBinomialLowerTail(318, 399, 0.9)).toBeLessThan(Math.log(1e-9));
    expect(logBinomialLowerTail(319, 399, 0.9)).toBeGreaterThan(Math.log(1e-9));
    const present = (delta: number): number =>
      personalizedPrivacy([group(0.5, 320)], delta).worst.epsilon.upper;
    expect(upper).toBeGreaterThan(present(1e-6));
    expect(upper).toBeLessThanOrEqual(present(0.999e-6));
  });
});
