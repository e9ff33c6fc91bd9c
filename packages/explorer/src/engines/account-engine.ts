/** The engine of the page Account: the same functions as behind the command. */
import {
  accountMechanism,
  accountStages,
  accountWorks,
  MECHANISMS,
  mechanismCard,
  type Account,
} from '@shuffle-dp/experiments/account';
import {
  EACH_USER,
  endOfRange,
  errorCode,
  rangeText,
  type MechanismCard,
  type ParameterSpec,
  type ParameterValues,
} from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import type {
  AccountContract,
  AccountSetting,
  CurvePoint,
  ShownMechanism,
  ShownParameter,
} from '../account/contract.ts';
import { serve } from '../engine/serve.ts';

serve<AccountContract>({
  *mechanisms() {
    yield MECHANISMS.map(shownMechanism);
  },
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

function shownMechanism(card: MechanismCard): ShownMechanism {
  const { name, title, holds, description, source, estimator, ratios, example, parameters } = card;
  return {
    name,
    title,
    holds,
    description,
    source,
    usersMean: card.usersMean ?? EACH_USER,
    estimator,
    ratios,
    example,
    parameters: parameters.map((spec) => shownParameter(spec, card, example)),
    configOptions:
      CATEGORY_RANDOMIZERS.find((known) => known.name === name)?.options.map((option) => option.name) ?? null,
  };
}

function shownParameter(
  spec: ParameterSpec,
  { example }: MechanismCard,
  given: ParameterValues,
): ShownParameter {
  const { name, description, low, high, integer, kind, required, unit } = spec;
  const least = endOfRange(low.value, given) ?? 0;
  return {
    name,
    description,
    low: least,
    high: endOfRange(high.value, given) ?? Infinity,
    lowOpen: low.open,
    highOpen: high.open,
    integer,
    ...(kind === undefined ? {} : { kind }),
    required,
    ...(unit === undefined ? {} : { unit }),
    range: rangeText(spec, given),
    example: example[name] ?? Math.max(least, 1),
  };
}
