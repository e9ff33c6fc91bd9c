/**
 * Good parameters of the sharp bound for the worst of some inputs: any are valid, so nothing here has to be
 * certain.
 */
import { Real } from '@shuffle-dp/core';
import type { SharpParameters } from '../input-bound.ts';
import { hasGains, type PreparedInput } from '../prepared-input.ts';
import { COARSE, ROUGH, type Resolution } from '../gains/minimum-moments.ts';
import {
  ALL_SIZES,
  estimator,
  exactTerms,
  heavyTerms,
  FEW_SIZES,
  MORE_SIZES,
  quickTerms,
  type Estimate,
} from './estimates.ts';
import { simplexDescent } from './simplex.ts';
import { guess, scaled } from './starting-parameters.ts';

/** Factors of the first guess that are tried together: steps along one parameter alone can get stuck. */
const GRID = {
  buffer: [0.45, 0.9, 1.7, 3],
  kappa: [0.4, 0.85, 1.5],
  theta: [0.87, 0.97, 1.08],
} as const;
/**
 * Where none of these gives a bound: shares of the users, weights, and factors of the tilt, for gains of
 * heavy tails.
 */
const FAR_GRID = {
  share: [0.1, 0.3, 0.6],
  kappa: [1, 5, 25],
  theta: [0.6, 0.35, 0.2, 0.1],
} as const;
/** How an improvement goes: whether it starts on the grid, and what follows. */
interface Effort {
  readonly widely: boolean;
  /** By the bound's own terms, which take a thousand times as long as estimates, and whole numbers. */
  readonly isDear: boolean;
  /** log of an estimate that will do. */
  readonly goal?: number;
}
const WIDELY: Effort = { widely: true, isDear: false };
const NEARBY: Effort = { widely: false, isDear: false };
const ROUGHLY: Effort = { widely: true, isDear: true };
const COSTLY: Effort = { widely: false, isDear: true };
/** First steps of a simplex, of the logarithms of buffer, tilt and kappa, and where it ends, in log delta. */
const SIMPLEX_STEPS = [0.25, 0.05, 0.2];
const SIMPLEX_END = { most: 90, enough: 1e-4 };
/** Where only a goal counts, which is a little further than it need be. */
const GOAL_END = { most: 60, enough: 1e-3 };
const DEAR_END = { most: 36, enough: 1e-3 };
/** Of more inputs some are left out: neighbours in a list are much alike. */
const MOST_INPUTS = 64;
/** Inputs that may be searched for together, and how much worse than them another may be, in log delta. */
const MOST_ROUNDS = 4;
const CLOSE = 0.002;
/** Where the normal moments are too small by this much, in log delta, the exact ones go on. */
const FAR_FROM_NORMAL = 0.08;
/** And where ratios of the buffer are far from normal too, which moments of the gains alone do not tell. */
const HEAVY_OFF = 0.03;
export interface SearchHints {
  /** Parameters to begin with. */
  readonly known?: SharpParameters | undefined;
  /** log of an estimate above which no bound is looked for: closer estimates are not worth their time. */
  readonly hopeless?: number;
  /** And above which one is looked for elsewhere: what is found is only to tell about where. */
  readonly far?: number;
  /** log of an estimate at which the known parameters, moved a little, are good enough. */
  readonly enough?: number;
  /** log of an estimate, rare sizes of the buffer counted, below which nothing better is looked for. */
  readonly holds?: number;
}

/**
 * Parameters for the worst of all inputs.
 * @param users in all, at least 4; @param target about the bound's own size
 */
