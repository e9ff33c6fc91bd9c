/**
 * Metric privacy: inputs at distance d (in nats) are told apart by at most d. What accountants need of one
 * pair of inputs of the victim, for the rows of Table 3 of Wang et al., PVLDB 17(8), 2024. All others are
 * somewhere within a reach of both, so their density is at least e^-reach times the larger of the victim's
 * two: the blanket here.
 */
import {
  beyond,
  from,
  optional,
  ParameterError,
  real,
  Real,
  requirePositive,
  type AmplificationProfile,
  type Given,
  type LikelihoodAtoms,
  type MechanismCard,
  type MechanismModel,
} from '@shuffle-dp/core';
import { laplaceMass } from '../numbers/laplace-mechanism.ts';
import { likelihoodAtoms } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { cellCount, equalCells, withFewerCells } from '../laws/output-cells.ts';
import { LEAST_DELTA_OF_NOISE } from '../laws/typed-inputs.ts';
import { lineLaplacePair } from '../exponential-noise/line-laplace-inputs.ts';

export interface MetricPair {
  /** Distance in nats between the victim's two inputs, in (0, 700]. */
  readonly separation: number;
  /** Largest distance in nats of any input from either of them, from `separation` to 700. */
  readonly reach: number;
}

/** e^MOST is a finite double. */
const MOST = 700;

export const METRIC_PARAMETERS: MechanismCard['parameters'] = [
  {
    ...real('separation', beyond(0), from(MOST), "distance of the victim's two inputs, in nats"),
    unit: 'nats',
    setByTarget: { mostPrivate: 1e-6, leastPrivate: ({ reach }) => reach ?? MOST },
  },
  optional({
    ...real(
      'reach',
      from(({ separation }) => separation, 'separation'),
      from(MOST),
      'largest distance of any input from either of the two, in nats; default separation',
    ),
    unit: 'nats',
  }),
];

export const METRIC_GENERAL: MechanismCard = {
  name: 'metric-general',
  title: 'Any metric-private randomizer',
  holds: 'anything',
  description: 'Any randomizer whose privacy loss between inputs at distance d is at most d.',
  source: 'Chatzikokolakis, Andrés, Bordenabe and Palamidessi, PETS 2013',
  citation: 'chatzikokolakis2013',
  parameters: METRIC_PARAMETERS,
  ratios: { p: 'e^separation', beta: 'tanh(separation/2)', q: 'e^reach' },
  estimator: 'that of the randomizer in use',
  example: { separation: 1, reach: 2 },
  model: modelOfPair(generalMetricProfile),
};

export const METRIC_LAPLACE: MechanismCard = {
  ...METRIC_GENERAL,
  name: 'metric-laplace',
  title: 'Laplace noise on the line',
  holds: 'a number',
  description: 'A number with Laplace noise of scale one, distances in its units.',
  ratios: { p: 'e^separation', beta: '1 - e^(-separation/2)', q: 'e^reach' },
  estimator: 'the mean of the messages',
  model: modelOfPair(lineLaplaceProfile),
};

/**
 * One pair of the victim's inputs. No epsilon exceeds the reach, at which bounds for any randomizer are
 * evaluated.
 */
export function modelOfPair(profileOf: (pair: MetricPair) => AmplificationProfile): MechanismCard['model'] {
  return (given: Given<'separation'>): MechanismModel => {
    const { separation, reach = separation } = given;
    const pair = { separation, reach };
    return { epsilon0: reach, amplification: profileOf(pair), parameters: pair };
  };
}

/**
 * Any metric-private randomizer: published parameters, and no blanket, as the law is not known. The lower
 * bounds are those of one such randomizer. @throws ParameterError
 *
 * @example generalMetricProfile({ separation: 1, reach: 2 }).variationRatio // { p: 2.71828, pMinusOne: 1.71828, beta: 0.462117, q: 7.38906 }
 */
export function generalMetricProfile(pair: MetricPair): AmplificationProfile {
  requirePair(pair);
  const profile = metricProfile(pair, Real.tanh(pair.separation / 2), []);
  return { ...profile, homogeneous: threeOutputs(pair) };
}

/**
 * A randomizer that a metric allows for three inputs, the victim's two and one at distance `reach` from both.
 * With p and q the exponentials of the two distances, c = 1 + p + k and u = p / (q c), the inputs' laws are
 * (p, 1, k) / c, (1, p, k) / c and (u, u, 1 - 2u). The first two outputs are up to q times as likely for the
 * victim as for the third input; k makes the third output exactly q times as likely the other way round.
 */
function threeOutputs({ separation, reach }: MetricPair): LikelihoodAtoms[] {
  const p = Real.exp(separation);
  // k = (1 + p - 2 p / q) / (q - 1), which is about 1 where both distances are small.
  const k = (Real.expm1(separation) - 2 * Real.expm1(separation - reach)) / Real.expm1(reach);
  const c = 1 + p + k;
  const u = p / c / Real.exp(reach);
  const rest = k / c;
  const likelier = p / c;
  const other = 1 / c;
  return [
    likelihoodAtoms(
      'three outputs, all others hold an input at the largest distance from both of the victim',
      [
        [likelier, other, u],
        [other, likelier, u],
        [rest, rest, Real.exp(reach) * rest],
      ],
    ),
    likelihoodAtoms(
      "two outputs, all others hold the victim's first value",
      [
        [p / (1 + p), 1 / (1 + p), p / (1 + p)],
        [1 / (1 + p), p / (1 + p), 1 / (1 + p)],
      ],
      false,
    ),
  ];
}

