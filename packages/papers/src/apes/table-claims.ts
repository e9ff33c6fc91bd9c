/**
 * What Y. Liu et al., "Echo of Neighbors" (AAAI 2023), print in Tables 3 and 4: epsilons, and accuracies
 * after training.
 */
import { join } from 'node:path';
import { RandomStream } from '@shuffle-dp/core';
import { finalAccuracy, runLearning } from '@shuffle-dp/experiments/federated';
import { workforceOf } from '@shuffle-dp/experiments/pool';
import { parseBudgets, sampleBudgets } from '@shuffle-dp/experiments/personalized';
import { DISTRIBUTION_FIGURE } from './accuracy-figures.ts';
import { PRINTED_SHUFFLED, PRINTED_TABLE_3, SHUFFLED_KINDS } from './printed.ts';
import { personalPrivacy, shuffledPrivacy, smallestBudgetPrivacy } from './privacy.ts';
import { trainingConfig } from './trainings.ts';
import { BUDGET_DISTRIBUTIONS } from '../figures/budget-distributions.ts';
import type { Claim, ClaimContext } from '../claims/claim.ts';
import { digits, rowsOf, tableOf, type TableRow } from '../claims/table-values.ts';

const PAPER = 'apes';
/** Relative tolerance of the privacy columns. */
const PRIVACY_TOLERANCE = 0.05;
/** Of each framework: single ones differ by several points. The figure in its full setting has as many. */
const TRAININGS = 5;
/** In points. */
export const ACCURACY_TOLERANCE = 5;

/** From the highest accuracy; UniS before PLDP, which sends the same messages. */
const TABLE_3 = PRINTED_TABLE_3.toSorted(
  (a, b) => b.accuracy - a.accuracy || (a.kind === 'uni-shuffle' ? -1 : 1),
).map(({ kind, accuracy }) => [kind, accuracy] as const);

function isNear(value: number, printed: number): boolean {
  return Math.abs(value / printed - 1) <= PRIVACY_TOLERANCE;
}

export const APES_TABLE_CLAIMS: readonly Claim[] = [
  {
    id: 'apes.table3',
    paper: PAPER,
    company: 'threads',
    source: 'Table 3',
    published:
      'Uniform2 budgets, 10,000 users, 7,850 dimensions: central epsilon of one dimension 0.069 (UniS) and 0.057 (APES, S-APES); of a user 40.1 (LDP-min), 7850 (PLDP), 76.9, 57.6 and 25.6; accuracies 84.35 (non-private), 56.11, 77.54, 77.54, 79.67 and 78.14 %.',
    criterion: `privacy within ${100 * PRIVACY_TOLERANCE} %; accuracies in the printed order and within ${ACCURACY_TOLERANCE} points, as means of ${TRAININGS} trainings`,
    async measure(context) {
      const values = shuffledPrivacy('uniform(0.05,1)');
      const privacy = [
        ['epsilon of a dimension, UniS', 0.069, values['uni-shuffle'].dimension],
        ['epsilon of a dimension, APES', 0.057, values.apes.dimension],
        ['epsilon of a user, LDP-min', 40.1, smallestBudgetPrivacy(0.05).user],
        ['epsilon of a user, PLDP', 7850, personalPrivacy(1).user],
        ['epsilon of a user, UniS', 76.9, values['uni-shuffle'].user],
        ['epsilon of a user, APES', 57.6, values.apes.user],
        ['epsilon of a user, S-APES', 25.6, values['s-apes'].user],
      ] as const;
      const trained = await accuracies(context);
      const accuracyOf = (name: string): number => trained.get(name)!.mean;
      const privacyHolds = privacy.every(([, printed, value]) => isNear(value, printed));
      const far = TABLE_3.filter(
        ([name, printed]) => Math.abs(accuracyOf(name) - printed) > ACCURACY_TOLERANCE,
      ).map(([name]) => name);
      // UniS and PLDP are one mechanism, and printed equal.
      const ordered = TABLE_3.every(
        ([name, printed], i) =>
          i === 0 || printed === TABLE_3[i - 1]![1] || accuracyOf(name) <= accuracyOf(TABLE_3[i - 1]![0]),
      );
      return {
        verdict: privacyHolds && far.length === 0 && ordered ? 'reproduced' : 'differs',
        measured: `Privacy: ${privacy.filter(([, printed, value]) => isNear(value, printed)).length} of ${privacy.length} values within 5 % (${privacy.map(([, , value]) => digits(value)).join(', ')}). Accuracies, means of ${TRAININGS} trainings: ${TABLE_3.map(([name]) => `${name} ${inPoints(trained.get(name)!)}`).join(', ')} %.`,
        note: `The dimension-level values are numerical clone divergences at delta = 1e-8, not Theorem 4, which gives 0.20. The number of rounds and the learning rate are not printed; ten rounds of 1,000 users at rate 0.5 on MNIST come nearest. That setting was chosen for these accuracies, so that they are a fit and no independent check. There ${ordered ? 'the order is the printed one' : 'S-APES falls behind UniS'}${far.length === 0 ? '' : `, and ${far.join(' and ')} is more than ${ACCURACY_TOLERANCE} points off`}.`,
        evidence: {
          columns: ['quantity', 'printed', 'measured', '95 % interval'],
          rows: [
            ...privacy.map(([name, printed, value]) => [name, printed, Number(digits(value, 4)), '']),
            ...TABLE_3.map(([name, printed]) => [
              `accuracy %, ${name}`,
              printed,
              Number(accuracyOf(name).toFixed(2)),
              intervalText(trained.get(name)!),
            ]),
          ],
        },
      };
    },
  },
  {
    id: 'apes.table4',
    paper: PAPER,
    company: 'threads',
    source: 'Table 4',
    figures: ['apes.fig3'],
    published:
      'User-level epsilons and accuracies of UniS, APES and S-APES for six distributions of budgets: 17.4, 15.5 and 8.5 for Uniform1 to 76.9, 53.7 and 23.9 for MixGauss2; accuracies from 56.64 to 79.97 %.',
    criterion: `epsilons within ${100 * PRIVACY_TOLERANCE} %; accuracies, means of ${TRAININGS} trainings, within ${ACCURACY_TOLERANCE} points`,
    async measure({ figureTable }) {
      const trained = rowsOf(await figureTable(DISTRIBUTION_FIGURE, 'full'));
      const rows = BUDGET_DISTRIBUTIONS.flatMap(({ name, text }) => {
        const privacy = shuffledPrivacy(text);
        return SHUFFLED_KINDS.map((framework) => ({
          name,
          framework,
          printed: PRINTED_SHUFFLED[name]![framework].user,
          epsilon: privacy[framework].user,
          printedAccuracy: PRINTED_SHUFFLED[name]![framework].accuracy,
          ...trainedAccuracy(trained, name, framework),
        }));
      });
      const privacy = rows.filter(({ epsilon, printed }) => isNear(epsilon, printed)).length;
      const far = rows.filter(
        ({ mean, printedAccuracy }) => Math.abs(mean - printedAccuracy) > ACCURACY_TOLERANCE,
      );
      return {
        verdict: privacy === rows.length && far.length === 0 ? 'reproduced' : 'differs',
        measured: `${privacy} of ${rows.length} epsilons within 5 %, ${rows.length - far.length} of ${rows.length} accuracies within ${ACCURACY_TOLERANCE} points${far.length === 0 ? '' : `; not: ${far.map((row) => `${row.framework} at ${row.name} (${inPoints(row)} for ${row.printedAccuracy})`).join(', ')}`}.`,
        note: `A Gaussian of deviation 1 around 0.1, clipped to [0.05, 0.5], has most users at its two ends, so that single small budgets decide what Laplace noise leaves. The training setting is not printed, and no one setting gives all printed values: ${contradiction()} Table 4 prints 79.6 for UniS at Uniform2, Table 3 76.9; the latter is used.`,
        evidence: tableOf(rows, {
          budgets: 'name',
          framework: 'framework',
          'epsilon printed': 'printed',
          measured: ['epsilon', 4],
          'accuracy % printed': 'printedAccuracy',
          trained: ({ mean }) => Number(mean.toFixed(2)),
          '95 % interval': intervalText,
        }),
      };
    },
  },
];

