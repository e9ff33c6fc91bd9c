/** The privacy of one shuffled round: what is proved, and what the literature says, side by side. */
import {
  ParameterError,
  provedInterval,
  requireInteger,
  type Interval,
  type NamedBound,
  type Soundness,
  type VariationRatio,
} from '@shuffle-dp/core';
import {
  evaluateBound,
  evaluatePublishedBounds,
  variationRatioDivergence,
  variationRatioEpsilon,
  type Target,
} from '@shuffle-dp/accounting';
import type { AccountedBound } from './accounted-bound.ts';
import { certifiedBounds } from './certified-bounds.ts';
import { MOST_USERS } from './mechanism-parameters.ts';
import { mechanismModel, type MechanismModel, type ParameterValues } from './mechanism-models.ts';

export interface Account {
  readonly mechanism: string;
  readonly parameters: ParameterValues;
  readonly users: number;
  readonly target: Target;
  readonly variationRatio: VariationRatio | null;
  /** Bracket of the quantity asked for, from sound bounds only. */
  readonly bracket: Interval;
  /** For a raw pair: whether it is known to dominate. Otherwise true. */
  readonly sound: Soundness;
  readonly reason?: string;
  readonly bounds: readonly AccountedBound[];
}

/** Where published bounds are evaluated at the coins of a protocol that draws Poisson numbers instead. */
const OTHER_COUNTS = {
  sound: 'unproven',
  reason: 'stated for coin-flip blankets, evaluated here for Poisson ones',
} as const;

/** @throws ParameterError */
export function accountMechanism(
  mechanism: string,
  given: ParameterValues,
  users: number,
  target: Target,
): Account {
  requireInteger('users', users, 1, MOST_USERS);
  if ('delta' in target && !(target.delta >= 0 && target.delta <= 1)) {
    throw new ParameterError('delta', target.delta, 'in [0, 1]');
  }
  if ('epsilon' in target && !(target.epsilon >= 0 && target.epsilon < Infinity)) {
    throw new ParameterError('epsilon', target.epsilon, 'zero or a positive number');
  }
  const model = mechanismModel(mechanism, given);
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  const setting = {
    users: model.slots?.(users) ?? users,
    epsilon0: model.epsilon0,
    amplification: model.amplification,
  };
  // The pair is evaluated first: it refuses parameters that are no pair, by name.
  const pair = model.pairOnly ? pairBracket(model.amplification.variationRatio!, users, target) : null;
  const original = model.original ? [evaluateBound(model.original, setting, target)] : [];
  const evaluated = [...evaluatePublishedBounds(setting, target), ...original];
  const published = evaluated.map((bound): AccountedBound => {
    const { sound, reason } = model.slots && bound.sound === true ? OTHER_COUNTS : bound;
    const said = bound.reason ?? reason;
    return {
      name: bound.name,
      direction: bound.direction,
      value: bound[asked],
      sound,
      ...(said === undefined ? {} : { reason: said }),
      source: bound.source,
      conditions: bound.conditions,
      citation: bound.citation,
    };
  });
  const common = {
    mechanism,
    parameters: model.parameters,
    users,
    target,
    variationRatio: model.amplification.variationRatio,
  };
  if (pair) {
    const verdict = published.find(({ name }) => name === 'variation-ratio');
    return {
      ...common,
      bracket: pair,
      sound: verdict?.sound ?? 'unproven',
      ...(verdict?.reason === undefined ? {} : { reason: verdict.reason }),
      bounds: published,
    };
  }
  const certified = certifiedBounds(model, users, target);
  const bounds = [...certified, ...published];
  return { ...common, bracket: bracketOf(bounds, model, asked), sound: true, bounds };
}

/** The quantity asked for by one of the account's bounds; null where it says nothing or is not among them. */
export function boundValue({ bounds }: Account, name: string): number | null {
  return bounds.find((bound) => bound.name === name)?.value ?? null;
}

function pairBracket(pair: VariationRatio, users: number, target: Target): Interval {
  return 'delta' in target
    ? variationRatioEpsilon(pair, users, target.delta)
    : variationRatioDivergence(pair, users, target.epsilon);
}

/** The sharpest of the sound bounds on either side. */
function bracketOf(
  bounds: readonly AccountedBound[],
  model: MechanismModel,
  asked: 'epsilon' | 'delta',
): Interval {
  const limit =
    asked === 'epsilon' ? { name: 'local budget', value: model.epsilon0 } : { name: 'trivial', value: 1 };
  let upper: NamedBound = limit;
  let lower: NamedBound = { name: 'trivial', value: 0 };
  for (const { name, direction, value, sound } of bounds) {
    if (sound !== true || value === null) continue;
    if (direction === 'upper' && value < upper.value) upper = { name, value };
    if (direction === 'lower' && value > lower.value) lower = { name, value };
  }
  return provedInterval(asked, lower, upper);
}
