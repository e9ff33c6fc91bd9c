/**
 * Table 1 of Wang et al. (PVLDB 17(8), 2024): how five closed forms grow with the local budget and fall with
 * the users.
 */
import { publishedBounds } from '@shuffle-dp/accounting';
import { mechanismModel } from '@shuffle-dp/experiments/account';
import type { Claim } from '../claims/claim.ts';
import { digits, tableOf } from '../claims/table-values.ts';

interface Method {
  readonly title: string;
  /** The closed forms of which it is the least. */
  readonly bounds: readonly string[];
  /** Of order 1, and within its conditions. */
  readonly budgets: readonly number[];
  /** Its dependence on epsilon0 as printed, without sqrt(log(1/delta)/n). */
  readonly growth: (epsilon0: number) => number;
}

const e = Math.exp;
const BUDGETS = [1, 2, 3, 4];

const METHODS: readonly Method[] = [
  {
    title: 'Erlingsson et al.',
    bounds: ['erlingsson'],
    budgets: [0.3, 0.4, 0.49],
    growth: (x) => Math.sqrt(e(3 * x)),
  },
  {
    title: 'privacy blanket',
    bounds: ['blanket-hoeffding-generic', 'blanket-bennett-generic'],
    budgets: BUDGETS,
    growth: (x) => e(x),
  },
  {
    title: 'clone',
    bounds: ['clone-closed'],
    budgets: BUDGETS,
    growth: (x) => Math.tanh(x / 2) * Math.sqrt(e(x)),
  },
  {
    title: 'stronger clone',
    bounds: ['stronger-clone-closed'],
    budgets: BUDGETS,
    growth: (x) => Math.expm1(x) / Math.sqrt(e(x) + 1),
  },
  {
    title: 'variation ratio, worst beta',
    bounds: ['variation-ratio-asymptotic'],
    budgets: BUDGETS,
    growth: (x) => Math.expm1(x) / Math.sqrt(e(x) + 1),
  },
];

const DELTA = 1e-9;
const USERS = [1e8, 1e10];
/** "O(...)": from the least budget on, value over printed form may rise by no more. */
const LARGEST_RISE = 2;
/** Above the slope -1/2 in the users. */
const SLOPE_TOLERANCE = 0.02;

export const ASYMPTOTIC_CLAIM: Claim = {
  id: 'vr.table1',
  paper: 'variation-ratio',
  source: 'Table 1',
  published: 'Central epsilon of five analyses, up to constants, as epsilon0 = Theta(1) and n grows.',
  criterion: `closed forms of randomizers of any kind fall as n^(-1/2) or faster, from 1e8 to 1e10 users and to ${SLOPE_TOLERANCE}; over budgets of order 1 their ratio to the printed form rises by at most ${LARGEST_RISE}`,
  measure() {
    const judged = METHODS.map((method) => {
      const found = method.budgets.flatMap((epsilon0) => {
        const [first, second] = USERS.map((users) => valueOf(method, epsilon0, users));
        if (first === null || second === null || first === undefined || second === undefined) return [];
        return {
          epsilon0,
          ratio: (second / method.growth(epsilon0)) * Math.sqrt(USERS[1]! / Math.log(1 / DELTA)),
          slope: Math.log(second / first) / Math.log(USERS[1]! / USERS[0]!),
        };
      });
      const holds =
        found.length > 0 &&
        found.every(({ slope }) => slope <= -0.5 + SLOPE_TOLERANCE) &&
        Math.max(...found.map(({ ratio }) => ratio)) / found[0]!.ratio <= LARGEST_RISE;
      return { title: method.title, found, holds };
    });
    const agree = judged.filter(({ holds }) => holds).length;
    return {
      verdict: agree === judged.length ? 'reproduced' : 'differs',
      measured: `${agree} of ${judged.length} as printed; constants ${judged.map(({ title, found }) => `${title} ${digits(Math.min(...found.map(({ ratio }) => ratio)), 2)} to ${digits(Math.max(...found.map(({ ratio }) => ratio)), 2)}`).join(', ')}.`,
      note: 'The last row is judged at the largest beta, where its form is that of the stronger clone.',
      evidence: tableOf(
        judged.flatMap(({ title, found }) => found.map((values) => ({ title, ...values }))),
        {
          method: 'title',
          epsilon0: 'epsilon0',
          'value over printed form': ['ratio', 4],
          'slope in n': ['slope', 4],
        },
      ),
    };
  },
};

/** The least of the method's bounds for any randomizer; null where none says anything. */
function valueOf({ bounds }: Method, epsilon0: number, users: number): number | null {
  const { amplification } = mechanismModel('general', { epsilon0 });
  const values = publishedBounds
    .filter(({ name }) => bounds.includes(name))
    .map((bound) => bound.at({ users, epsilon0, amplification }, { delta: DELTA }).value)
    .filter((value) => value !== null);
  return values.length === 0 ? null : Math.min(...values);
}
