/**
 * Outputs at which the victim's first value is far likelier than another user's: rare, but with gains so
 * large that no exponential moment would be left. There the gain is lowered to a multiple of what the others'
 * least likely input gives, and the rest of the victim's mass is charged in full, as f(nu + nu') <= f(nu) +
 * the positive part of nu'.
 */
import { Real, type OtherInput } from '@shuffle-dp/core';

/** Inputs with gains that are lowered, and the mass that is charged: all are of one pair. */
export interface UsualOutputs {
  readonly inputs: readonly OtherInput[];
  readonly charged: number;
}

/**
 * @param inputs with the same arrays of the victim, or they stay as they are; in the order that is evaluated
 */
export function usualOutputs(
  inputs: readonly OtherInput[],
  expEpsilon: number,
  users: number,
  target: number,
): UsualOutputs {
  const { victim0, victim1 } = inputs[0]!;
  const areShared = inputs.every((input) => input.victim0 === victim0 && input.victim1 === victim1);
  if (!areShared || !(target > 0)) return { inputs, charged: 0 };
  const gain = (y: number): number => victim0[y]! - expEpsilon * victim1[y]!;
  const normals = inputs.map(({ own }) => normalOf(own, victim0, gain));
  // One tilt serves all inputs: that of the worst, which is the least.
  const tilt = Math.min(...normals.map((normal) => usualTilt(normal, users, target)));
  const rare: RareOutput[] = [];
  victim0.forEach((mass, y) => {
    // Inputs that never give it have no such gain.
    const least = inputs.reduce(
      (sofar, { own }) => (own[y]! > 0 ? Math.min(sofar, own[y]!) : sofar),
      Infinity,
    );
    const exponent = (tilt * gain(y)) / least;
    if (exponent > 1) rare.push({ y, least, exponent, isFrequent: mass > FREQUENT });
  });
  const cap = bestCap(rare, normals, { users, target, tilt });
  if (cap === Infinity) return { inputs, charged: 0 };
  const lowered = Float64Array.from(victim0);
  let charged = 0;
  for (const { y, least } of rare) {
    lowered[y] = Math.min(victim0[y]!, (cap / tilt) * least + expEpsilon * victim1[y]!);
    charged += victim0[y]! - lowered[y];
  }
  return {
    inputs: inputs.map((input) => ({ ...input, victim0: lowered })),
    charged: charged * (1 + 1e-12),
  };
}

interface RareOutput {
  readonly y: number;
  /** What the input of the others that gives it least, of those that do, gives it. */
  readonly least: number;
  /** Of the gain of such a message at about the tilt of the bound. */
  readonly exponent: number;
  /** Whether it counts in the variance already. */
  readonly isFrequent: boolean;
}

/** Tilts that are tried, over that which suits the sum without such outputs: with them it is smaller. */
const TILT_SHARES = [1.05, 1, 0.93, 0.85, 0.75, 0.6];

/**
 * Ratios of the buffer multiply the tilt: one so large, which is as rare as this in logarithms, must not
 * decide.
 */
const [FAR_RATIO, FAR_NATS] = [2, 8];

/**
 * The largest exponent that is best left, so that the rest of a bound of the target has the most room;
 * infinity for all. One serves all outputs: what a little more of a gain adds depends on its exponent alone.
 */
function bestCap(
  rare: readonly RareOutput[],
  normals: readonly NormalGains[],
  { users, target, tilt }: { readonly users: number; readonly target: number; readonly tilt: number },
): number {
  const most = rare.reduce((sofar, { exponent }) => Math.max(sofar, exponent), 0);
  if (most === 0) return Infinity;
  const logAt = (theta: number): number =>
    Math.max(
      ...normals.map(
        ({ variance, down }) => users * theta * ((theta * variance) / 2 - down) - Real.log(theta / tilt),
      ),
    );
  const usual = logAt(tilt);
  const base = TILT_SHARES.map((share) => logAt(share * tilt) - usual);
  /** By what outputs of at most these exponents multiply the moment of the others, in logarithms. */
  const added = (cap: number, share: number): number =>
    rare.reduce((sum, { least, exponent, isFrequent }) => {
      const left = share * Math.min(cap, exponent);
      const counted = isFrequent ? (share * exponent) ** 2 / 2 : 0;
      return sum + users * least * (Real.expm1(left) - left - counted);
    }, 0);
  /**
   * What the rest of a bound of the target may be, over what it grows by: the larger the better; below 0
   * where the charge alone exceeds it.
   */
  const room = (cap: number): number => {
    const charged = rare.reduce(
      (sum, { least, exponent }) => sum + (Math.max(0, exponent - cap) * least) / tilt,
      0,
    );
    const logs = TILT_SHARES.map(
      (share, k) => base[k]! + Math.max(added(cap, share), added(cap, FAR_RATIO * share) - FAR_NATS),
    );
    const grown = Real.exp(Math.min(700, ...logs));
    const left = target - charged;
    return left > 0 ? left / grown : left - target * grown;
  };
  let best = { cap: Infinity, room: room(Infinity) };
  const steps = Math.ceil(Real.log(most) / Real.log(STEP));
  for (let i = 0; i < steps; i++) {
    const cap = Real.power(STEP, i);
    const here = room(cap);
    if (here > best.room) best = { cap, room: here };
  }
  return best.cap;
}

/** Between caps that are tried. */
const STEP = 1.06;

/** Of one user: minus the mean of the gains, and their variance but for rare outputs. */
interface NormalGains {
  readonly down: number;
  readonly variance: number;
}

function normalOf(own: Float64Array, victim0: Float64Array, gain: (y: number) => number): NormalGains {
  let variance = 0;
  let down = 0;
  for (let y = 0; y < own.length; y++) {
    down -= gain(y);
    if (own[y]! > 0 && victim0[y]! > FREQUENT) variance += gain(y) ** 2 / own[y]!;
  }
  return { down, variance };
}

/**
 * About the tilt at which a normal sum of this many gains, of mean -down, has a mean excess over zero of the
 * target; the smaller of two where it may be less.
 */
function usualTilt({ down, variance }: NormalGains, users: number, target: number): number {
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
