/** The views of a run of unsupervised learning: tables, a figure, and a report. */
import { queriesText, writeSweep, type SweepPage } from '../message-sweep/sweep-page.ts';
import { counted } from '../words/counted.ts';
import { intervalColumns, meanDistance, meanShare, type MeanShare } from '../results/trial-statistics.ts';
import { MEASURES, type UnsupervisedRun } from './run-unsupervised.ts';
import type { FoundQuality } from './unsupervised-tasks.ts';

type Result = UnsupervisedRun['results'][number];

/**
 * Writes the tables of a run, and its page where `report` is set, into an existing folder: summary.json and
 * results.csv among them.
 */
export async function writeUnsupervised(
  run: UnsupervisedRun,
  outDir: string,
  report: boolean,
): Promise<void> {
  await writeSweep(run, outDir, resultRows(run), report ? pageOf(run) : null);
}

/** The mean over the trials of one quality of what was found, with its 95 % interval. */
export function meanQuality(
  { config: { method } }: UnsupervisedRun,
  { trials }: Result,
  of: keyof FoundQuality,
): MeanShare {
  const mean = method.kind === 'k-means' ? meanDistance : meanShare;
  return mean(trials.map((trial) => trial[of]));
}

function resultRows(run: UnsupervisedRun) {
  return run.results.map((result) => {
    const { mean, interval } = meanQuality(run, result, 'found');
    return {
      method: run.config.method.kind,
      users: run.trainUsers,
      dimensions: run.dimensions,
      bins: run.config.bins,
      rounds: run.rounds,
      messages_per_round: result.messagesPerUser,
      messages_per_user: result.messagesPerUser * run.rounds,
      trials: run.config.trials,
      quality: mean,
      ...intervalColumns('quality', interval),
      quality_without_privacy: meanQuality(run, result, 'exact').mean,
      quality_of_nothing: meanQuality(run, result, 'nothing').mean,
      epsilon_central_upper: result.epsilon,
      delta: run.delta,
      accountant: 'composition',
    };
  });
}

function pageOf(run: UnsupervisedRun): SweepPage {
  const { config } = run;
  const measure = MEASURES[config.method.kind];
  return {
    points: run.results.map((result) => ({
      ...result,
      totalMessagesPerUser: result.messagesPerUser * run.rounds,
      found: meanQuality(run, result, 'found'),
      exact: meanQuality(run, result, 'exact'),
      nothing: meanQuality(run, result, 'nothing'),
    })),
    measure: {
      id: 'quality',
      about: 'what is found, and privacy',
      axis: measure.title,
      series: ['shuffled', 'without privacy', measure.nothing],
      columns: ['found', 'without privacy', measure.nothing],
      unit: '',
      shown: quality,
      caption: 'On users who were not used for learning.',
    },
    threatModel: [queriesText(run.trainUsers, run.trainUsers, run.rounds, 'vector')],
    table: {
      title: 'What is found, and privacy',
      caption: `The ${measure.title}; mean of ${counted(config.trials, 'trial')}, on ${run.testUsers.toLocaleString('en')} other users.`,
    },
  };
}

/** A quality, such as a squared distance or an area under a curve, to three significant digits. */
export function quality(value: number): string {
  return value.toPrecision(3);
}
