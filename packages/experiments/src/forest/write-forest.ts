/** The views of a forest run: tables, a figure, and a report. */
import { queriesText, writeSweep, type SweepPage } from '../message-sweep/sweep-page.ts';
import { counted } from '../words/counted.ts';
import { intervalColumns, meanShare, type MeanShare } from '../results/trial-statistics.ts';
import type { ForestRun } from './run-forest.ts';

/**
 * Writes the tables of a forest, and its page where `report` is set, into an existing folder: summary.json
 * and results.csv among them.
 */
export async function writeForest(run: ForestRun, outDir: string, report: boolean): Promise<void> {
  await writeSweep(run, outDir, resultRows(run), report ? pageOf(run) : null);
}

function resultRows(run: ForestRun) {
  const { config, trainUsers, delta } = run;
  return run.results.map((result) => {
    const accuracy = meanShare(result.accuracies);
    return {
      users: trainUsers,
      attributes: run.attributes,
      classes: run.classes,
      height: config.height,
      trees: config.trees,
      rounds: result.rounds,
      messages_per_round: result.messagesPerUser,
      messages_per_user: result.totalMessagesPerUser,
      trials: config.trials,
      accuracy: accuracy.mean,
      ...intervalColumns('accuracy', accuracy.interval),
      accuracy_without_privacy: meanShare(result.exactAccuracies).mean,
      accuracy_of_majority: meanShare(result.majorities).mean,
      epsilon_central_upper: result.epsilon,
      delta,
      accountant: 'composition',
    };
  });
}

function pageOf(run: ForestRun): SweepPage {
  const { config } = run;
  return {
    points: run.results.map((result) => ({
      ...result,
      found: inPercent(result.accuracies),
      exact: inPercent(result.exactAccuracies),
      nothing: inPercent(result.majorities),
    })),
    measure: {
      id: 'accuracy',
      about: 'accuracy and privacy',
      axis: 'accuracy (%)',
      series: [config.trees === 1 ? 'shuffled tree' : 'shuffled forest', 'without privacy', 'largest class'],
      columns: ['accuracy (%)', 'without privacy (%)', 'largest class (%)'],
      unit: ' %',
      shown: (value) => value.toFixed(2),
      caption: 'Share of the test users whose class is found.',
    },
    threatModel: [
      queriesText(run.askedUsers, run.trainUsers, run.results[0]!.rounds, 'row'),
      ...(config.sample === undefined ? [] : [SAMPLE_WORDS[config.sample]]),
    ],
    table: {
      title: 'Accuracy and privacy',
      caption: `Mean of ${counted(config.trials, 'trial')}; tested on ${run.testUsers.toLocaleString('en')} other users.`,
    },
  };
}

/** Who answers, beyond what is said of forests from all users. */
const SAMPLE_WORDS = {
  all: 'Every tree asks all users.',
  half: 'Every tree asks half of the users, drawn in public. Epsilon is that of users whom the most trees ask.',
  bootstrap:
    'Every tree draws as many users as there are, with replacement and in public; a user who is drawn twice sends two such groups of messages. Epsilon covers users who are drawn most often.',
} as const;

function inPercent(shares: readonly number[]): MeanShare {
  const { mean, interval } = meanShare(shares);
  return { mean: 100 * mean, interval: { lower: 100 * interval.lower, upper: 100 * interval.upper } };
}

/** The mean of shares as a percentage with two decimals, without the sign. */
export function percent(values: readonly number[]): string {
  return inPercent(values).mean.toFixed(2);
}
