/**
 * Outputs at which the victim's first value is far likelier than another user's: rare, but with gains so
 * large that no exponential moment would be left. There the victim's mass is charged in full, as
 * f(nu + nu') <= f(nu) + the positive part of nu'.
 */
import { Real, type OtherInput } from '@shuffle-dp/core';

/**
 * Inputs without these outputs, and the mass that is charged. All inputs are of one pair, so the outputs are
 * the same for all.
 */
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
  if (inputs.some((input) => input.victim0 !== victim0 || input.victim1 !== victim1)) {
    return { inputs, charged: 0 };
  }
  const gain = (y: number): number => victim0[y]! - expEpsilon * victim1[y]!;
  const isRare = victim0.map(() => 0);
  const normals = inputs.map(({ own }) => normalOf(own, victim0, gain));
  // One tilt serves all inputs: that of the worst, which is the least.
  const tilt = Math.min(...normals.map((normal) => usualTilt(normal, users, target)));
  const logAt = ({ variance, down }: NormalGains, theta: number): number =>
    users * theta * ((theta * variance) / 2 - down) - Real.log(theta / tilt);
  const worst = Math.max(...normals.map((normal) => logAt(normal, tilt)));
  const stakes = inputs.map(({ own }, i) => ({
    ...stakesOf(own, victim0, gain, { users, tilt }),
    base: TILT_SHARES.map((share) => logAt(normals[i]!, share * tilt) - worst),
  }));
  const largest = (y: number): number => Math.max(...stakes.map(({ exponents }) => exponents.get(y) ?? 0));
  const candidates = [...new Set(stakes.flatMap(({ exponents }) => [...exponents.keys()]))];
  candidates.sort((a, b) => largest(b) - largest(a));
  for (const y of candidates.slice(0, bestNumber(candidates, stakes, gain, target))) isRare[y] = 1;
  if (!isRare.includes(1)) return { inputs, charged: 0 };
  const usual = (masses: Float64Array): Float64Array => masses.map((mass, y) => (isRare[y] ? 0 : mass));
  const charged = victim0.reduce((sum, _, y) => sum + (isRare[y] ? Math.max(0, gain(y)) : 0), 0);
  const shared = { victim0: usual(victim0), victim1: usual(victim1) };
  return { inputs: inputs.map((input) => ({ ...input, ...shared })), charged: charged * (1 + 1e-12) };
}

/**
 * Of one input: the exponents of its outputs at about the tilt of the bound, where they are above 1, and what
 * keeping them costs.
 */
interface Stakes {
  readonly exponents: ReadonlyMap<number, number>;
  /** At shares of that tilt, the tilted moment over the worst one without them, in logarithms; */
  readonly base: readonly number[];
  /** and by how much more with an output. */
  readonly added: (y: number, share: number) => number;
}

/** Tilts that are tried, over that which suits the sum without such outputs: with them it is smaller. */
const TILT_SHARES = [1.05, 1, 0.93, 0.85, 0.75, 0.6];

function stakesOf(
  own: Float64Array,
  victim0: Float64Array,
  gain: (y: number) => number,
  { users, tilt }: { readonly users: number; readonly tilt: number },
): Omit<Stakes, 'base'> {
  const exponents = new Map<number, number>();
  own.forEach((mass, y) => {
    const exponent = mass > 0 ? (tilt * gain(y)) / mass : 0;
    if (exponent > 1) exponents.set(y, exponent);
  });
  const added = (y: number, share: number): number => {
    const exponent = share * exponents.get(y)!;
    // Those that are frequent count in the variance already.
    const counted = victim0[y]! > FREQUENT ? (exponent * exponent) / 2 : 0;
    return users * own[y]! * (Real.expm1(exponent) - exponent - counted);
  };
  return { exponents, added };
}

/** Of one user: minus the mean of the gains, and their variance but for rare outputs. */
interface NormalGains {
  readonly down: number;
  readonly variance: number;
}

function normalOf(own: Float64Array, victim0: Float64Array, gain: (y: number) => number): NormalGains {
  let [variance, down] = [0, 0];
  for (let y = 0; y < own.length; y++) {
    down -= gain(y);
    if (own[y]! > 0 && victim0[y]! > FREQUENT) variance += gain(y) ** 2 / own[y]!;
  }
  return { down, variance };
}

/**
 * Ratios of the buffer multiply the tilt: one so large, which is as rare as this in logarithms, must not
 * decide.
 */
const [FAR_RATIO, FAR_NATS] = [3, 8];

/**
 * How many of the candidates, the first ones, are best charged: so that the rest of a bound of the target has
 * the most room.
 */
function bestNumber(
  candidates: readonly number[],
  stakes: readonly Stakes[],
  gain: (y: number) => number,
  target: number,
): number {
  const sums = stakes.map(({ base }) => ({ base, usual: base.map(() => 0), far: base.map(() => 0) }));
  /** The worst input's bound over the target, at the best tilt for all. */
  const worst = (): number => {
    const logs = TILT_SHARES.map((_, k) =>
      Math.max(...sums.map(({ base, usual, far }) => base[k]! + Math.max(usual[k]!, far[k]! - FAR_NATS))),
    );
    return Real.exp(Math.min(700, ...logs));
  };
  /**
   * What the rest of a bound of the target may be, over what it grows by: the larger the better; below 0
   * where the charge alone exceeds it.
   */
  const room = (charged: number): number => {
    const left = target - charged;
    return left > 0 ? left / worst() : left - target * worst();
  };
  let charged = candidates.reduce((sum, y) => sum + Math.max(0, gain(y)), 0);
  let best = { number: candidates.length, room: room(charged) };
  for (let number = candidates.length - 1; number >= 0; number--) {
    const y = candidates[number]!;
    charged = Math.max(0, charged - Math.max(0, gain(y)));
    stakes.forEach(({ exponents, added }, i) => {
      if (!exponents.has(y)) return;
      const { usual, far } = sums[i]!;
      TILT_SHARES.forEach((share, k) => {
        usual[k]! += added(y, share);
        far[k]! += added(y, FAR_RATIO * share);
      });
    });
    const left = room(charged);
    if (left > best.room) best = { number, room: left };
  }
  return best.number;
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
