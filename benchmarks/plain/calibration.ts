/**
 * Calibrations as one would first write them: bisection on the parameter, each step with a plain accountant.
 */
import {
  forwardTransform,
  inverseTransform,
  multiplySpectrum,
  raiseSpectrum,
  type AmplificationProfile,
} from '@shuffle-dp/core';
import { plainBlanketDivergence, plainPairDivergence } from './accounting.ts';

/** Twenty steps find a parameter as closely as the calibrations measured beside it. */
const STEPS = 20;

/** The largest number in [low, high] that `holds`, where it holds up to some point. */
function largest(holds: (x: number) => boolean, low: number, high: number): number {
  let [inside, outside] = [low, high];
  for (let step = 0; step < STEPS; step++) {
    const middle = (inside + outside) / 2;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}

/** The largest local budget at which the blanket gives (epsilon, delta). */
export function plainLocalBudget(
  make: (epsilon0: number) => { amplification(): AmplificationProfile },
  { users, epsilon, delta }: { readonly users: number; readonly epsilon: number; readonly delta: number },
): number {
  return largest(
    (epsilon0) =>
      make(epsilon0)
        .amplification()
        .blanket.every((atoms) => plainBlanketDivergence(atoms, users, epsilon) <= delta),
    epsilon,
    10,
  );
}

/** The same from the published pair. */
export function plainPairBudget(
  make: (epsilon0: number) => { amplification(): AmplificationProfile },
  { users, epsilon, delta }: { readonly users: number; readonly epsilon: number; readonly delta: number },
): number {
  return largest(
    (epsilon0) =>
      plainPairDivergence(make(epsilon0).amplification().variationRatio!, users, epsilon) <= delta,
    epsilon,
    10,
  );
}

export interface SetSetting {
  readonly users: number;
  readonly domain: number;
  readonly items: number;
  readonly delta: number;
}

/**
 * Divergence of one user's set at epsilon, where items are sent with `rate` among `blanketRate` blankets a
 * user.
 */
type SetDivergence = (setting: SetSetting, rate: number, blanketRate: number, epsilon: number) => number;

/**
 * Item by item, from the shuffled pair with an infinite ratio (the published analysis of the segmented
 * protocol).
 */
export const plainGroupDivergence: SetDivergence = (setting, rate, blanketRate, epsilon) => {
  const { users, domain, items } = setting;
  const slots = Math.ceil(blanketRate);
  const pair = { p: Infinity, beta: rate, q: Math.max(1, (domain * rate * slots) / blanketRate) };
  const perItem = plainPairDivergence(pair, users * slots, epsilon / items);
  return items * Math.exp(epsilon) * perItem;
};

const POINTS = 2 ** 16;
const STEP = 1e-4;

/** The whole set at once among Poisson blankets: losses of the items that change, on a grid, convolved. */
export const plainPoissonDivergence: SetDivergence = (setting, rate, blanketRate, epsilon) => {
  const { users, domain, items } = setting;
  const mean = (users * blanketRate) / domain;
  const gained = new Float64Array(POINTS);
  const lost = new Float64Array(POINTS);
  const put = (grid: Float64Array, loss: number, mass: number): void => {
    const below = Math.floor(loss / STEP);
    const rest = loss / STEP - below;
    grid[(below + POINTS) % POINTS]! += mass * (1 - rest);
    grid[(below + 1 + POINTS) % POINTS]! += mass * rest;
  };
  const spread = 10 * Math.sqrt(mean);
  let logMass = -mean;
  for (let k = 0; k <= mean + spread; k++) {
    if (k > 0) logMass += Math.log(mean / k);
    if (k < mean - spread) continue;
    const mass = Math.exp(logMass);
    const ratio = 1 - rate + (rate * k) / mean;
    if (ratio === 0) continue;
    put(gained, Math.log(ratio), ratio * mass);
    put(lost, -Math.log(ratio), mass);
  }
  const changed = Math.min(items, domain - items);
  const spectrum = forwardTransform(gained, POINTS);
  multiplySpectrum(spectrum, forwardTransform(lost, POINTS));
  raiseSpectrum(spectrum, changed);
  const sums = inverseTransform(spectrum);
  let sum = 0;
  for (let i = Math.ceil(epsilon / STEP); i < POINTS / 2; i++)
    sum -= sums[i]! * Math.expm1(epsilon - i * STEP);
  return sum;
};

/** The rates of all levels at a given number of blankets. */
export function plainSendingRates(
  setting: SetSetting,
  blanketRate: number,
  levels: readonly number[],
  divergence: SetDivergence,
): number[] {
  return levels.map((epsilon) =>
    divergence(setting, 1, blanketRate, epsilon) <= setting.delta
      ? 1
      : largest((rate) => divergence(setting, rate, blanketRate, epsilon) <= setting.delta, 0, 1),
  );
}

/** The fewest blankets a user with which every item may be sent at epsilon. */
export function plainBlanketRate(setting: SetSetting, epsilon: number): number {
  const hides = (rate: number): boolean => plainGroupDivergence(setting, 1, rate, epsilon) <= setting.delta;
  let high = 1e-3;
  while (!hides(high)) high *= 2;
  const fewer = largest((share) => hides(high * (1 - share)), 0, 0.5);
  return high * (1 - fewer);
}
