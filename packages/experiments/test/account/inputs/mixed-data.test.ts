import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../../src/account/account.ts';
import { MECHANISM_ORACLES } from '../../laws/oracle/index.ts';
import { worstOf, type Target } from '../../laws/oracle/shuffled-divergence.ts';
import { arithmeticFor } from '../../laws/violations.ts';

/** How many of the others hold the victim's first or second input, by the label. */
function exceptions(label: string): { count: number; which: 'first' | 'second' } {
  const [, count, which] = /except (\d+) that holds? the victim's (first|second) input$/u.exec(label)!;
  return { count: Number(count), which: which as 'first' | 'second' };
}

describe('data sets of two values', () => {
  it('beat equal ones where enumeration says so', () => {
    // Randomized response over 3 values, others (0, 2, 2, 2): 4.7 % above the best homogeneous set.
    const { bounds, bracket } = accountMechanism('grr', { epsilon0: 1, domain: 3 }, 5, { epsilon: 0.5 });
    const value = (name: string): number => bounds.find((bound) => bound.name === name)!.value!;
    expect(value('mixed-data') / value('homogeneous-data')).toBeCloseTo(1.047, 3);
    expect(bracket.lower).toBe(value('mixed-data'));
  });

  const cases: [string, Record<string, number>, number, Target][] = [
    ['grr', { epsilon0: 1, domain: 3 }, 5, { epsilon: 0.5 }],
    ['grr', { epsilon0: 0.5, domain: 3 }, 6, { epsilon: 0.4 }],
    ['grr', { epsilon0: 0.5, domain: 4 }, 5, { delta: 1e-3 }],
    ['grr', { epsilon0: 1, domain: 2 }, 6, { epsilon: 0.2 }],
    ['oue', { epsilon0: 8, domain: 2 }, 6, { epsilon: 6.4 }],
    ['subset', { epsilon0: 8, domain: 3, subsetSize: 2 }, 5, { epsilon: 6.4 }],
    ['subset-exponential', { epsilon0: 2, domain: 3, items: 1, subsetSize: 2 }, 4, { epsilon: 1 }],
    ['hadamard', { epsilon0: 0.5, order: 4 }, 3, { epsilon: 0.25 }],
    ['duchi', { epsilon0: 0.5 }, 6, { epsilon: 0.25 }],
    ['vector-rr', { bits: 1, keepProbability: 0.7310585786300049 }, 5, { epsilon: 0.2 }],
  ];
  it.each(cases)(
    '%s %j, %d users, %j: the data set of the label has this value, and none has more',
    (mechanism, parameters, users, target) => {
      const oracle = MECHANISM_ORACLES[mechanism]!;
      const arithmetic = arithmeticFor(oracle, { mechanism, parameters, users });
      const bound = accountMechanism(mechanism, parameters, users, target).bounds.find(
        ({ name }) => name === 'mixed-data',
      )!;
      const { count, which } = exceptions(bound.worst!);
      const [named] = worstOf(
        oracle.views(parameters, users, arithmetic),
        [target],
        arithmetic,
        (first, second, others) => {
          const [one, two] = [first, second].map(
            (value) => others.filter((other) => other === value).length,
          ) as [number, number];
          if (which === 'second') return [one, two].includes(count) && one + two === users - 1;
          const rest = new Set(others.filter((other) => other !== first && other !== second));
          return ((one === count && two === 0) || (one === 0 && two === count)) && rest.size === 1;
        },
      );
      expect(bound.value! / named!.value).toBeCloseTo(1, 6);
      const [worst] = worstOf(oracle.views(parameters, users, arithmetic), [target], arithmetic);
      expect(worst!.value / bound.value!).toBeCloseTo(1, 6);
    },
  );

  it('are not claimed where others are messages, nor beyond 64 users', () => {
    const names = (mechanism: string, given: Record<string, number>, users: number): string[] =>
      accountMechanism(mechanism, given, users, { epsilon: 0.2 }).bounds.map(({ name }) => name);
    expect(names('pure-dump', { bins: 3 }, 5)).not.toContain('mixed-data');
    expect(names('grr', { epsilon0: 1, domain: 3 }, 65)).not.toContain('mixed-data');
  });
});