/**
 * The value plus Laplace noise of scale 1, for inputs on a line.
 *
 * @throws ParameterError
 * @example lineLaplaceProfile({ separation: 1, reach: 2 }).variationRatio // { p: 2.71828, pMinusOne: 1.71828, beta: 0.393469, q: 7.38906 }
 */
export function lineLaplaceProfile(pair: MetricPair): AmplificationProfile {
  requirePair(pair);
  const { separation } = pair;
  const mass = (centre: number, from: number, to: number): number => laplaceMass(centre, 1, from, to) / 2;
  const cell = (from: number, to: number, start: number, end: number): LossCell => ({
    likelier: mass(0, from, to),
    other: mass(separation, from, to),
    start,
    end,
  });
  const edges = equalCells(0, separation / 2, cellCount(separation));
  const cells = [
    cell(-Infinity, 0, separation, separation),
    ...edges.slice(1).map((to, i) => cell(edges[i]!, to, separation - 2 * edges[i]!, separation - 2 * to)),
  ];
  const profile = metricProfile(pair, -Real.expm1(-separation / 2), cells);
  const { reach } = pair;
  return {
    ...profile,
    homogeneous: [...profile.homogeneous, farEnd(pair)],
    ...(reach <= LARGEST_REACH && {
      typed: {
        pairs: [lineLaplacePair('a pair at this distance', separation, reach)],
        leastDelta: LEAST_DELTA_OF_NOISE,
      },
    }),
  };
}

/** Beyond, the sharp bound gains nothing but among more users than there are people. */
const LARGEST_REACH = 20;

/**
 * All others hold the input at distance `reach` from the victim's first one, beyond the second: the furthest
 * from both. Between the three inputs ratios change, in cells; outside of them they are constant.
 */
function farEnd({ separation, reach }: MetricPair): LikelihoodAtoms {
  const edges = [
    -Infinity,
    ...equalCells(0, separation, cellCount(separation)),
    ...equalCells(separation, reach, cellCount(reach - separation)).slice(1),
    Infinity,
  ];
  const masses = (centre: number): Float64Array =>
    Float64Array.from(edges.slice(1), (to, i) => laplaceMass(centre, 1, edges[i]!, to) / 2);
  const victim0 = masses(0);
  const near = masses(separation);
  const ratio = Real.exp(separation);
  return withFewerCells({
    label: 'all others hold the input furthest from both of the victim',
    victim0,
    // Far out the distances from both places round by more than a small separation stands.
    victim1: victim0.map((mass, i) => (edges[i]! >= separation ? mass * ratio : near[i]!)),
    others: masses(reach),
    symmetric: false,
  });
}

/** Outputs that favour one of the victim's inputs; those that favour the other are their mirror images. */
export interface LossCell {
  /** Mass under the input that is favoured. */
  readonly likelier: number;
  readonly other: number;
  /** Log of the density ratio at both ends, between which it is monotone. */
  readonly start: number;
  readonly end: number;
}

type OfCell = (cell: LossCell) => number;

/** @throws ParameterError */
export function requirePair({ separation, reach }: MetricPair): void {
  requirePositive('separation', separation);
  if (!(separation <= MOST)) throw new ParameterError('separation', separation, `at most ${MOST}`);
  if (!(reach >= separation && reach <= MOST))
    throw new ParameterError('reach', reach, `from separation = ${separation} to ${MOST}`);
}

export function metricProfile(
  { separation, reach }: MetricPair,
  beta: number,
  cells: readonly LossCell[],
): AmplificationProfile {
  const variationRatio = { ...localRatios(separation, beta), q: Real.exp(reach) };
  if (cells.length === 0) return { variationRatio, blanket: [], homogeneous: [] };
  const mirrored = (favoured: OfCell, unfavoured: OfCell): Float64Array =>
    Float64Array.of(...cells.map(favoured), ...cells.map(unfavoured));
  const likelier: OfCell = (cell) => cell.likelier;
  const other: OfCell = (cell) => cell.other;
  const hidden: OfCell = (cell) => cell.likelier * Real.exp(-reach);
  const victim0 = mirrored(likelier, other);
  const victim1 = mirrored(other, likelier);
  const equal: OfCell = () => Real.exp(reach);
  const atStart: OfCell = ({ start }) => Real.exp(reach - start);
  const atEnd: OfCell = ({ end }) => Real.exp(reach - end);
  const blanket: LikelihoodAtoms = Object.freeze({
    label: 'a pair at this distance',
    victim0,
    victim1,
    others: mirrored(hidden, hidden),
    symmetric: true,
    cellEnds: Object.freeze({
      ratio0Start: mirrored(equal, atStart),
      ratio0End: mirrored(equal, atEnd),
      ratio1Start: mirrored(atStart, equal),
      ratio1End: mirrored(atEnd, equal),
    }),
  });
  const first = withFewerCells(
    {
      label: "all others hold the victim's first value",
      victim0,
      victim1,
      others: victim0,
      symmetric: false,
    },
    2,
  );
  return { variationRatio, blanket: [blanket], homogeneous: [first] };
}
