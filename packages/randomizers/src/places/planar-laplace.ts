/**
 * The planar Laplace mechanism for places: noise in the plane of density epsilon^2 e^(-epsilon |z|) / (2 pi).
 * M. Andres, N. Bordenabe, K. Chatzikokolakis, C. Palamidessi, "Geo-Indistinguishability", CCS 2013. Two
 * places are told apart by at most epsilon times their distance.
 */
import {
  compensatedSum,
  integrateSmooth,
  onDemand,
  Real,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type LocalRandomizer,
  type MechanismCard,
  type ShuffledMessages,
  type TypedInputs,
} from '@shuffle-dp/core';
import {
  METRIC_GENERAL,
  metricProfile,
  modelOfPair,
  requirePair,
  type LossCell,
  type MetricPair,
} from './metric-privacy.ts';
import { cellCount, equalCells } from '../laws/output-cells.ts';
import { profileOnDemand } from '../laws/profile-on-demand.ts';
import { CLOSELY, planarLaplacePair, WIDELY } from './planar-inputs.ts';
import { apexAtoms } from './planar-lens.ts';

export interface PlanarLaplaceParameters {
  /** Nats per unit of distance, positive. */
  readonly epsilonPerUnit: number;
  /** Distance between the two places of the victim that are to be hidden, in units. */
  readonly separation: number;
  /** Largest distance of any user's place from either of the two, in units; default `separation`. */
  readonly reach?: number;
}

/** Users' places; all in one unit of length. */
export type Places = { readonly x: Float64Array; readonly y: Float64Array };

export interface PlanarLaplace extends LocalRandomizer<Places, Places> {
  readonly epsilonPerUnit: number;
  /** Density of a message at a place of this distance from the user's. */
  density(distance: number): number;
  /** Variance of either coordinate of a message, in squared units. */
  readonly variance: number;
  /** Unbiased estimate of the mean of the users' places. */
  estimateMean(messages: ShuffledMessages<Places>): { readonly x: number; readonly y: number };
}

export const PLANAR_LAPLACE: MechanismCard = {
  ...METRIC_GENERAL,
  name: 'planar-laplace',
  title: 'Planar Laplace mechanism',
  holds: 'a place',
  description: 'A place with noise whose density falls exponentially with the distance.',
  source: 'Andrés, Bordenabe, Chatzikokolakis and Palamidessi, CCS 2013',
  citation: 'andres2013',
  ratios: {
    p: 'e^separation',
    beta: '(2/pi) times the integral of u K1(u) from 0 to separation/2',
    q: 'e^reach',
  },
  estimator: 'the mean of the messages',
  model: modelOfPair(planarLaplaceProfile),
};

/**
 * `epsilon0` of the result is that of two places at distance `separation`.
 * @throws ParameterError
 * @example planarLaplace({ epsilonPerUnit: 1, separation: 1, reach: 2 }).epsilon0 // 1
 */
export function planarLaplace({
  epsilonPerUnit,
  separation,
  reach = separation,
}: PlanarLaplaceParameters): PlanarLaplace {
  requirePositive('epsilonPerUnit', epsilonPerUnit);
  requirePositive('separation', separation);
  const pair = { separation: epsilonPerUnit * separation, reach: epsilonPerUnit * reach };
  requirePair(pair);
  return Object.freeze({
    name: 'planar-laplace',
    epsilon0: pair.separation,
    epsilonPerUnit,
    variance: 3 / (epsilonPerUnit * epsilonPerUnit),
    bitsPerMessage: 128,
    allocate: (users: number) => ({
      columns: { x: new Float64Array(users), y: new Float64Array(users) },
      count: 0,
    }),
    randomizeInto(values, messages, stream) {
      const { x, y } = messages.columns;
      for (let i = 0; i < values.x.length; i++) {
        // The distance is a sum of two exponentials.
        const distance = -(Real.log(stream.nextOpen()) + Real.log(stream.nextOpen())) / epsilonPerUnit;
        const angle = 2 * Math.PI * stream.next();
        x[i] = values.x[i]! + distance * Math.cos(angle);
        y[i] = values.y[i]! + distance * Math.sin(angle);
      }
      messages.count = values.x.length;
    },
    density: (distance) => (epsilonPerUnit ** 2 * Real.exp(-epsilonPerUnit * distance)) / (2 * Math.PI),
    estimateMean({ columns: { x, y }, count }) {
      requireInteger('the number of messages', count, 1);
      return {
        x: compensatedSum(x.subarray(0, count)) / count,
        y: compensatedSum(y.subarray(0, count)) / count,
      };
    },
    amplification: () => planarLaplaceProfile(pair),
  } satisfies PlanarLaplace);
}

