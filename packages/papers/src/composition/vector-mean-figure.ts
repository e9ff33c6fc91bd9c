/**
 * What a mean of vectors by sampled vector randomized response costs: error against central epsilon and the
 * bits sent.
 */
import { meanConfidenceInterval, RandomStream, RunningMoments } from '@shuffle-dp/core';
import { averageVector, sampledVectorMean, type VectorData } from '@shuffle-dp/protocols';
import type { ChartPoint } from '@shuffle-dp/experiments/charts';
import { tableOf } from '../claims/table-values.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';
import { inTurn } from '../figures/in-turn.ts';

const ID = 'comp.vectors';
const USERS = 10_000;
const DIMENSIONS = 32;
const DELTA = 1e-6;
const BITS = [1, 2, 4, 8];

export const VECTOR_MEAN_FIGURE: Figure = {
  id: ID,
  paper: 'composition',
  title: 'Composition paper: means of vectors by sampled vector randomized response',
  caption:
    'Error of the mean of 10,000 vectors of 32 bits after one shuffled round, against the central epsilon that is certified; every user ' +
    'sends s of the bits, flipped now and then. Dashed: the exact expected error. Not a figure of the paper.',
  cost: { full: 8, quick: 2 },
  make: vectorMeans,
};

interface Point {
  readonly bits: number;
  readonly epsilon: number;
  readonly epsilon0: number;
  readonly mse: number;
  readonly low: number;
  readonly high: number;
  readonly expected: number;
}

async function vectorMeans(context: FigureContext): Promise<FigureResult> {
  const trials = context.quick ? 10 : 50;
  const epsilons = context.quick ? [0.1, 0.5, 2] : [0.1, 0.2, 0.5, 1, 2];
  const data = sparseVectors();
  const truth = averageVector(data);
  const curves = await inTurn(BITS, context, (bits) => {
    context.report(`${ID}: ${bits} bits`);
    return inTurn(epsilons, context, (epsilon): Point => {
      const protocol = sampledVectorMean(
        { kind: 'vector-mean', sampled: bits },
        { users: USERS, dimensions: DIMENSIONS, delta: DELTA, epsilon },
      );
      const moments = new RunningMoments();
      for (let trial = 0; trial < trials; trial++) {
        const stream = RandomStream.fromSeed(ID).fork(bits).fork(epsilon).fork(trial);
        const estimate = protocol.run(data, stream, 'messages');
        moments.add(estimate.reduce((sum, value, j) => sum + (value - truth[j]!) ** 2, 0));
      }
      const { lower, upper } = meanConfidenceInterval(moments);
      const epsilon0 = protocol.parameters.epsilon0;
      const expected = protocol.expectedError(data);
      return { bits, epsilon, epsilon0, mse: moments.mean, low: lower, high: upper, expected };
    });
  });
  const points = curves.flat();
  const series = (bits: number, pointOf: (point: Point) => ChartPoint): ChartPoint[] =>
    points.filter((point) => point.bits === bits).map(pointOf);
  return {
    charts: [
      {
        chart: {
          id: ID,
          title: 'Means of vectors after shuffling',
          subtitle: `n = 10,000, 32 dimensions, delta = 1e-6; ${trials} trials, 95 % intervals`,
          x: { title: 'central epsilon, certified (nats)', scale: 'log' },
          y: { title: 'sum of squared errors, mean', scale: 'log' },
          panels: [
            {
              title: '',
              series: BITS.flatMap((bits) => [
                {
                  name: `s = ${bits}`,
                  style: 'measured' as const,
                  points: series(bits, ({ epsilon, mse, low, high }) => ({ x: epsilon, y: mse, low, high })),
                },
                {
                  name: `s = ${bits}, expected`,
                  style: 'theory' as const,
                  colourKey: `s = ${bits}`,
                  points: series(bits, ({ epsilon, expected }) => ({ x: epsilon, y: expected })),
                },
              ]),
            },
          ],
        },
        caption: 'The local budget is the largest that meets the central target.',
      },
    ],
    table: tableOf(points, {
      bits: 'bits',
      epsilon: 'epsilon',
      epsilon0: 'epsilon0',
      trials: () => trials,
      mse: 'mse',
      mse_ci_low: 'low',
      mse_ci_high: 'high',
      mse_theory: 'expected',
    }),
    notes: [`Seed ${ID}; coordinate j is 1 with probability 1 / (j + 2).`],
  };
}

function sparseVectors(): VectorData {
  const stream = RandomStream.fromSeed(ID).fork('data');
  const values = new Float32Array(USERS * DIMENSIONS);
  for (let i = 0; i < values.length; i++) values[i] = stream.next() < 1 / ((i % DIMENSIONS) + 2) ? 1 : 0;
  return { kind: 'vectors', users: USERS, dimensions: DIMENSIONS, values };
}
