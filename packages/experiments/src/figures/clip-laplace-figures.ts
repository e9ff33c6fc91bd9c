/**
 * Figures 6, 9 and 10 of Y. Liu et al., "Echo of Neighbors", AAAI 2023: how far an average of Clip-Laplace messages is from
 * its expectation, and variance and bias of one message beside those of Laplace noise. The messages are drawn around the
 * values, as published (correction 'average').
 */
import {
  interval,
  meanConfidenceInterval,
  RandomStream,
  type RunningMoments,
  type Interval,
  type MeanRandomizer,
  type UserMessages,
  type ValueColumns,
} from '@shuffle-dp/core';
import { clipLaplace, laplaceMechanism } from '@shuffle-dp/randomizers';
import type { ChartPanel, ChartSeries } from '../charts/chart.ts';
import { momentsOf } from '../results/trial-statistics.ts';
import type { Figure, FigureContext, FigureResult } from './figure.ts';

const APPROXIMATION = 'apes.fig6';
const USERS = 10_000;
/** Users of one budget are drawn together: the middles of as many equal parts of [0.05, 1]. */
const BUDGET_STEPS = 50;
/** Weights of the regression; every dimension is one average. */
const DIMENSIONS = { full: 7850, quick: 2000 } as const;
const BINS = 30;
/** Half of the width of the histogram, in units of C; wider errors are fewer than one in a million. */
const SHOWN = 0.03;

const CLIP_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
const BUDGETS = [0.05, 0.1, 0.2, 0.5, 1];
/** Messages behind a sampled point. */
const SAMPLES = { full: 1_000_000, quick: 100_000 } as const;

export const CLIP_LAPLACE_FIGURES: readonly Figure[] = [
  {
    id: APPROXIMATION,
    paper: 'apes',
    title: 'APES, Figure 6: error of the approximation behind the calibration',
    caption:
      'Average of the Clip-Laplace messages of 10,000 users less its expectation, over the dimensions, with budgets uniform on [0.05, 1]; ' +
      'dashed: the normal law of the exact variance. The analyzer takes this error for zero.',
    cost: { full: 'ten seconds', quick: 'three seconds' },
    make: (context) => Promise.resolve(approximationErrors(context)),
  },
  momentFigure({
    id: 'apes.fig9',
    number: 9,
    quantity: 'variance',
    scale: 'log',
    caption:
      'Variance of one message at the value C/2, over the clip bound C and over the local budget: exact (dashed) and of drawn messages. ' +
      'Clip-Laplace stays in [-C, C], whatever the budget.',
  }),
  momentFigure({
    id: 'apes.fig10',
    number: 10,
    quantity: 'bias',
    scale: 'linear',
    caption:
      'Value C/2 less the mean of its message, over the clip bound C and over the local budget: exact (dashed) and of drawn messages, with ' +
      '95 % intervals. Laplace noise has none; its intervals show how many messages it takes to see that.',
  }),
];