/** In per cent: the mean over the trainings, and its 95 % interval. */
interface TrainedAccuracy {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

function trainedAccuracy(
  rows: readonly TableRow[],
  distribution: string,
  framework: string,
): TrainedAccuracy {
  const row = rows.find(
    (one) => one.text('distribution') === distribution && one.text('framework') === framework,
  )!;
  return {
    mean: 100 * row.number('accuracy'),
    low: 100 * row.number('accuracy_ci_low'),
    high: 100 * row.number('accuracy_ci_high'),
  };
}

function inPoints({ mean, low, high }: TrainedAccuracy): string {
  return `${mean.toFixed(1)} ± ${((high - low) / 2).toFixed(1)}`;
}

function intervalText({ low, high }: TrainedAccuracy): string {
  return `${low.toFixed(1)} to ${high.toFixed(1)}`;
}

/** Two printed values that one setting of training cannot give together. */
function contradiction(): string {
  const noise = (name: string): number => {
    const { text } = BUDGET_DISTRIBUTIONS.find((budgets) => budgets.name === name)!;
    const budgets = sampleBudgets(parseBudgets(text), 100_000, RandomStream.fromSeed(`claims ${name}`));
    return budgets.reduce((sum, budget) => sum + 1 / (budget * budget), 0) / budgets.length;
  };
  const [gauss, mixture] = ['Gauss2', 'MixGauss2'].map((name) => ({
    noise: digits(noise(name)),
    printed: PRINTED_SHUFFLED[name]!['uni-shuffle'].accuracy,
  }));
  return `Laplace noise of personal budgets enters by the mean of 1/epsilon^2, ${gauss!.noise} for Gauss2 and ${mixture!.noise} for MixGauss2, yet UniS is printed at ${gauss!.printed} and ${mixture!.printed} %.`;
}

/**
 * Of each framework with Uniform2 budgets. Those that the figure trains are taken from it; PLDP sends the
 * messages of UniS.
 */
async function accuracies(context: ClaimContext): Promise<Map<string, TrainedAccuracy>> {
  const shuffled = rowsOf(await context.figureTable(DISTRIBUTION_FIGURE, 'full'));
  const name = 'apes.table3';
  const config = trainingConfig(name, {
    seed: name,
    trials: TRAININGS,
    budgets: 'uniform(0.05,1)',
    frameworks: [{ kind: 'non-private' }, { kind: 'ldp-min' }],
  });
  const { frameworks } = await runLearning(config, name, {
    out: join(context.folder, name),
    resume: true,
    ...workforceOf(context),
  });
  const alone = frameworks.map((framework): [string, TrainedAccuracy] => {
    const { mean, interval } = finalAccuracy(framework);
    return [framework.spec.kind, { mean: 100 * mean, low: 100 * interval.lower, high: 100 * interval.upper }];
  });
  const together = SHUFFLED_KINDS.map((kind): [string, TrainedAccuracy] => [
    kind,
    trainedAccuracy(shuffled, 'Uniform2', kind),
  ]);
  return new Map([...alone, ...together, ['pldp', trainedAccuracy(shuffled, 'Uniform2', 'uni-shuffle')]]);
}
