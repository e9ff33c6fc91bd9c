/**
 * The trainings behind the figures and tables of Y. Liu et al., "Echo of Neighbors", AAAI 2023.
 *
 * The paper trains "one epoch" and prints 84.35 % without privacy. One aggregation of all users from zero
 * weights stays at 68 % whatever the learning rate, so the setting here is the one that explains the printed
 * numbers best: ten rounds of 1,000 users, each user once. The paper's privacy columns count 10,000 users in
 * a round, and do not carry over to it.
 */
import { dirname, join } from 'node:path';
import type { ChartPoint } from '@shuffle-dp/experiments/charts';
import { workforceOf } from '@shuffle-dp/experiments/pool';
import {
  finalAccuracy,
  type FrameworkResult,
  type LearningConfig,
  parseLearningConfig,
  runLearning,
} from '@shuffle-dp/experiments/federated';
import { BUDGET_DISTRIBUTIONS } from '../figures/budget-distributions.ts';
import type { FigureContext } from '../figures/figure.ts';

type Framework = LearningConfig['frameworks'][number];

/** What one training setting varies. */
export interface Variation {
  readonly name: string;
  /** Where it stands on the horizontal axis. */
  readonly x: number;
  readonly budgets: string;
  readonly frameworks: readonly Framework[];
}

/** Tables 3 and 4 are judged by five trainings; sweeps have many points, and three. */
const TRIALS = { table: { full: 5, quick: 1 }, sweep: { full: 3, quick: 1 } } as const;

export type TrialsOf = keyof typeof TRIALS;

export const SETTING_NOTE =
  'MNIST, 10,000 users of 6 images, ten rounds of 1,000 users, learning rate 0.5, pixels in [0, 1], clip bound 0.1 unless varied. ' +
  'The paper uses QMNIST and does not state its rounds or rate.';

/** Of one training in the setting of SETTING_NOTE. */
export function trainingConfig(
  name: string,
  varied: Pick<LearningConfig, 'seed' | 'trials'> & Pick<Variation, 'budgets' | 'frameworks'>,
): LearningConfig {
  const { seed, trials, budgets, frameworks } = varied;
  const document = {
    name,
    seed,
    trials,
    simulation: 'aggregated',
    data: { kind: 'mnist' },
    users: 10_000,
    rounds: 10,
    usersPerRound: 1000,
    learningRate: 0.5,
    clipBound: 0.1,
    budgets,
    privacy: { delta: 1e-8, userDelta: 3.6e-5 },
    frameworks,
  };
  return parseLearningConfig(JSON.stringify(document), name);
}

export interface VariationResult {
  readonly variation: Variation;
  readonly frameworks: readonly FrameworkResult[];
}

/** Every variation in a run of its own below the folder; a run that is there already is taken as it is. */
export async function train(
  id: string,
  variations: readonly Variation[],
  context: FigureContext,
  of: TrialsOf = 'table',
): Promise<VariationResult[]> {
  const results: VariationResult[] = [];
  for (const variation of variations) {
    context.report(`${id}: ${variation.name}`);
    const name = `${id}-${variation.name}`;
    const trials = TRIALS[of][context.quick ? 'quick' : 'full'];
    const config = trainingConfig(name, { ...variation, seed: id, trials });
    // One setting after another: each uses all cores.
    // oxlint-disable-next-line no-await-in-loop
    const { frameworks } = await runLearning(config, name, {
      out: join(context.folder, 'runs', name),
      resume: true,
      command: `shuffle-dp figures ${id}${context.quick ? ' --quick' : ''}`,
      ...workforceOf(context),
    });
    results.push({ variation, frameworks });
  }
  return results;
}

const SHUFFLED = 'apes.fig3';

/**
 * The shuffled frameworks at all six distributions of budgets: one set of runs for Figure 3 and both tables.
 */
export function trainShuffled(context: FigureContext, names?: readonly string[]): Promise<VariationResult[]> {
  const variations = BUDGET_DISTRIBUTIONS.map(({ name, text }, i) => ({
    name,
    x: i + 1,
    budgets: text,
    frameworks: [
      { kind: 'uni-shuffle' as const },
      { kind: 'apes' as const },
      { kind: 's-apes' as const, keptShare: 0.2 },
    ],
  }));
  return train(
    SHUFFLED,
    variations.filter(({ name }) => names?.includes(name) ?? true),
    { ...context, folder: join(dirname(context.folder), SHUFFLED) },
  );
}

/** A framework's accuracy in per cent, with its interval where there are several trainings. */
export function accuracyPoint(x: number, framework: FrameworkResult): ChartPoint {
  const { mean, interval } = finalAccuracy(framework);
  const ends = { low: 100 * interval.lower, high: 100 * interval.upper };
  return { x, y: 100 * mean, ...(framework.accuracies.length > 1 ? ends : {}) };
}

export function trialsText({ quick }: FigureContext, of: TrialsOf = 'table'): string {
  const trials = TRIALS[of][quick ? 'quick' : 'full'];
  return trials === 1 ? 'one training a point' : `${trials} trainings a point, 95 % intervals`;
}

export function seedNote(id: string): string {
  return `Seed ${id}.`;
}