/**
 * The same for distances in nats. In elliptic coordinates around the victim's two places, f = separation / 2,
 * the distances are f (cosh m -+ cos v): the loss is separation cos v, and the integral over m is of Bessel
 * functions. So the law of the loss has, over v in (0, pi), the density (f^2 / pi) e^(f cos v)
 * (K1(f) / f + sin(v)^2 K0(f)).
 * @throws ParameterError
 * @example planarLaplaceProfile({ separation: 1, reach: 2 }).variationRatio // { p: 2.71828, pMinusOne: 1.71828, beta: 0.29596, q: 7.38906 }
 */
export function planarLaplaceProfile(pair: MetricPair): AmplificationProfile {
  const profile = planarPairProfile(pair);
  const isFar = pair.reach > LARGEST_REACH || pair.reach > FURTHEST_OTHERS * pair.separation;
  return profileOnDemand(profile.variationRatio, {
    blanket: () => profile.blanket,
    homogeneous: () => [apexAtoms(pair), ...profile.homogeneous],
    ...(!isFar && { typed: () => placesInReach(pair) }),
  });
}

/** Pairs take half a second, which whoever asks only whether there are any need not spend. */
function placesInReach(pair: MetricPair): TypedInputs {
  const closely = onDemand(() => [planarLaplacePair('the two places', pair, CLOSELY)]);
  const widely = onDemand(() => [planarLaplacePair('the two places', pair, WIDELY)]);
  return {
    takesLong: true,
    get pairs() {
      return closely();
    },
    pairsNear: (epsilon) => (epsilon > LARGE_EPSILON * pair.separation ? widely() : closely()),
  };
}

/** Over the separation: some hundred thousand users have it, and a bound leaves 2 % of it open. */
const LARGE_EPSILON = 0.012;

/**
 * Of a larger reach there are too many places, and the blanket is too small for a buffer; for places of the
 * victim that are much closer to each other than to the others, all of a circle is about as bad.
 */
const [LARGEST_REACH, FURTHEST_OTHERS] = [2.25, 3];

/**
 * Without the data set whose other users are at the place furthest from both, which takes long. @throws
 * ParameterError
 */
export function planarPairProfile(pair: MetricPair): AmplificationProfile {
  requirePair(pair);
  const { separation } = pair;
  const f = separation / 2;
  const [k0, k1] = [scaledBessel(0, f), scaledBessel(1, f)];
  const density = (v: number, sign: number): number =>
    ((f * Real.exp(f * (sign * Real.cos(v) - 1))) / Math.PI) * (k1 + f * Real.sin(v) ** 2 * k0);
  const edges = equalCells(0, Math.PI / 2, cellCount(separation));
  const cells = edges.slice(1).map((to, i): LossCell => {
    const from = edges[i]!;
    return {
      likelier: integrateSmooth((v) => density(v, 1), from, to, 8),
      other: integrateSmooth((v) => density(v, -1), from, to, 8),
      start: separation * Real.cos(from),
      end: i + 2 === edges.length ? 0 : separation * Real.cos(to),
    };
  });
  const half = (v: number): number => density(v, 1) * -Real.expm1(-separation * Real.cos(v));
  const beta = compensatedSum(
    Float64Array.from(cells, (_, i) => integrateSmooth(half, edges[i]!, edges[i + 1]!, 8)),
  );
  return metricProfile(pair, beta, cells);
}

/**
 * e^f K_order(f), the modified Bessel function: the integral of e^(-f (cosh t - 1)) cosh(order t) by
 * trapezia.
 */
function scaledBessel(order: number, f: number): number {
  const step = Math.min(0.05, 0.25 / Math.sqrt(f));
  let sum = 0.5;
  for (let t = step; ; t += step) {
    const term = Real.exp(-2 * f * Real.sinh(t / 2) ** 2) * Real.cosh(order * t);
    sum += term;
    if (term < 1e-20 * sum) return sum * step;
  }
}
