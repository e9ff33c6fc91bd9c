/**
 * Theorem 2 of Y. Liu et al., "Echo of Neighbors", AAAI 2023, beside the gap that it bounds. Its constants
 * are those of a loss and are known of few; here all users hold the loss |w - x|^2 / 2, of which they are
 * exact: L = beta = B = 1, and the least loss is 0.
 */
import { meanConfidenceInterval, RandomStream, RunningMoments } from '@shuffle-dp/core';
import type { ChartPanel, ChartPoint, ChartSeries } from '@shuffle-dp/experiments/charts';
import { averageCalibration } from '@shuffle-dp/protocols';
import { clipLaplace } from '@shuffle-dp/randomizers';
import {
  gapBounds,
  gradientStepGaps,
  printedPerturbation,
  type LossConstants,
  type Reading,
} from './convergence-bound.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';
import { inTurn } from '../figures/in-turn.ts';

const ID = 'apes.convergence';

/**
 * One dimension, and a perturbation that pushes away from the minimum by as much as a round's exact step
 * leads to it: from w = 1 the rounds stay at 1.
 */
export const PUSHED = {
  constants: {
    smoothness: 1,
    polyakLojasiewicz: 1,
    lipschitz: 1,
    dissimilarity: 1,
    proximal: 3,
    convexity: 4,
    inexactness: 0,
  },
  start: 1,
  push: 0.25,
} as const satisfies { constants: LossConstants; start: number; push: number };

/** The gaps after 0, 1, ..., `rounds` rounds, with exact steps. */
export function pushedGaps(rounds: number): number[] {
  const { start, push, constants } = PUSHED;
  const gaps: number[] = [];
  for (let w = start, round = 0; round <= rounds; round++) {
    gaps.push(w ** 2 / 2);
    // The least of w'^2 / 2 + mu/2 (w' - w)^2.
    w = (constants.proximal * w) / (1 + constants.proximal) + push;
  }
  return gaps;
}

export function pushedBounds(reading: Reading, rounds: number): number[] {
  const { start, push, constants } = PUSHED;
  return gapBounds(constants, reading, { norm: push, square: push ** 2 }, start ** 2 / 2, rounds);
}

const USERS = 1000;
const BUDGET_STEPS = 50;
const SMALLEST_BUDGET = 0.05;
const DIMENSIONS = 10;
/** Of every coordinate of x, in units of the clip bound; the weights begin at 0. */
const DISTANCE = 0.8;
/** A gradient step 1/mu is a proximal one up to a residual of alpha = L/mu. */
const PROXIMAL = [6, 12] as const;
const ROUNDS = 40;
const PUSHED_ROUNDS = 12;
const TRIALS = { full: 20, quick: 4 } as const;

export const CONVERGENCE_FIGURE: Figure = {
  id: ID,
  paper: 'apes',
  title: 'APES, Theorem 2: the convergence bound and the gap',
  caption:
    'The loss above its minimum after rounds of APES, beside the bound of Theorem 2 with the constants of its proof, where all constants ' +
    'are known: equal quadratic losses. Lemma 8, the general form, fails for a perturbation that pushes one way; with the factor that its ' +
    'proof yields it holds. Not a figure of the paper.',
  cost: { full: 10, quick: 3 },
  make: makeFigure,
};

interface Round {
  readonly gap: ChartPoint;
  readonly square: number;
}

async function makeFigure(context: FigureContext): Promise<FigureResult> {
  const trials = TRIALS[context.quick ? 'quick' : 'full'];
  const initialGap = (DIMENSIONS * DISTANCE ** 2) / 2;
  const measured = await inTurn(PROXIMAL, context, (proximal) => measuredRounds(1 / proximal, trials));
  const panels = PROXIMAL.map((proximal, i): ChartPanel => {
    const rounds = measured[i]!;
    const largest = Math.max(...rounds.map(({ square }) => square));
    return {
      title: `step 1/${proximal}`,
      series: [
        { name: 'gap, measured', style: 'measured', points: rounds.map(({ gap }) => gap) },
        curve('Theorem 2, constants of Lemma 10', 'line', theoremGaps(proximal, initialGap)),
        curve(
          'gradient steps, as proved here',
          'line',
          gradientStepGaps(1, 1 / proximal, largest, initialGap, ROUNDS),
        ),
      ],
    };
  });
  const pushed = [
    curve('gap', 'theory', pushedGaps(PUSHED_ROUNDS)),
    curve('Lemma 8, as printed', 'line', pushedBounds('printed', PUSHED_ROUNDS)),
    curve('Lemma 8, with the factor of its proof', 'line', pushedBounds('proved', PUSHED_ROUNDS)),
  ];
  const x = { title: 'rounds', scale: 'linear' } as const;
  return {
    charts: [
      {
        chart: {
          id: ID,
          title: 'the bound and the measured gap',
          subtitle: `${DIMENSIONS} dimensions, n = 1,000, budgets uniform on [0.05, 1], C = 1; ${trials} trials, 95 % intervals`,
          x,
          y: { title: 'loss above its minimum', scale: 'log' },
          panels,
        },
        caption:
          'The bound counts noise by the smallest budget alone, as if it had no ends; messages and calibrated averages lie in [-C, C].',
      },
      {
        chart: {
          id: `${ID}-lemma-8`,
          title: 'Lemma 8 and a perturbation that pushes one way',
          subtitle: 'one dimension, mu = 3, exact steps, a push of 0.25 a round from w = 1',
          x,
          y: { title: 'loss above its minimum', scale: 'linear', domain: [0, 1] },
          panels: [{ title: '', series: pushed }],
        },
        caption: 'The printed bound is below what it bounds.',
      },
    ],
    table: {
      columns: ['setting', 'curve', 'round', 'gap'],
      rows: [...panels.flatMap(({ title, series }) => rowsOf(title, series)), ...rowsOf('pushed', pushed)],
    },
    notes: [
      'Theorem 2 gives orders of magnitude; drawn are the constants of Lemma 10, whose noise is that of one dimension.',
      'The curve as proved here takes the largest mean squared error of a round that was measured; proved of that error is only that it is at most 4 C^2 in every dimension.',
      `Seed ${ID}. All coordinates begin ${DISTANCE} C from the minimum; budgets in ${BUDGET_STEPS} equal steps.`,
    ],
  };
}

