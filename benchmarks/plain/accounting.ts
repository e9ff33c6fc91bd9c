/**
 * Accountants as one would first write them: sums over windows of nine standard deviations, losses on a grid
 * and Fourier transforms, bisection. None bounds what it leaves out, its grid or its rounding.
 */
import {
  binomialPmf,
  binomialTail,
  forwardTransform,
  inverseTransform,
  raiseSpectrum,
  type LikelihoodAtoms,
  type VariationRatio,
} from '@shuffle-dp/core';

const DEVIATIONS = 9;

/**
 * The smallest epsilon in [0, most] at which a falling `divergence` is at most `delta`, and the steps that
 * find it.
 */
export function plainEpsilon(
  divergence: (epsilon: number) => number,
  delta: number,
  most: number,
  steps: number,
): number {
  let low = 0;
  let high = most;
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (divergence(middle) > delta) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Of the general pair with largest ratio p: one loop over the number of clones, with running binomial tails.
 */
export function plainGeneralDivergence(p: number, users: number, epsilon: number): number {
  const share = 2 / (p + 1);
  const spread = Math.sqrt(users * share * (1 - share));
  const first = Math.max(1, Math.floor(users * share - DEVIATIONS * spread));
  const last = Math.min(users, Math.ceil(users * share + DEVIATIONS * spread));
  const slope = (Math.tanh(epsilon / 2) * (p + 1)) / (2 * (p - 1));
  let k = Math.floor(first / 2 + slope * first) + 1;
  let weight = binomialPmf(first, users, share);
  let tail = binomialTail(k, first - 1, 0.5);
  let point = binomialPmf(k - 1, first - 1, 0.5);
  let sum = 0;
  for (let m = first; m <= last; m++) {
    const d = slope * m;
    for (; k <= Math.floor(m / 2 + d); k++) {
      point *= (m - k) / k;
      tail -= point;
    }
    sum += weight * (-d * tail + ((m / 2 - d) * point) / 2);
    weight *= (((users - m) / (m + 1)) * share) / (1 - share);
    tail += point / 2;
    point *= m / (2 * (m - k + 1));
  }
  return ((p - 1) * (1 + Math.exp(epsilon)) * sum) / users;
}

/**
 * Every pair of counts of a variation-ratio pair with its probability under both hypotheses (Wang et al.,
 * PVLDB 17(8), 2024, Definition 4.2): clones among the other users, a fair coin for each, and the victim's
 * own message.
 */
export function forEachPairCell(
  { p, beta, q }: VariationRatio,
  users: number,
  visit: (first: number, second: number) => void,
): void {
  const low = p === Infinity ? 0 : beta / (p - 1);
  const high = beta + low;
  const share = (2 * high) / q;
  const window = (n: number, chance: number): [number, number] => {
    const spread = DEVIATIONS * Math.sqrt(n * chance * (1 - chance)) + 1;
    return [Math.max(0, Math.floor(n * chance - spread)), Math.min(n, Math.ceil(n * chance + spread))];
  };
  const [least, most] = window(users - 1, share);
  const clones = (c: number): number => (c < 0 ? 0 : binomialPmf(c, users - 1, share));
  for (let total = least; total <= most + 1; total++) {
    // With `total` messages that look like either: the victim's is one of them, or not.
    const joined = clones(total - 1);
    const absent = clones(total) * (1 - high - low);
    const [from, to] = window(total, 0.5);
    let before = from === 0 ? 0 : binomialPmf(from - 1, total - 1, 0.5);
    let whole = binomialPmf(from, total, 0.5);
    for (let a = from; a <= to; a++) {
      const after =
        total === 0 ? 0 : before === 0 ? binomialPmf(a, total - 1, 0.5) : (before * (total - a)) / a;
      visit(
        joined * (high * before + low * after) + absent * whole,
        joined * (low * before + high * after) + absent * whole,
      );
      before = after;
      whole *= (total - a) / (a + 1);
    }
  }
}

export function plainPairDivergence(pair: VariationRatio, users: number, epsilon: number): number {
  const expEpsilon = Math.exp(epsilon);
  let sum = 0;
  forEachPairCell(pair, users, (first, second) => {
    if (first > expEpsilon * second) sum += first - expEpsilon * second;
  });
  return sum;
}

/** Points of a grid of losses: enough at ten thousand users, few at a million. */
const MOST_POINTS = 2 ** 20;

/**
 * What n slots that show atoms, or nothing, hide: the loss of one slot on a grid, its transform to the power
 * n, the mean of the positive part.
 */
export function plainBlanketDivergence(atoms: LikelihoodAtoms, users: number, epsilon: number): number {
  const { victim0, victim1, others } = atoms;
  const expEpsilon = Math.exp(epsilon);
  let mean = 0;
  let square = 0;
  let uncovered = 0;
  const losses = Array.from(others, (other, y) => {
    const excess = victim0[y]! - expEpsilon * victim1[y]!;
    mean += other > 0 ? excess : 0;
    square += other > 0 ? (excess * excess) / other : 0;
    if (other === 0) uncovered += Math.max(0, excess);
    return other > 0 ? excess / other : 0;
  });
  const points = Math.min(MOST_POINTS, 2 ** Math.ceil(Math.log2(2600 * Math.sqrt(users))));
  const spread = Math.sqrt(users * (square - mean * mean));
  const step = (24 * spread) / points;
  const grid = new Float64Array(points);
  // Each mass goes to the two points beside it, so that the mean stays.
  const put = (place: number, mass: number): void => {
    const below = Math.floor(place);
    grid[((below % points) + points) % points]! += mass * (1 - place + below);
    grid[(((below + 1) % points) + points) % points]! += mass * (place - below);
  };
  let shown = 0;
  losses.forEach((loss, y) => {
    shown += others[y]!;
    put(loss / step, others[y]!);
  });
  put(0, 1 - shown);
  const spectrum = forwardTransform(grid, points);
  raiseSpectrum(spectrum, users);
  const sums = inverseTransform(spectrum);
  const centre = Math.round((users * mean) / step);
  let positive = 0;
  for (let place = centre - points / 2; place < centre + points / 2; place++)
    if (place > 0) positive += place * step * sums[((place % points) + points) % points]!;
  return uncovered + positive / users;
}

/** Masses of losses at multiples of `step`; the second half stands for negative ones. */
export interface LossGrid {
  readonly step: number;
  readonly masses: Float64Array;
}

/**
 * Losses of the shuffled pair, each rounded to the two points of the grid beside it so that its mean stays.
 */
export function pairLosses(pair: VariationRatio, users: number, step: number, points: number): LossGrid {
  const masses = new Float64Array(points);
  forEachPairCell(pair, users, (first, second) => {
    if (first === 0 || second === 0) return;
    const place = Math.log(first / second) / step;
    const below = Math.floor(place);
    masses[(below + points) % points]! += first * (1 - place + below);
    masses[(below + 1 + points) % points]! += first * (place - below);
  });
  return { step, masses };
}

/** The law whose curve joins `count` points of a symmetric profile by straight lines in e^epsilon. */
export function profileLosses(
  profile: (epsilon: number) => number,
  step: number,
  count: number,
  points: number,
): LossGrid {
  const right = Array.from({ length: count + 1 }, (_, i) => profile(i * step));
  const curve = (i: number): number => {
    if (Math.abs(i) > count) return Math.max(0, -Math.expm1(i * step));
    return i >= 0 ? right[i]! : -Math.expm1(i * step) + Math.exp(i * step) * right[-i]!;
  };
  const slope = (i: number): number =>
    (curve(i + 1) - curve(i)) / (Math.exp((i + 1) * step) - Math.exp(i * step));
  const masses = new Float64Array(points);
  for (let i = -count; i <= count; i++)
    masses[(i + points) % points] = Math.exp(i * step) * Math.max(0, slope(i) - slope(i - 1));
  return { step, masses };
}

/** After many rounds: the transform to their power, bisection on what comes out. */
export function plainComposedEpsilon({ step, masses }: LossGrid, rounds: number, delta: number): number {
  const spectrum = forwardTransform(masses, masses.length);
  raiseSpectrum(spectrum, rounds);
  const sums = inverseTransform(spectrum);
  const half = masses.length / 2;
  const divergence = (epsilon: number): number => {
    let sum = 0;
    for (let i = Math.ceil(epsilon / step); i < half; i++) sum -= sums[i]! * Math.expm1(epsilon - i * step);
    return sum;
  };
  return plainEpsilon(divergence, delta, half * step, 45);
}
