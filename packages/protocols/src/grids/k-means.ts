/**
 * K-means through shuffled histograms (S. Wang et al., "Numerical Composition for the Shuffle Model", 2025,
 * section 7.3, names it; S. Lloyd, "Least squares quantization in PCM", 1982). In each iteration a user finds
 * the nearest centre and answers a query for each coordinate: the cell (centre, bin of the coordinate). A
 * centre moves to the means of its cells' counts.
 *
 * One centre stands in the middle at first. As long as there are too few, the most scattered ones are split
 * in two along their widest coordinate (Y. Linde, A. Buzo and R. Gray, "An algorithm for vector quantizer
 * design", 1980): log2 K iterations double them to K. A centre with fewer users than noise alone would show
 * gives way to a half of the most scattered one.
 */
import { requireInteger, requireNonNegative } from '@shuffle-dp/core';
import { MOST_BINS, type CellHistogram } from '../trees/cell-histogram.ts';
import { histogramRounds, type ShuffledRounds } from '../trees/tree-rounds.ts';
import { binMiddle, type GridPoints } from './grid-points.ts';

export interface KMeansPlan {
  /** Centres K, at least 1. */
  readonly clusters: number;
  /** At least 1. */
  readonly iterations: number;
  /**
   * Standard deviations of noise that the users of a centre must exceed; default 2. Without noise it has no
   * effect.
   */
  readonly caution?: number;
}

/** Centres one after the other, each a point of the unit cube. */
export type Centres = Float64Array;

/**
 * Centres of clusters of users on a grid, by rounds of histograms of the users near each centre.
 *
 * @returns K centres; fewer where the iterations do not suffice to double them to K
 * @throws ParameterError, also where a query has more than 65,535 cells
 */
export function kMeans(
  points: GridPoints,
  { clusters, iterations, caution = 2 }: KMeansPlan,
  histogram: CellHistogram,
): Centres {
  const { bins, columns } = points;
  requireInteger('clusters', clusters, 1);
  requireInteger('iterations', iterations, 1);
  requireNonNegative('caution', caution);
  requireInteger('the number of cells', clusters * bins, 2, MOST_BINS);
  let centres = new Float64Array(columns.length).fill(0.5);
  for (let iteration = 0; iteration < iterations; iteration++) {
    const { found, variance } = askCentres(points, centres, clusters, iteration, histogram);
    const threshold = caution * Math.sqrt(variance);
    // Most scattered first.
    const living = found.filter(({ size }) => size > threshold).sort((a, b) => b.scatter - a.scatter);
    // What the last iteration split would never be refined.
    const split = iteration < iterations - 1 ? Math.min(living.length, clusters - living.length) : 0;
    // All of it is noise: there is nothing to go by.
    if (living.length === 0) continue;
    const next = living.flatMap((centre, place) => (place < split ? halves(centre) : [centre.mean]));
    centres = Float64Array.from(next.flat());
  }
  return centres;
}

/** What one iteration tells of a centre's users. */
interface FoundCentre {
  readonly size: number;
  /** By coordinate. */
  readonly mean: readonly number[];
  readonly spread: readonly number[];
  /** Users times their mean squared distance from the mean. */
  readonly scatter: number;
}

/** The queries of one iteration. `variance` is that of a centre's number of users. */
function askCentres(
  points: GridPoints,
  centres: Centres,
  clusters: number,
  iteration: number,
  histogram: CellHistogram,
): { readonly found: readonly FoundCentre[]; readonly variance: number } {
  const { bins, columns, users } = points;
  const nearest = nearestCentres(points, centres);
  const cells = new Uint16Array(users);
  let variance = 0;
  const answers = columns.map((column, j) => {
    for (let user = 0; user < users; user++) cells[user] = nearest[user]! * bins + column[user]!;
    const answer = histogram(cells, clusters * bins, iteration, j);
    variance = (answer.variance * bins) / columns.length;
    return answer.counts;
  });
  const found = Array.from({ length: centres.length / columns.length }, (_, k): FoundCentre => {
    const own = answers.map((counts) => momentsOf(counts.subarray(k * bins, (k + 1) * bins)));
    // Each query counts all users of the centre.
    const size = own.reduce((sum, moments) => sum + moments.size, 0) / columns.length;
    const spread = own.map((moments) => moments.spread);
    return {
      size,
      mean: own.map(({ mean }) => mean),
      spread,
      scatter: size * spread.reduce((sum, deviation) => sum + deviation * deviation, 0),
    };
  });
  return { found, variance };
}

/** Two places, a deviation to either side of the mean along the widest coordinate. */
function halves({ mean, spread }: FoundCentre): readonly (readonly number[])[] {
  const widest = spread.indexOf(Math.max(...spread));
  return [-1, 1].map((side) =>
    mean.map((x, j) => (j === widest ? Math.min(1, Math.max(0, x + side * spread[j]!)) : x)),
  );
}

/**
 * The rounds of a plan, whatever the data: d in each iteration, each over K times as many cells as a
 * coordinate has bins. @throws ParameterError
 */
export function kMeansRounds(
  { users, bins, dimensions }: { readonly users: number; readonly bins: number; readonly dimensions: number },
  { clusters, iterations }: KMeansPlan,
  messagesPerUser: number,
): readonly ShuffledRounds[] {
  return [histogramRounds(users, messagesPerUser, clusters * bins, dimensions * iterations)];
}

/** Mean squared distance of the users to their nearest centre, in the unit cube. */
export function meanSquaredDistance(points: GridPoints, centres: Centres): number {
  const nearest = nearestCentres(points, centres);
  const { columns, bins, users } = points;
  let sum = 0;
  for (let user = 0; user < users; user++)
    columns.forEach((column, j) => {
      sum += (binMiddle(column[user]!, bins) - centres[nearest[user]! * columns.length + j]!) ** 2;
    });
  return sum / users;
}

function nearestCentres({ columns, bins, users }: GridPoints, centres: Centres): Uint16Array {
  const dimensions = columns.length;
  const clusters = centres.length / dimensions;
  const nearest = new Uint16Array(users);
  for (let user = 0; user < users; user++) {
    let best = Infinity;
    for (let k = 0; k < clusters; k++) {
      let square = 0;
      for (let j = 0; j < dimensions; j++)
        square += (binMiddle(columns[j]![user]!, bins) - centres[k * dimensions + j]!) ** 2;
      if (square < best) [best, nearest[user]] = [square, k];
    }
  }
  return nearest;
}

/**
 * Of a coordinate among the users of one centre; noise may move mean and deviation anywhere, and they are cut
 * to [0, 1].
 */
function momentsOf(counts: Float64Array): {
  readonly size: number;
  readonly mean: number;
  readonly spread: number;
} {
  let [size, first, second] = [0, 0, 0];
  counts.forEach((count, bin) => {
    const x = binMiddle(bin, counts.length);
    size += count;
    first += count * x;
    second += count * x * x;
  });
  const whole = Math.max(1, size);
  const mean = Math.min(1, Math.max(0, first / whole));
  return { size, mean, spread: Math.sqrt(Math.min(1, Math.max(0, second / whole - mean ** 2))) };
}
