/** Good parameters of the sharp bound for the worst of some inputs: any are valid, so nothing here has to be certain. */
import { saddlePoint } from '../exponential-tilt.ts';
import { blockTerm, hasGains, type PreparedInput, type SharpParameters } from './input-bound.ts';
import { COARSE, MinimumMoments } from './minimum-moments.ts';

/** Factors of the first guess that are tried together: steps along one parameter alone can get stuck. */
const GRID = {
  buffer: [0.35, 0.6, 1, 1.6],
  kappa: [0.5, 0.85, 1.4],
  theta: [0.97, 1.08],
} as const;
const FIRST_STEP = 1.2;
const LAST_STEP = 1.03;
/** Inputs this much below the worst, in log delta, are left out of the search. */
const FAR_BELOW = 2;

/** @param users in all, at least 4; @param target about the bound's own size */
export function searchParameters(
  all: readonly PreparedInput[],
  users: number,
  target: number,
  known?: SharpParameters,
): SharpParameters | null {
  const inputs = all.filter(hasGains);
  if (inputs.length === 0) return { buffer: (users - 1) % 2, kappa: 1, theta: 1 };
  const estimate = estimator(users, target);
  const starts = known === undefined ? inputs.map((input) => guess(input, users)) : [known];
  const worst = worstAt(inputs, starts[0]!, estimate);
  const start = known ?? guess(worst.input, users);
  let best = { parameters: start, log: Infinity };
  const active = inputs.filter((input) => estimate(input, start) > worst.log - FAR_BELOW);
  const among = active.length > 0 ? active : inputs;
  const tried = (parameters: SharpParameters): boolean => {
    let log = -Infinity;
    for (const input of among) {
      log = Math.max(log, estimate(input, parameters));
      if (!(log < best.log)) return false;
    }
    best = { parameters, log };
    return true;
  };
  tried(start);
  if (known === undefined) {
    for (const a of GRID.buffer)
      for (const b of GRID.kappa) for (const c of GRID.theta) tried(scaled(start, users, a, b, c));
  }
  for (let step = FIRST_STEP; step > LAST_STEP; step = Math.sqrt(step)) {
    for (let moved = true, rounds = 0; moved && rounds < 4; rounds++) {
      moved = false;
      for (const factor of [step, 1 / step]) {
        if (tried(scaled(best.parameters, users, 1, 1, 1 + (factor - 1) / 3))) moved = true;
        if (tried(scaled(best.parameters, users, 1, factor, 1))) moved = true;
        if (tried(scaled(best.parameters, users, factor, 1, 1))) moved = true;
      }
    }
  }
  return best.log < Infinity ? best.parameters : null;
}

type Estimate = (input: PreparedInput, parameters: SharpParameters) => number;

/** log of the bound at the usual size of the buffer. */
function estimator(users: number, target: number): Estimate {
  const known = new Map<PreparedInput, Map<number, MinimumMoments>>();
  return (input, parameters) => {
    const rest = users - 1 - parameters.buffer;
    let own = known.get(input);
    if (own === undefined) known.set(input, (own = new Map<number, MinimumMoments>()));
    let moments = own.get(rest);
    if (moments === undefined) {
      moments = new MinimumMoments(input.gains, rest, parameters.theta, COARSE);
      own.set(rest, moments);
    }
    const shown = Math.floor(parameters.buffer * input.mass);
    const { log, cut } = blockTerm(input, moments, parameters, rest, shown, target);
    return Math.log(Math.exp(log) + cut) || Infinity;
  };
}

function worstAt(
  inputs: readonly PreparedInput[],
  parameters: SharpParameters,
  estimate: Estimate,
): { readonly input: PreparedInput; readonly log: number } {
  let worst = { input: inputs[0]!, log: -Infinity };
  for (const input of inputs) {
    const log = estimate(input, parameters);
    if (log > worst.log) worst = { input, log };
  }
  return worst;
}

/** From the variances of the gains, with and without the blanket, and from how much the ratios vary (docs/sharp-bound.md). */
function guess({ gains, draws, mass }: PreparedInput, users: number): SharpParameters {
  const variance = gains.values.reduce((sum, value, i) => sum + gains.probabilities[i]! * value * value, 0);
  const blanketVariance =
    draws.gains.reduce((sum, gain, i) => sum + draws.probabilities[i]! * gain * gain, 0) / mass;
  const narrower = Math.max(0, 1 - variance / blanketVariance);
  const spread = Math.sqrt(narrower * draws.deviation * draws.deviation * users);
  const theta = saddlePoint(gains, users)!.theta;
  return scaled(
    { buffer: Math.max(2 * spread, 10 / mass), kappa: variance / (mass * blanketVariance), theta },
    users,
    1,
    1,
    1,
  );
}

/** With an even number of users beside the buffer, at least two. */
function scaled(
  { buffer, kappa, theta }: SharpParameters,
  users: number,
  bufferFactor: number,
  kappaFactor: number,
  thetaFactor: number,
): SharpParameters {
  const wanted = Math.min(Math.round(buffer * bufferFactor), users - 3);
  const parity = (users - 1 - wanted) % 2;
  return {
    buffer: Math.max(0, wanted - parity) + (wanted - parity < 0 ? 2 : 0),
    kappa: kappa * kappaFactor,
    theta: theta * thetaFactor,
  };
}
