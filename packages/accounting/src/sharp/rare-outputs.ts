/**
 * Outputs at which the victim's first value is far likelier than another user's: rare, but with gains so large that no exponential moment
 * would be left. There the victim's mass is charged in full, as f(nu + nu') <= f(nu) + the positive part of nu'.
 */
import { Real, type OtherInput } from '@shuffle-dp/core';

/** Inputs without these outputs, and the mass that is charged. All inputs are of one pair, so the outputs are the same for all. */
export interface UsualOutputs {
  readonly inputs: readonly OtherInput[];
  readonly charged: number;
}

/** @param inputs with the same arrays of the victim, or they stay as they are; in the order that is evaluated */
export function usualOutputs(
  inputs: readonly OtherInput[],
  expEpsilon: number,
  users: number,
  target: number,
): UsualOutputs {
  const { victim0, victim1 } = inputs[0]!;
  if (inputs.some((input) => input.victim0 !== victim0 || input.victim1 !== victim1)) {
    return { inputs, charged: 0 };
  }
  const gain = (y: number): number => victim0[y]! - expEpsilon * victim1[y]!;
  const isRare = victim0.map(() => 0);
  for (const { own } of inputs) {
    let variance = 0;
    for (let y = 0; y < own.length; y++) {
      if (own[y]! > 0 && victim0[y]! > FREQUENT) variance += gain(y) ** 2 / own[y]!;
    }
    const tilt = usualTilt(-victim0.reduce((sum, _, y) => sum + gain(y), 0), variance, users, target);
    for (let y = 0; y < own.length; y++) {
      const exponent = (tilt * gain(y)) / own[y]!;
      if (!(exponent > 1)) continue;
      const atStake = users * own[y]! * Real.exp(exponent);
      if (atStake * target > gain(y)) isRare[y] = 1;
    }
  }
  if (!isRare.includes(1)) return { inputs, charged: 0 };
  const usual = (masses: Float64Array): Float64Array => masses.map((mass, y) => (isRare[y] ? 0 : mass));
  const charged = victim0.reduce((sum, _, y) => sum + (isRare[y] ? Math.max(0, gain(y)) : 0), 0);
  const shared = { victim0: usual(victim0), victim1: usual(victim1) };
  return { inputs: inputs.map((input) => ({ ...input, ...shared })), charged: charged * (1 + 1e-12) };
}

/**
 * About the tilt at which a normal sum of this many gains, of mean -down, has a mean excess over zero of the target; the smaller of two where it may be
 * less.
 */
function usualTilt(down: number, variance: number, users: number, target: number): number {
  const deviation = Math.sqrt(variance / users);
  const nats = Math.max(LEAST_NATS, Real.log((DENSITY_AT_MEAN * deviation) / target));
  const depth = (2 * nats * variance) / users;
  return depth < down * down && down > 0
    ? (down - Math.sqrt(down * down - depth)) / variance
    : Math.sqrt(depth) / variance;
}

/** Of a normal law of the deviation 1. */
const DENSITY_AT_MEAN = 1 / Math.sqrt(2 * Math.PI);
/** Nearer to the mean the tilt of the bound stays about that of one deviation. */
const LEAST_NATS = 0.5;

/** Rarer outputs say nothing about the deviation. */
const FREQUENT = 1e-5;

/** The victim's two inputs exchanged. */
export function exchangedInput(input: OtherInput): OtherInput {
  return { ...input, victim0: input.victim1, victim1: input.victim0 };
}
