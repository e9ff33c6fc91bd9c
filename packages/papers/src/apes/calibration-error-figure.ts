/**
 * Figure 6 of Y. Liu et al., "Echo of Neighbors", AAAI 2023: how far an average of Clip-Laplace messages is
 * from its expectation. The messages are drawn around the values, as published (correction 'average').
 */
import { RandomStream, type UserMessages, type ValueColumns } from '@shuffle-dp/core';
import { clipLaplace } from '@shuffle-dp/randomizers';
import { momentsOf } from '@shuffle-dp/experiments/results';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';
import { inTurn } from '../figures/in-turn.ts';

const ID = 'apes.fig6';
const USERS = 10_000;
/** Users of one budget are drawn together: the middles of as many equal parts of [0.05, 1]. */
const BUDGET_STEPS = 50;
/** Weights of the regression; every dimension is one average. */
const DIMENSIONS = { full: 7850, quick: 2000 } as const;
const BINS = 30;
/** Half of the width of the histogram, in units of C; wider errors are fewer than one in a million. */
const SHOWN = 0.03;

export const CALIBRATION_ERROR_FIGURE: Figure = {
  id: ID,
  paper: 'apes',
  title: 'APES, Figure 6: error of the approximation behind the calibration',
  caption:
    'Average of the Clip-Laplace messages of 10,000 users less its expectation, over the dimensions, with budgets uniform on [0.05, 1]; ' +
    'dashed: the normal law of the exact variance. The analyzer takes this error for zero.',
  cost: { full: 2, quick: 1 },
  make: makeFigure,
};

async function makeFigure(context: FigureContext): Promise<FigureResult> {
  const size = context.quick ? 'quick' : 'full';
  const { errors, deviation } = await calibrationErrors(DIMENSIONS[size], context);
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
          id: ID,
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
      `Seed ${ID}. In each dimension all users hold one value, uniform on [-C, C]; budgets in ${BUDGET_STEPS} equal steps.`,
    ],
  };
}

/** In units of C: the error of every dimension, and the deviation of one by the law. */
export async function calibrationErrors(
  dimensions: number,
  interruptible: Pick<FigureContext, 'signal'>,
): Promise<{ readonly errors: Float64Array; readonly deviation: number }> {
  const stream = RandomStream.fromSeed(ID);
  const perStep = USERS / BUDGET_STEPS;
  const randomizers = Array.from({ length: BUDGET_STEPS }, (_, i) =>
    clipLaplace({ epsilon0: 0.05 + (0.95 * (i + 0.5)) / BUDGET_STEPS, correction: 'average' }),
  );
  const values = new Float64Array(perStep);
  const messages = randomizers[0]!.allocate(perStep);
  let variance = 0;
  const errors = await inTurn(Array<null>(dimensions).fill(null), interruptible, () => {
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
  return { errors: Float64Array.from(errors), deviation: Math.sqrt(variance) };
}

function sumOf({ columns, count }: UserMessages<ValueColumns>): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += columns.value[i]!;
  return sum;
}
