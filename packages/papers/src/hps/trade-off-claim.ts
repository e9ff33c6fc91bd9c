/** Theorem 1 of Y. Liu et al. (CIKM 2024) beside its Theorem 2, to which it is dual. */
import { evaluatePersonalizedBounds, hypothesisTestingTradeOff } from '@shuffle-dp/accounting';
import { boundNamed } from '@shuffle-dp/experiments/personalized';
import { settingOf } from './setting.ts';
import type { Claim } from '../claims/claim.ts';
import { tableOf } from '../claims/table-values.ts';

const SETTINGS = [
  ['uniform(0.05,1)', 'laplace'],
  ['uniform(0.5,2)', 'laplace'],
  ['uniform(0.5,2)', 'gaussian'],
] as const;

const USERS = 1000;
const EPSILONS = [0.02, 0.05, 0.1, 0.2];
/** Relative; the supremum is over a grid of shares. */
const AGREE = 1e-3;
const SHARES = Array.from({ length: 2001 }, (_, i) => 0.4 + 0.0002 * i);

export const TRADE_OFF_CLAIM: Claim = {
  id: 'hps.trade-off',
  paper: 'hps',
  source: 'Theorems 1 and 2',
  published:
    'The trade-off function of the shuffled process, and the delta for each epsilon that follows from it.',
  criterion: `sup over tests of 1 - f(alpha) - e^epsilon alpha is the delta of Theorem 2, to ${100 * AGREE} %`,
  measure() {
    const rows = SETTINGS.flatMap(([text, mechanism]) => {
      const setting = settingOf(text, USERS, mechanism);
      const errorsAt = hypothesisTestingTradeOff(setting);
      const curve = SHARES.map(errorsAt);
      return EPSILONS.map((epsilon) => {
        const direct = boundNamed(evaluatePersonalizedBounds(setting, { epsilon }), 'hps').delta!;
        const dual = Math.max(
          ...curve.map(({ typeOne, typeTwo }) => 1 - typeTwo - Math.exp(epsilon) * typeOne),
        );
        return { text, mechanism, epsilon, direct, dual };
      });
    }).filter(({ direct }) => direct > 1e-9);
    const agree = rows.filter(({ direct, dual }) => Math.abs(dual / direct - 1) <= AGREE);
    return {
      verdict: agree.length === rows.length ? 'reproduced' : 'differs',
      measured: `The two agree at ${agree.length} of ${rows.length} epsilons with a delta above 1e-9.`,
      note: 'As meant, not as printed: Theorem 1 has F_i where the trade-off function needs 1 - F_i, else it would rise, and the sums of Theorem 2 begin at one clone, which would lose the outcome without any. What it is worth as a bound is hps.soundness.',
      evidence: tableOf(rows, {
        budgets: 'text',
        mechanism: 'mechanism',
        epsilon: 'epsilon',
        'delta by Theorem 2': ['direct', 5],
        'delta by Theorem 1': ['dual', 5],
      }),
    };
  },
};