function approximationErrors(context: FigureContext): FigureResult {
  const size = context.quick ? 'quick' : 'full';
  const { errors, deviation } = averageErrors(DIMENSIONS[size], context);
  const width = (2 * SHOWN) / BINS;
  const bins = Array.from({ length: BINS }, (_, k) => {
    const from = -SHOWN + k * width;
    const count = errors.reduce((sum, error) => (error >= from && error < from + width ? sum + 1 : sum), 0);
    const x = from + width / 2;
    return {
      x,
      density: count / (errors.length * width),
      normal: Math.exp(-0.5 * (x / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI)),
    };
  });
  const moments = momentsOf(errors);
  return {
    charts: [
      {
        chart: {
          id: APPROXIMATION,
          title: 'Average of Clip-Laplace messages less its expectation',
          subtitle: `n = 10,000, budgets uniform on [0.05, 1], ${errors.length.toLocaleString('en')} dimensions`,
          x: { title: 'error (thousandths of C)', scale: 'linear', domain: [-1000 * SHOWN, 1000 * SHOWN] },
          y: { title: 'density (per C)', scale: 'linear' },
          panels: [
            {
              title: '',
              series: [
                {
                  name: 'drawn',
                  style: 'line',
                  points: bins.map(({ x, density }) => ({ x: 1000 * x, y: density })),
                },
                {
                  name: 'normal law',
                  style: 'theory',
                  points: bins.map(({ x, normal }) => ({ x: 1000 * x, y: normal })),
                },
              ],
            },
          ],
        },
        caption: `Densities over ${BINS} cells.`,
      },
    ],
    table: {
      columns: ['error_over_c', 'density', 'density_theory'],
      rows: bins.map(({ x, density, normal }) => [x, density, normal]),
    },
    notes: [
      `Mean ${moments.mean.toExponential(1)} C, deviation ${Math.sqrt(moments.variance).toFixed(5)} C; by the law 0 and ${deviation.toFixed(5)} C.`,
      `Seed ${APPROXIMATION}. In each dimension all users hold one value, uniform on [-C, C]; budgets in ${BUDGET_STEPS} equal steps.`,
    ],
  };
}

/** In units of C: the error of every dimension, and the deviation of one by the law. */
function averageErrors(
  dimensions: number,
  { signal }: FigureContext,
): { readonly errors: Float64Array; readonly deviation: number } {
  const stream = RandomStream.fromSeed(APPROXIMATION);
  const perStep = USERS / BUDGET_STEPS;
  const randomizers = Array.from({ length: BUDGET_STEPS }, (_, i) =>
    clipLaplace({ epsilon0: 0.05 + (0.95 * (i + 0.5)) / BUDGET_STEPS, correction: 'average' }),
  );
  const values = new Float64Array(perStep);
  const messages = randomizers[0]!.allocate(perStep);
  let variance = 0;
  const errors = Float64Array.from({ length: dimensions }, () => {
    signal?.throwIfAborted();
    const value = 2 * stream.next() - 1;
    values.fill(value);
    let error = 0;
    for (const randomizer of randomizers) {
      randomizer.randomizeInto(values, messages, stream);
      error += sumOf(messages) - perStep * randomizer.mean(value);
      variance += (perStep * randomizer.variance(value)) / (USERS * USERS * dimensions);
    }
    return error / USERS;
  });
  return { errors, deviation: Math.sqrt(variance) };
}

function sumOf({ columns, count }: UserMessages<ValueColumns>): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += columns.value[i]!;
  return sum;
}

interface MomentSubject {
  readonly id: string;
  readonly number: number;
  readonly quantity: 'variance' | 'bias';
  readonly scale: 'linear' | 'log';
  readonly caption: string;
}

interface MomentPoint {
  readonly mechanism: string;
  readonly clipBound: number;
  readonly epsilon0: number;
  readonly exact: number;
  readonly sampled: number;
  /** 95 % interval of the sampled bias; absent for a variance. */
  readonly interval?: Interval;
}

const MECHANISMS = ['Clip-Laplace', 'Laplace'] as const;
/** Held while the other one varies. */
const FIXED = { clipBound: 0.1, epsilon0: 0.5 };

function momentFigure(subject: MomentSubject): Figure {
  const { id, number, quantity, caption } = subject;
  return {
    id,
    paper: 'apes',
    title: `APES, Figure ${number}: ${quantity} of Clip-Laplace and Laplace noise`,
    caption,
    cost: { full: 'twenty seconds', quick: 'two seconds' },
    make: (context) => Promise.resolve(moments(subject, context)),
  };
}