export function searchParameters(
  all: readonly PreparedInput[],
  users: number,
  target: number,
  { known, hopeless = Infinity, far = Infinity, enough = -Infinity, holds = -Infinity }: SearchHints = {},
): Found | null {
  const stride = Math.ceil(all.length / MOST_INPUTS);
  const inputs = all.filter((input, i) => i % stride === 0 && hasGains(input));
  if (inputs.length === 0)
    return { parameters: { buffer: (users - 1) % 2, kappa: 1, theta: 1 }, log: Infinity, worst: [] };
  const terms = quickTerms(target);
  const estimate = estimator(users, terms, users < FEW_USERS ? MORE_SIZES : FEW_SIZES);
  // From where others have ended, and as if nothing were known: either may get stuck.
  const nearby = known
    ? searchFrom(inputs, { parameters: known }, users, estimate, { ...NEARBY, goal: holds - RARELY_OFF })
    : null;
  const widely =
    nearby !== null && nearby.log <= enough && nearby.log < Infinity
      ? null
      : searchFrom(inputs, { parameters: guess(inputs[0]!, users) }, users, estimate, WIDELY);
  let best = widely === null || (nearby !== null && nearby.log < widely.log) ? nearby! : widely;
  // Where sizes of the buffer that are rare matter they are counted.
  const whole = estimator(users, terms, ALL_SIZES);
  const { log: counted } = worstAt(inputs, best.parameters, whole, users < FEW_USERS ? 1 : undefined);
  if (counted <= holds) best = { ...best, log: counted };
  else if (best.log < Infinity && counted > best.log + RARELY_OFF) {
    // Of few users the worst input alone leads further from where estimates of the usual sizes have ended.
    const from = users < FEW_USERS ? { parameters: best.parameters } : best;
    let careful = searchFrom(inputs, from, users, whole, { ...NEARBY, goal: holds });
    // It may have begun beyond what any small buffer stands.
    if (careful.log > best.log + STUCK) {
      const anew = searchFrom(inputs, { parameters: guess(inputs[0]!, users) }, users, whole, WIDELY);
      if (anew.log < careful.log) careful = anew;
    }
    // What is rarest counts a little too much: where nothing else would be left it is not.
    if (careful.log < best.log + TOO_CAREFUL) best = careful;
  }
  const { active, parameters } = best;
  const worst = active.map((input) => all.indexOf(input));
  if (best.log < Infinity && best.log > Math.min(far, hopeless + ESTIMATES_OFF)) return { ...best, worst };
  const estimateBy = (resolution: Resolution): Estimate =>
    estimator(users, exactTerms(target, resolution), MORE_SIZES, Math.floor);
  if (best.log === Infinity) {
    // Chernoff's bound is almost free, and tells where others are worth their cost.
    const rough = improved(active, parameters, users, estimateBy(ROUGH), ROUGHLY);
    if (rough.log === Infinity) return null;
    if (rough.log > hopeless + ROUGHLY_OFF) return { ...rough, worst };
    const costly = improved(active, rough.parameters, users, estimateBy(COARSE), COSTLY);
    return { ...costly, worst, isHeavy: true };
  }
  const exact = estimateBy(COARSE);
  const log = largestOf(active, exact, parameters);
  if (log < best.log + FAR_FROM_NORMAL || log > hopeless + ROUGHLY_OFF) return { ...best, worst };
  if (log <= holds) return { ...best, log, worst };
  const heavy = estimator(users, heavyTerms(target, COARSE), MORE_SIZES);
  const moved = improved(active, parameters, users, heavy, { ...NEARBY, goal: holds });
  const near = scaled(moved.parameters, users);
  const nearLog = largestOf(active, exact, near);
  if (nearLog < moved.log + HEAVY_OFF) return { parameters: near, log: nearLog, worst, isHeavy: true };
  const from = nearLog < log ? near : parameters;
  const found = improved(active, from, users, exact, { ...COSTLY, goal: holds });
  return found.log < Infinity ? { ...found, worst, isHeavy: true } : null;
}

/** Of fewer users a few messages hide the victim, and sizes of the buffer matter throughout. */
const FEW_USERS = 5000;
/**
 * What rare sizes of the buffer may add, in log delta; what tells that a search among them is stuck, and that
 * they say too much.
 */
const [RARELY_OFF, STUCK, TOO_CAREFUL] = [0.02, 0.5, 1.5];
/** By so much, in log delta, estimates may be above the bound; and those by Chernoff's. */
const [ESTIMATES_OFF, ROUGHLY_OFF] = [0.7, 3];

/** The worst of all inputs, and log of about its bound, rare sizes of the buffer counted. */
export function worstEstimate(
  all: readonly PreparedInput[],
  users: number,
  target: number,
): (parameters: SharpParameters) => { readonly input: PreparedInput; readonly log: number } {
  const inputs = all.filter(hasGains);
  const whole = estimator(users, quickTerms(target), ALL_SIZES);
  return (parameters) => worstAt(inputs, parameters, whole, 1);
}

/** Parameters, and inputs that are known to matter. */
interface SearchStart {
  readonly parameters: SharpParameters;
  readonly active?: readonly PreparedInput[];
}

/**
 * Inputs join one by one: the worst at the start, or those of a search before, then whichever is worse at
 * what was found.
 */
