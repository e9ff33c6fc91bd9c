/**
 * Figures 2 to 4 of S. Wang et al., "Shuffle Model of Differential Privacy: Numerical Composition for
 * Federated Learning", 2025: many rounds of deep learning by sampled vector randomized response, and of
 * decision trees by multi-message histograms. delta = 0.01/n throughout. Our curves add the bracket that is
 * proved.
 */
import {
  advancedCompositionEpsilon,
  basicCompositionEpsilon,
  certifiedComposedEpsilon,
  composedEpsilon,
  dworkCompositionEpsilon,
  strongerClonePair,
  type PairRounds,
} from '@shuffle-dp/accounting';
import { onDemand } from '@shuffle-dp/core';
import { treeRounds } from '@shuffle-dp/protocols';
import { vectorRandomizedResponse } from '@shuffle-dp/randomizers';
import {
  curvesFigure,
  savingNote,
  type AmplificationCurve,
  type PanelPlan,
} from '../figures/amplification-curves.ts';
import type { Figure } from '../figures/figure.ts';

const USERS = [10_000, 100_000];
const CERTIFIED = 'certified, upper end';

/** Far above the charts' resolution, and a tenth of the time. */
const WIDTH = { relativeWidth: 1e-3 };

const LEARNING_CURVES = [
  { name: 'stronger clone', style: 'line', role: 'earlier' },
  { name: CERTIFIED, style: 'line', colourKey: 'certified', role: 'compared' },
  { name: 'certified, lower end', style: 'theory', colourKey: 'certified', role: 'compared' },
  { name: 'Theorem 1, as published', style: 'theory', colourKey: 'variation-ratio', role: 'compared' },
] as const satisfies readonly AmplificationCurve[];

/** Probability with which a bit is flipped. */
const FLIP = 1 / (Math.E + 1);

export const LEARNING_FIGURE = curvesFigure({
  id: 'comp.fig2',
  paper: 'composition',
  title: 'Composition paper, Figure 2: federated deep learning',
  caption:
    'Central epsilon of rounds of sampled vector randomized response (s bits, one nat each) by the parameters of ' +
    'the stronger clone, by those of Theorem 1, and as proved: the upper end by the least of the blanket and of sharp curves, the lower end by the worst data set known.',
  cost: { full: 6, quick: 4 },
  subtitle: 'delta = 0.01/n, replace-one neighbours in all rounds',
  baseline: 'stronger-clone parameters under the same composition',
  axes: 'epsilon',
  xTitle: 'rounds T',
  x: { ticks: [2, 8, 32, 128] },
  xName: 'rounds',
  settingNames: ['users', 'bits'],
  curves: LEARNING_CURVES,
  grid: { full: [2, 4, 8, 16, 32, 64, 128, 256], quick: [2, 8, 32, 256] },
  plans: [2, 4].flatMap((bits) => USERS.map((users) => learningPlan(bits, users))),
  notes: (figure) => [
    savingNote(figure, 'Theorem 1, as published'),
    savingNote(figure, CERTIFIED),
    "Bits are flipped with probability 1/(e + 1) = 0.2689, as the text has it; the authors' program has (1 - sqrt(1/5))/2 = 0.2764, and so a smaller local budget.",
  ],
});

function learningPlan(bits: number, users: number): PanelPlan {
  const epsilon0 = bits * Math.log((1 - FLIP) / FLIP);
  const delta = 0.01 / users;
  const profile = onDemand(() =>
    vectorRandomizedResponse({ dimensions: bits, sampled: bits, epsilon0 }).amplification(),
  );
  return {
    title: `n = ${users.toLocaleString('en')}, s = ${bits}`,
    setting: [users, bits],
    epsilonsAt: (count) => {
      const amplification = profile();
      const pairEpsilon = (pair: PairRounds['pair']): number =>
        composedEpsilon([{ pair, users, count }], delta, WIDTH).upper;
      const rounds = [{ amplification, users, count, epsilon0 }];
      const { lower, upper } = certifiedComposedEpsilon(rounds, delta, WIDTH);
      return [
        pairEpsilon(strongerClonePair(epsilon0)),
        upper,
        lower,
        pairEpsilon(amplification.variationRatio!),
      ];
    },
  };
}

const NUMERICAL = 'numerical composition, certified';
const ATTRIBUTES = [8, 16, 32];

const TREE_CURVES = [
  { name: 'basic composition', style: 'line', role: 'earlier' },
  { name: 'advanced composition', style: 'line', role: 'earlier' },
  // Not in the paper.
  {
    name: 'advanced composition, optimal form',
    style: 'theory',
    colourKey: 'advanced composition',
    role: 'context',
  },
  { name: NUMERICAL, style: 'line', colourKey: 'certified', role: 'compared' },
] as const satisfies readonly AmplificationCurve[];

export const TREE_FIGURE = treeFigure('comp.fig3', 5);
export const HIGHER_TREE_FIGURE = treeFigure('comp.fig4', 8);

export const COMPOSITION_FIGURES: readonly Figure[] = [LEARNING_FIGURE, TREE_FIGURE, HIGHER_TREE_FIGURE];

function treeFigure(id: string, height: number) {
  return curvesFigure({
    id,
    paper: 'composition',
    title: `Composition paper, Figure ${id.at(-1)}: federated decision trees of height ${height}`,
    caption:
      'Central epsilon of all histogram queries of one tree and of five, against the messages that a user sends in each query: one of ' +
      'their own and m - 1 blankets. Certified numerical composition beside basic and advanced composition (Dwork and Roth), and the best form of the latter (Kairouz et al.).',
    cost: { full: 20, quick: 10 },
    subtitle: 'delta = 0.01/n, binary attributes, replace-one neighbours in all rounds',
    baseline: 'the better of basic and advanced composition',
    axes: 'epsilon',
    xTitle: 'messages per user and query m',
    x: { scale: 'linear', ticks: [2, 3, 4, 5, 6] },
    xName: 'messages',
    settingNames: ['users', 'attributes', 'trees'],
    curves: TREE_CURVES,
    columns: ATTRIBUTES.length,
    grid: { full: [2, 3, 4, 5, 6], quick: [2, 4, 6] },
    plans: USERS.flatMap((users) =>
      [1, 5].flatMap((trees) => ATTRIBUTES.map((attributes) => treePlan(users, attributes, trees, height))),
    ),
    notes: (figure) => [
      savingNote(figure, NUMERICAL),
      "Cells are nodes times values, without the class, as the paper's experiments count them; levels 0 to H - 1.",
    ],
  });
}

function treePlan(users: number, attributes: number, trees: number, height: number): PanelPlan {
  const delta = 0.01 / users;
  return {
    title: `n = ${users.toLocaleString('en')}, d = ${attributes}, ${trees === 1 ? '1 tree' : `${trees} trees`}`,
    setting: [users, attributes, trees],
    epsilonsAt: (messagesPerUser) => {
      const arities = Array<number>(attributes).fill(2);
      const rounds = treeRounds({ users, arities, classes: 1, height, messagesPerUser }).map((round) => ({
        ...round,
        count: round.count * trees,
      }));
      return [
        basicCompositionEpsilon(rounds, delta),
        dworkCompositionEpsilon(rounds, delta),
        advancedCompositionEpsilon(rounds, delta),
        composedEpsilon(rounds, delta, WIDTH).upper,
      ];
    },
  };
}
