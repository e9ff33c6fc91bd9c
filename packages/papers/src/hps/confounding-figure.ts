/**
 * Figure 3 of Y. Liu et al., "Enhanced Privacy Bound for Shuffle Model with Personalized Privacy", CIKM 2024:
 * how often a message of another user is mistaken for one of the victim, by the likelihood-ratio test of
 * Section 3.2.2.
 */
import { confoundingProbabilities } from '@shuffle-dp/accounting';
import { laplaceMechanism } from '@shuffle-dp/randomizers';
import type { Chart, ChartSeries } from '@shuffle-dp/experiments/charts';
import type { Figure, FigureResult } from '../figures/figure.ts';

const ID = 'hps.fig3';
const VICTIM_BUDGET = 3;
const INPUT_RANGE = { low: 0, high: 1 };
const SHOWN_BUDGETS = [0.5, 1, 2];
const VALUES = Array.from({ length: 41 }, (_, k) => k / 40);
/** Up to the victim's, which is the largest. */
const BUDGETS = Float64Array.from({ length: 100 * VICTIM_BUDGET }, (_, k) => (k + 1) / 100);
/** Midpoints of cells of a thousandth are exact enough for charts. */
const CELLS = { from: -20, to: 21, perUnit: 1000 } as const;

export const CONFOUNDING_FIGURE: Figure = {
  id: ID,
  paper: 'hps',
  title: 'HPS, Figure 3: confounding probabilities',
  caption:
    'How often a message of user i is mistaken for one of the victim, whose budget is 3: against the value x_i, on the side of ' +
    'either value of the victim, and against the budget at the worst x_i. Laplace noise. The paper takes these errors of a test for ' +
    'probabilities of a clone, which they are not (docs/personalized.md).',
  cost: { full: 1, quick: 1 },
  make: () => Promise.resolve(confoundingFigure()),
};

function confoundingFigure(): FigureResult {
  const byValue = SHOWN_BUDGETS.flatMap((budget) =>
    ([0, 1] as const).map((side): ChartSeries => ({
      name: `budget ${budget}, on the side of ${side}`,
      style: side === 0 ? 'line' : 'theory',
      colourKey: `budget ${budget}`,
      points: VALUES.map((x) => ({ x, y: confusion(side, x, budget) })),
    })),
  );
  const worst = confoundingProbabilities({ budgets: BUDGETS, mechanism: 'laplace', localDelta: 0, clip: 1 });
  const highest = Math.max(...worst);
  const byBudget: ChartSeries = {
    name: 'p_i',
    style: 'theory',
    points: Array.from(worst, (y, k) => ({ x: BUDGETS[k]!, y })),
  };
  const chart = (id: string, axis: string, series: readonly ChartSeries[]): Chart => ({
    id,
    title: 'Confounding probability of user i',
    subtitle: `Laplace noise on [0, 1], victim of budget ${VICTIM_BUDGET}`,
    x: { title: axis, scale: 'linear' },
    y: { title: 'confounding probability', scale: 'linear' },
    panels: [{ title: '', series }],
  });
  return {
    charts: [
      { chart: chart(ID, 'value x_i', byValue), caption: 'Part (a) of the figure.' },
      {
        chart: chart(`${ID}-budget`, 'local budget of user i (nats), at the worst value', [byBudget]),
        caption: 'Part (b) of the figure.',
      },
    ],
    table: {
      columns: ['series', 'x', 'probability'],
      rows: [...byValue, byBudget].flatMap(({ name, points }) => points.map(({ x, y }) => [name, x, y!])),
    },
    notes: [
      `The highest p_i, ${highest.toFixed(3)}, is at a budget of ${BUDGETS[worst.indexOf(highest)]!}; the paper says around 1.`,
      'The budgets of part (a) are not printed, nor is the noise; these are ours.',
    ],
  };
}

/** Mass of user i's law where the victim's at this value is the densest, and denser than user i's. */
function confusion(side: 0 | 1, x: number, budget: number): number {
  const own = laplaceMechanism({ epsilon0: budget, inputRange: INPUT_RANGE });
  const victim = laplaceMechanism({ epsilon0: VICTIM_BUDGET, inputRange: INPUT_RANGE });
  const { from, to, perUnit } = CELLS;
  let mass = 0;
  for (let cell = from * perUnit; cell < to * perUnit; cell++) {
    const z = (cell + 0.5) / perUnit;
    const here = victim.density(z, side);
    const density = own.density(z, x);
    if (here > victim.density(z, 1 - side) && here >= density) mass += density / perUnit;
  }
  return mass;
}