function theoremGaps(proximal: number, initialGap: number): number[] {
  const constants: LossConstants = {
    smoothness: 1,
    polyakLojasiewicz: 1,
    // Gradients are clipped to [-C, C] in every dimension.
    lipschitz: Math.sqrt(DIMENSIONS),
    dissimilarity: 1,
    proximal,
    convexity: 1 + proximal,
    inexactness: 1 / proximal,
  };
  return gapBounds(constants, 'printed', printedPerturbation(SMALLEST_BUDGET, 1), initialGap, ROUNDS);
}

function curve(name: string, style: ChartSeries['style'], gaps: readonly number[]): ChartSeries {
  return { name, style, points: gaps.map((y, round) => ({ x: round, y })) };
}

function rowsOf(setting: string, series: readonly ChartSeries[]): (string | number)[][] {
  return series.flatMap(({ name, points }) => points.map(({ x, y }) => [setting, name, x, y!]));
}

/**
 * Mean gaps before every round and after the last, and the mean squared error of the calibrated gradient in
 * the round before.
 */
function measuredRounds(step: number, trials: number): Round[] {
  const budgets = Array.from(
    { length: BUDGET_STEPS },
    (_, i) => SMALLEST_BUDGET + ((1 - SMALLEST_BUDGET) * (i + 0.5)) / BUDGET_STEPS,
  );
  const randomizers = budgets.map((epsilon0) =>
    clipLaplace({ epsilon0, inputRange: { low: -1, high: 1 }, correction: 'average' }),
  );
  const calibrated = averageCalibration(Float64Array.from(budgets), 1);
  const perStep = USERS / BUDGET_STEPS;
  const values = new Float64Array(perStep);
  const messages = randomizers[0]!.allocate(perStep);
  const gaps = Array.from({ length: ROUNDS + 1 }, () => new RunningMoments());
  const squares = Array.from({ length: ROUNDS + 1 }, () => new RunningMoments());
  const averageOf = (gradient: number, stream: RandomStream): number => {
    values.fill(Math.max(-1, Math.min(1, gradient)));
    let sum = 0;
    for (const randomizer of randomizers) {
      randomizer.randomizeInto(values, messages, stream);
      for (let i = 0; i < messages.count; i++) sum += messages.columns.value[i]!;
    }
    return sum / USERS;
  };
  for (let trial = 0; trial < trials; trial++) {
    const stream = RandomStream.fromSeed(ID).fork(step).fork(trial);
    // Where the weights are from the minimum, which is also the gradient.
    const away = new Float64Array(DIMENSIONS).fill(-DISTANCE);
    gaps[0]!.add((DIMENSIONS * DISTANCE ** 2) / 2);
    for (let round = 1; round <= ROUNDS; round++) {
      let square = 0;
      for (let k = 0; k < DIMENSIONS; k++) {
        const estimate = calibrated(averageOf(away[k]!, stream));
        square += (estimate - away[k]!) ** 2;
        away[k]! -= step * estimate;
      }
      squares[round]!.add(square);
      gaps[round]!.add(away.reduce((sum, distance) => sum + distance ** 2, 0) / 2);
    }
  }
  return gaps.map((moments, round) => {
    const { lower, upper } = meanConfidenceInterval(moments);
    const ends = round === 0 ? {} : { low: lower, high: upper };
    return { gap: { x: round, y: moments.mean, ...ends }, square: round === 0 ? 0 : squares[round]!.mean };
  });
}
