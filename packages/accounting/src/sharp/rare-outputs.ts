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
  const ordered = rare.toSorted((one, other) => one.exponent - other.exponent);
  const most = ordered.at(-1)?.exponent ?? 0;
  if (most === 0) return Infinity;
  const logAt = (theta: number): number =>
    Math.max(
      ...normals.map(
        ({ variance, down }) => users * theta * ((theta * variance) / 2 - down) - Real.log(theta / tilt),
      ),
    );
  const usual = logAt(tilt);
  const moments = TILT_SHARES.map((share) => ({
    base: logAt(share * tilt) - usual,
    near: cappedMoment(ordered, share, users),
    far: cappedMoment(ordered, FAR_RATIO * share, users),
  }));
  const beyond = sumsFromEach(ordered);
  /**
   * What the rest of a bound of the target may be, over what it grows by: the larger the better; below 0
   * where the charge alone exceeds it.
   *
   * @param below outputs whose exponents are at most the cap
   */
  const room = (cap: number, below: number): number => {
    const mass = beyond.masses[below]!;
    const charged = mass > 0 ? (beyond.exponents[below]! - cap * mass) / tilt : 0;
    const capped = { cap, below, mass };
    const logs = moments.map(({ base, near, far }) => base + Math.max(near(capped), far(capped) - FAR_NATS));
    const grown = Real.exp(Math.min(700, ...logs));
    const left = target - charged;
    return left > 0 ? left / grown : left - target * grown;
  };
  let best = { cap: Infinity, room: room(Infinity, ordered.length) };
  const steps = Math.ceil(Real.log(most) / Real.log(STEP));
  let below = 0;
  for (let i = 0; i < steps; i++) {
    const cap = Real.power(STEP, i);
    while (below < ordered.length && ordered[below]!.exponent <= cap) below++;
    const here = room(cap, below);
    if (here > best.room) best = { cap, room: here };
  }
  return best.cap;
}

/** A cap, how many outputs are at most that, and what is sent least of all others. */
interface Capped {
  readonly cap: number;
  readonly below: number;
  readonly mass: number;
}

/**
 * By what outputs of at most a cap multiply the moment of the others, in logarithms, at a share of the tilt.
 *
 * @param ordered by their exponents
 */
function cappedMoment(
  ordered: readonly RareOutput[],
  share: number,
  users: number,
): (capped: Capped) => number {
  const excess = (exponent: number): number => Real.expm1(share * exponent) - share * exponent;
  // Of those before each output.
  const sums = new Float64Array(ordered.length + 1);
  let counted = 0;
  ordered.forEach(({ least, exponent, isFrequent }, i) => {
    sums[i + 1] = sums[i]! + least * excess(exponent);
    if (isFrequent) counted += (least * (share * exponent) ** 2) / 2;
  });
  return ({ cap, below, mass }) => users * (sums[below]! + (mass > 0 ? mass * excess(cap) : 0) - counted);
}

/** Least masses of the outputs from each one on, and these times exponents, summed. */
function sumsFromEach(ordered: readonly RareOutput[]): { masses: Float64Array; exponents: Float64Array } {
  const masses = new Float64Array(ordered.length + 1);
  const exponents = new Float64Array(ordered.length + 1);
  for (let i = ordered.length - 1; i >= 0; i--) {
    const { least, exponent } = ordered[i]!;
    masses[i] = masses[i + 1]! + least;
    exponents[i] = exponents[i + 1]! + least * exponent;
  }
  return { masses, exponents };
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
