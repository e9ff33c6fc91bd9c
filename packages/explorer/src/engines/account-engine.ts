/**
 * The engine of the page Account: the same functions as behind the command. It is built twice, for the
 * mechanisms of categories, which the page shows first, and for all.
 */
import {
  accountMechanism,
  accountStages,
  accountWorks,
  mechanismCard,
  type Account,
} from '@shuffle-dp/experiments/account';
import { errorCode } from '@shuffle-dp/core';
import type { AccountContract, AccountSetting, CurvePoint } from '../account/contract.ts';
import { shownParameter } from '../account/shown-mechanism.ts';
import { serve } from '../engine/serve.ts';

serve<AccountContract>({
  *ranges({ mechanism, parameters }) {
    const card = mechanismCard(mechanism);
    yield card.parameters.map((spec) => shownParameter(spec, card, parameters));
  },
  *quick(setting) {
    let stage = 0;
    for (const account of stagesOf(setting)) {
      yield account;
      stage += 1;
      if (stage === QUICK_STAGES) return;
    }
  },
  *whole({ mechanism, parameters, users, target }) {
    const account = accountMechanism(mechanism, parameters, users, target);
    yield { account, works: accountWorks(account) };
  },
  *curve({ setting, over, values, sharp }) {
    for (const x of values) {
      const point = curvePoint(withValue(setting, over, x), x, sharp);
      if (point !== null) yield point;
    }
  },
});

/** The stages that take milliseconds. */
const QUICK_STAGES = 2;

function stagesOf({ mechanism, parameters, users, target }: AccountSetting): Generator<Account, void, void> {
  return accountStages(mechanism, parameters, users, target);
}

/** Null where the mechanism refuses the value beside its other parameters. */
function curvePoint(setting: AccountSetting, x: number, sharp: boolean): CurvePoint | null {
  try {
    let account: Account | undefined;
    let stage = 0;
    for (const sharper of stagesOf(setting)) {
      account = sharper;
      stage += 1;
      if (!sharp && stage === QUICK_STAGES) break;
    }
    const { bracket, bounds } = account!;
    return {
      x,
      bracket,
      bounds: bounds.map(({ name, direction, value, verdict }) => ({ name, direction, value, verdict })),
    };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

function withValue(setting: AccountSetting, over: string, x: number): AccountSetting {
  if (over === 'users') return { ...setting, users: x };
  if (over === 'delta') return { ...setting, target: { delta: x } };
  if (over === 'epsilon') return { ...setting, target: { epsilon: x } };
  return { ...setting, parameters: { ...setting.parameters, [over]: x } };
}
