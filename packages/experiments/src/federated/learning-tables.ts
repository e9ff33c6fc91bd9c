/** The numbers of a learning run as tables: one row per framework, and one row per framework and round. */
import { meanConfidenceInterval, RunningMoments, type Interval } from '@shuffle-dp/core';
import { toCsv, type CsvValue } from '../results/csv.ts';
import type { FrameworkResult, LearningRun } from './run-learning.ts';

export interface MeanAccuracy {
  readonly mean: number;
  /** 95 % interval of the mean over the trials; infinite for one trial. */
  readonly interval: Interval;
}

/** Over the trials, after each round. */
export function accuracyByRound({ accuracies }: FrameworkResult): MeanAccuracy[] {
  return accuracies[0]!.map((_, round) => {
    const moments = new RunningMoments();
    for (const trial of accuracies) moments.add(trial[round]!);
    return { mean: moments.mean, interval: meanConfidenceInterval(moments) };
  });
}

export function finalAccuracy(framework: FrameworkResult): MeanAccuracy {
  return accuracyByRound(framework).at(-1)!;
}

const RESULT_COLUMNS = [
  'framework',
  'kind',
  'budgets',
  'users',
  'users_per_round',
  'rounds',
  'learning_rate',
  'pixels',
  'clip_bound',
  'kept_share',
  'sparsification',
  'trials',
  'accuracy',
  'accuracy_ci_low',
  'accuracy_ci_high',
] as const;

export function learningResultsCsv(run: LearningRun): string {
  return toCsv(
    RESULT_COLUMNS,
    run.frameworks.map((framework) => resultRow(run, framework)),
  );
}

function resultRow({ config }: LearningRun, framework: FrameworkResult): Record<string, CsvValue> {
  const { mean, interval } = finalAccuracy(framework);
  const { kind, clipBound, keptShare, sparsification } = framework.spec;
  return {
    framework: framework.label,
    kind,
    budgets: config.budgets,
    users: config.users,
    users_per_round: config.usersPerRound,
    rounds: config.rounds,
    learning_rate: config.learningRate,
    pixels: config.pixels,
    clip_bound: kind === 'non-private' ? null : clipBound,
    kept_share: keptShare,
    sparsification: kind === 's-apes' ? (sparsification ?? 'largest') : null,
    trials: config.trials,
    accuracy: mean,
    accuracy_ci_low: interval.lower,
    accuracy_ci_high: interval.upper,
  };
}

export function roundsCsv(run: LearningRun): string {
  return toCsv(
    ['framework', 'round', 'accuracy', 'accuracy_ci_low', 'accuracy_ci_high'],
    run.frameworks.flatMap((framework) =>
      accuracyByRound(framework).map(({ mean, interval }, round) => ({
        framework: framework.label,
        round: round + 1,
        accuracy: mean,
        accuracy_ci_low: interval.lower,
        accuracy_ci_high: interval.upper,
      })),
    ),
  );
}