function moments({ id, quantity, scale }: MomentSubject, context: FigureContext): FigureResult {
  const samples = SAMPLES[context.quick ? 'quick' : 'full'];
  const measure = (clipBound: number, epsilon0: number): MomentPoint[] =>
    MECHANISMS.map((mechanism) => momentsAt(id, mechanism, quantity, clipBound, epsilon0, samples));
  const overBounds = CLIP_BOUNDS.flatMap((clipBound) => measure(clipBound, FIXED.epsilon0));
  const overBudgets = BUDGETS.flatMap((epsilon0) => measure(FIXED.clipBound, epsilon0));
  const y = { title: `${quantity} of a message`, scale } as const;
  const title = `${quantity === 'bias' ? 'Bias' : 'Variance'} of one message`;
  return {
    charts: [
      {
        chart: {
          id,
          title: `${title} and the clip bound`,
          subtitle: `value C/2, local budget ${FIXED.epsilon0}`,
          x: { title: 'clip bound C', scale: 'log' },
          y,
          panels: [panelOf(overBounds, ({ clipBound }) => clipBound)],
        },
        caption: `Marks: ${samples.toLocaleString('en')} drawn messages a point.`,
      },
      {
        chart: {
          id: `${id}-budget`,
          title: `${title} and the local budget`,
          subtitle: `value C/2, C = ${FIXED.clipBound}`,
          x: { title: 'local budget (nats)', scale: 'log' },
          y,
          panels: [panelOf(overBudgets, ({ epsilon0 }) => epsilon0)],
        },
        caption: `Marks: ${samples.toLocaleString('en')} drawn messages a point.`,
      },
    ],
    table: {
      columns: ['mechanism', 'clip_bound', 'epsilon0', 'samples', quantity, `${quantity}_theory`],
      rows: [...overBounds, ...overBudgets].map(({ mechanism, clipBound, epsilon0, exact, sampled }) => [
        mechanism,
        clipBound,
        epsilon0,
        samples,
        sampled,
        exact,
      ]),
    },
    notes: [`Seed ${id}. The value at which the paper measures is not printed.`],
  };
}

function momentsAt(
  seed: string,
  mechanism: (typeof MECHANISMS)[number],
  quantity: 'variance' | 'bias',
  clipBound: number,
  epsilon0: number,
  samples: number,
): MomentPoint {
  const inputRange = { low: -clipBound, high: clipBound };
  const value = clipBound / 2;
  const randomizer =
    mechanism === 'Laplace'
      ? laplaceMechanism({ epsilon0, inputRange })
      : clipLaplace({ epsilon0, inputRange, correction: 'average' });
  const stream = RandomStream.fromSeed(seed).fork(mechanism).fork(clipBound).fork(epsilon0);
  const drawn = sampledMoments(randomizer, value, samples, stream);
  const setting = { mechanism, clipBound, epsilon0 };
  if (quantity === 'variance')
    return { ...setting, exact: randomizer.variance(value), sampled: drawn.variance };
  const { lower, upper } = meanConfidenceInterval(drawn);
  return {
    ...setting,
    exact: value - randomizer.mean(value),
    sampled: value - drawn.mean,
    interval: interval(value - upper, value - lower),
  };
}

function sampledMoments(
  randomizer: MeanRandomizer,
  value: number,
  samples: number,
  stream: RandomStream,
): RunningMoments {
  const messages = randomizer.allocate(samples);
  randomizer.randomizeInto(new Float64Array(samples).fill(value), messages, stream);
  return momentsOf(messages.columns.value);
}

function panelOf(points: readonly MomentPoint[], xOf: (point: MomentPoint) => number): ChartPanel {
  return {
    title: '',
    series: MECHANISMS.flatMap((name): ChartSeries[] => {
      const own = points.filter(({ mechanism }) => mechanism === name);
      return [
        {
          name,
          style: 'measured',
          points: own.map((point) => ({
            x: xOf(point),
            y: point.sampled,
            ...(point.interval && { low: point.interval.lower, high: point.interval.upper }),
          })),
        },
        {
          name: `${name}, exact`,
          style: 'theory',
          colourKey: name,
          points: own.map((point) => ({ x: xOf(point), y: point.exact })),
        },
      ];
    }),
  };
}
