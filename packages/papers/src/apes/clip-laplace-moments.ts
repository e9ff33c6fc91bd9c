/**
 * Figures 9 and 10 of Y. Liu et al., "Echo of Neighbors", AAAI 2023: variance and bias of one Clip-Laplace
 * message beside those of Laplace noise. The messages are drawn around the values, as published (correction
 * 'average').
 */
import {
  interval,
  meanConfidenceInterval,
  RandomStream,
  type RunningMoments,
  type Interval,
  type MeanRandomizer,
} from '@shuffle-dp/core';
import { clipLaplace, laplaceMechanism } from '@shuffle-dp/randomizers';
import type { ChartPanel, ChartSeries } from '@shuffle-dp/experiments/charts';
import { momentsOf } from '@shuffle-dp/experiments/results';
import { tableOf } from '../claims/table-values.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';
import { inTurn } from '../figures/in-turn.ts';

const CLIP_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
const BUDGETS = [0.05, 0.1, 0.2, 0.5, 1];
/** Messages behind a sampled point. */
const SAMPLES = { full: 1_000_000, quick: 100_000 } as const;

export const CLIP_LAPLACE_MOMENTS: readonly Figure[] = [
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

interface MomentSubject {
  readonly id: string;
  readonly number: number;
  readonly quantity: 'variance' | 'bias';
  readonly scale: 'linear' | 'log';
  readonly caption: string;
}

const MECHANISMS = ['Clip-Laplace', 'Laplace'] as const;

interface MomentSetting {
  readonly mechanism: (typeof MECHANISMS)[number];
  readonly clipBound: number;
  readonly epsilon0: number;
}

interface MomentPoint extends MomentSetting {
  readonly exact: number;
  readonly sampled: number;
  /** 95 % interval of the sampled bias; absent for a variance. */
  readonly interval?: Interval;
}

/** Held while the other one varies. */
const FIXED = { clipBound: 0.1, epsilon0: 0.5 };

function momentFigure(subject: MomentSubject): Figure {
  const { id, number, quantity, caption } = subject;
  return {
    id,
    paper: 'apes',
    title: `APES, Figure ${number}: ${quantity} of Clip-Laplace and Laplace noise`,
    caption,
    cost: { full: 20, quick: 2 },
    make: (context) => moments(subject, context),
  };
}

async function moments(
  { id, quantity, scale }: MomentSubject,
  context: FigureContext,
): Promise<FigureResult> {
  const samples = SAMPLES[context.quick ? 'quick' : 'full'];
  const measure = (clipBound: number, epsilon0: number): MomentPoint[] =>
    MECHANISMS.map((mechanism) => momentsAt({ mechanism, clipBound, epsilon0 }, quantity, samples, id));
  const bounds = await inTurn(CLIP_BOUNDS, context, (clipBound) => measure(clipBound, FIXED.epsilon0));
  const budgets = await inTurn(BUDGETS, context, (epsilon0) => measure(FIXED.clipBound, epsilon0));
  const [overBounds, overBudgets] = [bounds.flat(), budgets.flat()];
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
    table: tableOf([...overBounds, ...overBudgets], {
      mechanism: 'mechanism',
      clip_bound: 'clipBound',
      epsilon0: 'epsilon0',
      samples: () => samples,
      [quantity]: 'sampled',
      [`${quantity}_theory`]: 'exact',
    }),
    notes: [`Seed ${id}. The value at which the paper measures is not printed.`],
  };
}

function momentsAt(
  setting: MomentSetting,
  quantity: 'variance' | 'bias',
  samples: number,
  seed: string,
): MomentPoint {
  const { mechanism, clipBound, epsilon0 } = setting;
  const inputRange = { low: -clipBound, high: clipBound };
  const value = clipBound / 2;
  const randomizer =
    mechanism === 'Laplace'
      ? laplaceMechanism({ epsilon0, inputRange })
      : clipLaplace({ epsilon0, inputRange, correction: 'average' });
  const stream = RandomStream.fromSeed(seed).fork(mechanism).fork(clipBound).fork(epsilon0);
  const drawn = sampledMoments(randomizer, value, samples, stream);
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
