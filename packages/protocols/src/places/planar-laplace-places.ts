/**
 * Places by planar Laplace noise, one noisy place per user, shuffled (Andrés et al., CCS 2013, for the
 * noise): the mean place, or how many users are in each cell of a grid. The noise is the least that is proved
 * to meet the central target for every two places of the region.
 *
 * For a grid users send around the middle of their cell, so that the law of a message is known by cell, and
 * the counts of messages are put right by the inverse of that law. A grid that is fine beside the noise has
 * large errors.
 */
import {
  onDemand,
  sampleGamma,
  sampleGaussian,
  sampleMultinomial,
  type RandomStream,
  type ShuffledMessages,
} from '@shuffle-dp/core';
import {
  cellOf,
  gridMasses,
  middleOfCell,
  regionLaplace,
  type PlanarLaplace,
  type Places,
} from '@shuffle-dp/randomizers';
import { localBudget, messageStatements } from '../local-budget.ts';
import { LOCAL_BUDGET, type PlaceProtocolCard } from '../protocol-card.ts';
import { checkPlaceSetting, type PlaceSetting } from '../setting.ts';
import type { PlaceProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled, type Trace } from '../traced-shuffle.ts';
import { gridEstimator, type GridEstimator } from './grid-estimator.ts';
import { checkPlaces, gridHistogram, insideRegion, meanPlace, type PlaceData } from './place-data.ts';

export interface PlanarLaplacePlacesSpec {
  readonly kind: 'planar-laplace';
  /**
   * Local budget in nats of the two places furthest apart; absent: the largest that meets the setting's
   * central target.
   */
  readonly epsilon0?: number;
}

export type PlanarLaplacePlacesParameters = {
  readonly epsilon0: number;
  /** In nats per unit of length. */
  readonly epsilonPerUnit: number;
};

export const PLANAR_LAPLACE_PLACES: PlaceProtocolCard<
  PlanarLaplacePlacesSpec,
  PlanarLaplacePlacesParameters
> = {
  kind: 'planar-laplace',
  title: 'Planar Laplace',
  dataKind: 'places',
  task: 'frequencies',
  setByTarget: 'local budget',
  fields: [LOCAL_BUDGET],
  create: planarLaplacePlaces,
};

/** What is made of the messages. */
interface Estimation {
  /** What users send around. */
  readonly sent: (data: PlaceData) => Places;
  readonly analyze: (shuffled: ShuffledMessages<Places>) => Float64Array;
  readonly aggregated: (data: PlaceData, stream: RandomStream) => Float64Array;
  readonly expectedError: (data: PlaceData) => number;
}

/** @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon */
export function planarLaplacePlaces(
  spec: PlanarLaplacePlacesSpec,
  setting: PlaceSetting,
): PlaceProtocol<PlanarLaplacePlacesParameters> {
  const { users, region, measure } = checkPlaceSetting(setting);
  const make = (budget: number): PlanarLaplace => regionLaplace(budget, region);
  const { epsilon0, by } = localBudget(spec.epsilon0, make, setting, 'sharpest');
  const randomizer = make(epsilon0);
  const { epsilonPerUnit, bitsPerMessage } = randomizer;
  const estimation =
    measure === 'mean' ? meanEstimation(randomizer, setting) : gridEstimation(randomizer, setting);
  return Object.freeze({
    kind: 'planar-laplace',
    name: 'Planar Laplace',
    description:
      measure === 'mean'
        ? 'One noisy place per user, shuffled.'
        : 'One noisy place per user, around the middle of the own cell, shuffled.',
    parameters: Object.freeze({ epsilon0, epsilonPerUnit }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: null,
    run: (data, stream, path, trace?: Trace) => {
      checkPlaces(data, users);
      if (path === 'aggregated') return estimation.aggregated(data, stream);
      const sent = estimation.sent(data);
      return estimation.analyze(randomizedAndShuffled('places', randomizer, sent, { users, stream, trace }));
    },
    ...messageStatements(randomizer, setting, 'sharpest', by),
    expectedError: (data) => {
      checkPlaces(data, users);
      return estimation.expectedError(data);
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: bitsPerMessage }),
  } satisfies PlaceProtocol<PlanarLaplacePlacesParameters>);
}

/** Places outside the region are moved to its nearest one, which biases. */
function meanEstimation(
  { epsilonPerUnit, variance, estimateMean }: PlanarLaplace,
  { users, region }: PlaceSetting,
): Estimation {
  return {
    sent: (data) => insideRegion(data, region),
    analyze: (shuffled) => {
      const { x, y } = estimateMean(shuffled);
      return Float64Array.of(x, y);
    },
    // Planar Laplace noise is normal noise whose variance is of the gamma law of shape 3/2; those of sums add
    // up.
    aggregated: (data, stream) => {
      const inside = meanPlace({ ...data, ...insideRegion(data, region) });
      const deviation = Math.sqrt(2 * sampleGamma(1.5 * users, stream)) / epsilonPerUnit / users;
      return inside.map((value) => value + deviation * sampleGaussian(stream));
    },
    expectedError: (data) => {
      const inside = meanPlace({ ...data, ...insideRegion(data, region) });
      const shift = meanPlace(data).reduce((sum, value, i) => sum + (inside[i]! - value) ** 2, 0);
      return (2 * variance) / users + shift;
    },
  };
}

function gridEstimation(
  { epsilonPerUnit }: PlanarLaplace,
  { users, region, side }: PlaceSetting,
): Estimation {
  const cells = side * side;
  const law = onDemand(() => {
    const masses = gridMasses(region, side, epsilonPerUnit);
    return { masses, estimator: gridEstimator(masses, cells) };
  });
  const fractions = (estimator: GridEstimator, counts: Float64Array): Float64Array =>
    estimator.estimate(counts).map((count) => count / users);
  return {
    sent: ({ x, y }) => {
      const middles = { x: new Float64Array(users), y: new Float64Array(users) };
      for (let u = 0; u < users; u++) {
        const middle = middleOfCell(region, side, cellOf(region, side, x[u]!, y[u]!));
        middles.x[u] = middle.x;
        middles.y[u] = middle.y;
      }
      return middles;
    },
    analyze: ({ columns: { x, y }, count }) => {
      const counts = new Float64Array(cells);
      for (let i = 0; i < count; i++) counts[cellOf(region, side, x[i]!, y[i]!)]!++;
      return fractions(law().estimator, counts);
    },
    aggregated: (data, stream) => {
      const { masses, estimator } = law();
      const counts = new Float64Array(cells);
      gridHistogram(data, region, side).forEach((holders, cell) => {
        if (holders > 0)
          sampleMultinomial(holders, masses.subarray(cell * cells, (cell + 1) * cells), counts, stream);
      });
      return fractions(estimator, counts);
    },
    expectedError: (data) => {
      const { spread } = law().estimator;
      const held = gridHistogram(data, region, side);
      return held.reduce((sum, holders, cell) => sum + holders * spread[cell]!, 0) / (users * users);
    },
  };
}
