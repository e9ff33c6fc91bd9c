/** The numbers of a learning run as tables: one row per framework, and one row per framework and round. */
import { rowsToCsv, type CsvValue } from '../results/csv.ts';
import { intervalColumns, meanAccuracy, type MeanShare } from '../results/trial-statistics.ts';
import type { FrameworkResult, LearningRun } from './run-learning.ts';

/** Over the trials, after each round. */
export function accuracyByRound({ accuracies }: FrameworkResult): MeanShare[] {
  return accuracies[0]!.map((_, round) => meanAccuracy(accuracies.map((trial) => trial[round]!)));
}

/**
 * The share of test examples that are told right after the last round: the mean over the trials, with its
 * interval.
 */
export function finalAccuracy(framework: FrameworkResult): MeanShare {
  return accuracyByRound(framework).at(-1)!;
}

export function learningResultsCsv(run: LearningRun): string {
  return rowsToCsv(run.frameworks.map((framework) => resultRow(run, framework)));
}

function resultRow({ config }: LearningRun, framework: FrameworkResult): Record<string, CsvValue> {
  const { mean, interval } = finalAccuracy(framework);
  const { kind, clipBound, keptShare, sparsification, messageBudget, levels } = framework.spec;
  const { privacy } = framework;
  return {
    framework: framework.label,
    kind,
    budgets: kind === 'vector-rr' ? null : config.budgets,
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
    ...intervalColumns('accuracy', interval),
    budget_local_low: privacy.local?.lower,
    budget_local_high: privacy.local?.upper,
    epsilon_dimension_lower: privacy.dimension?.lower,
    epsilon_dimension_upper: privacy.dimension?.upper,
    delta_dimension: config.privacy.delta,
    epsilon_user_upper: privacy.user,
    delta_user: config.privacy.userDelta,
    epsilon_dimension_published: privacy.published,
    epsilon_user_published: privacy.publishedUser,
    delta_user_published: privacy.publishedUserDelta,
    published_sound: privacy.publishedSound === null ? null : String(privacy.publishedSound),
    message_budget: messageBudget,
    levels: kind === 'vector-rr' ? (levels ?? 1) : null,
  };
}

export function roundsCsv(run: LearningRun): string {
  return rowsToCsv(
    run.frameworks.flatMap((framework) =>
      accuracyByRound(framework).map(({ mean, interval }, round) => ({
        framework: framework.label,
        round: round + 1,
        accuracy: mean,
        ...intervalColumns('accuracy', interval),
      })),
    ),
  );
}