function searchFrom(
  inputs: readonly PreparedInput[],
  { parameters: start, active: before = [] }: SearchStart,
  users: number,
  estimate: Estimate,
  effort: Effort,
): Least & { readonly active: readonly PreparedInput[] } {
  const active = before.length > 0 ? [...before] : [worstAt(inputs, start, estimate).input];
  let best: Least = { parameters: effort.widely ? guess(active[0]!, users) : start, log: Infinity };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    best = improved(active, best.parameters, users, estimate, effort);
    const worst = worstAt(inputs, best.parameters, estimate);
    if (active.includes(worst.input) || worst.log <= best.log + CLOSE) break;
    active.push(worst.input);
  }
  return { ...best, active };
}

export interface Found {
  readonly parameters: SharpParameters;
  /** log of the estimate for the worst of the inputs. */
  readonly log: number;
  /** Numbers of the inputs that were searched for: the worst ones. */
  readonly worst: readonly number[];
  /** Whether estimates by normal laws were far off: those that led here may be too. */
  readonly isHeavy?: boolean;
}

type Least = Omit<Found, 'worst' | 'isHeavy'>;

function improved(
  inputs: readonly PreparedInput[],
  start: SharpParameters,
  users: number,
  estimate: Estimate,
  { widely, isDear, goal = -Infinity }: Effort,
): Least {
  const hasPlaces = inputs.some(({ hasPlacesInBuffer }) => hasPlacesInBuffer);
  let best: Least = { parameters: start, log: Infinity };
  const tried = (parameters: SharpParameters): boolean => {
    let log = -Infinity;
    for (const input of inputs) {
      log = Math.max(log, estimate(input, parameters));
      if (!(log < best.log)) return false;
    }
    best = { parameters, log };
    return true;
  };
  tried(start);
  if (widely) {
    for (const a of GRID.buffer)
      for (const b of hasPlaces ? GRID.kappa : [1])
        for (const c of GRID.theta) tried(scaled(start, users, a, b, c));
    if (best.log === Infinity) {
      for (const share of FAR_GRID.share)
        for (const kappa of hasPlaces ? FAR_GRID.kappa : [1])
          for (const c of FAR_GRID.theta)
            tried(scaled({ ...start, buffer: share * users, kappa }, users, 1, 1, c));
    }
    // Around what gives no bound steps would only cost.
    if (best.log === Infinity) return best;
  }
  const { parameters } = best;
  const at = ([buffer, theta, kappa = 0]: readonly number[]): SharpParameters => ({
    buffer: Real.exp(buffer!),
    kappa: hasPlaces ? Real.exp(kappa) : parameters.kappa,
    theta: Real.exp(theta!),
  });
  const from = [Math.max(1, parameters.buffer), parameters.theta, ...(hasPlaces ? [parameters.kappa] : [])];
  const valueOf = (logs: readonly number[]): number =>
    largestOf(inputs, estimate, isDear ? scaled(at(logs), users) : at(logs));
  const least = simplexDescent(
    valueOf,
    { at: from.map((value) => Real.log(value)), value: best.log },
    SIMPLEX_STEPS.slice(0, from.length),
    { ...(isDear ? DEAR_END : goal > -Infinity ? GOAL_END : SIMPLEX_END), goal },
  );
  // Whole numbers on either side: they count where buffers are small.
  const whole = scaled(at(least.at), users);
  for (const further of [0, 2, -2])
    if ((!isDear || further === 0) && whole.buffer + further >= 0 && whole.buffer + further <= users - 3)
      tried({ ...whole, buffer: whole.buffer + further });
  return best;
}

function largestOf(
  inputs: readonly PreparedInput[],
  estimate: Estimate,
  parameters: SharpParameters,
): number {
  return Math.max(...inputs.map((input) => estimate(input, parameters)));
}

/** The worst of every so many inputs and of the last, then of its neighbours: those of a list are alike. */
const STRIDE = 4;

function worstAt(
  inputs: readonly PreparedInput[],
  parameters: SharpParameters,
  estimate: Estimate,
  stride = inputs.length > 3 * STRIDE ? STRIDE : 1,
): { readonly input: PreparedInput; readonly log: number } {
  let worst = { at: 0, log: -Infinity };
  const look = (at: number): void => {
    const log = estimate(inputs[at]!, parameters);
    if (log > worst.log) worst = { at, log };
  };
  for (let at = 0; at < inputs.length; at += stride) look(at);
  look(inputs.length - 1);
  const { at: middle } = worst;
  for (let at = Math.max(0, middle - stride + 1); at < Math.min(inputs.length, middle + stride); at++)
    if (at !== middle) look(at);
  return { input: inputs[worst.at]!, log: worst.log };
}
