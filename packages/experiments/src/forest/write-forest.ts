/** The views of a forest run: tables, a figure, and a report. */
import type { CaptionedChart } from '../charts/chart.ts';
import { provenanceRows } from '../report/provenance-rows.ts';
import type { ReportPage } from '../page/report-page.ts';
import { writePage } from '../page/write-page.ts';
import { rowsToCsv } from '../results/csv.ts';
import { intervalColumns, meanShare } from '../results/trial-statistics.ts';
import { jsonText, writeFiles } from '../run-folder/write-files.ts';
import type { ForestResult, ForestRun } from './run-forest.ts';

/**
 * Writes the tables of a forest, and its page where `report` is set, into an existing folder: summary.json
 * and results.csv among them.
 */
export async function writeForest(run: ForestRun, outDir: string, report: boolean): Promise<void> {
  const { config, provenance, trainUsers, testUsers, delta } = run;
  writeFiles(outDir, {
    'summary.json': jsonText({
      name: config.name,
      trainUsers,
      testUsers,
      delta,
      ...(run.skippedUsers > 0 ? { skippedUsers: run.skippedUsers } : {}),
      results: run.results,
      provenance,
    }),
    'config.resolved.json': jsonText(config),
    'results.csv': resultsCsv(run),
  });
  if (report) await writePage(outDir, [accuracyChart(run)], (figures) => reportPage(run, figures));
}

function resultsCsv(run: ForestRun): string {
  const { config, trainUsers, delta } = run;
  const rows = run.results.map((result) => {
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
      ...intervalColumns(accuracy.interval),
      accuracy_without_privacy: meanShare(result.exactAccuracies).mean,
      accuracy_of_majority: meanShare(result.majorities).mean,
      epsilon_central_upper: result.epsilon,
      delta,
      accountant: 'composition',
    };
  });
  return rowsToCsv(rows);
}

function accuracyChart(run: ForestRun): CaptionedChart {
  const { config, results } = run;
  const byEpsilon = [...results].sort((a, b) => a.epsilon - b.epsilon);
  const level = (name: string, of: (result: ForestResult) => readonly number[]) => ({
    name,
    style: 'theory' as const,
    points: byEpsilon.map((result) => ({ x: result.epsilon, y: 100 * meanShare(of(result)).mean })),
  });
  return {
    chart: {
      id: 'accuracy',
      title: `${config.name}: accuracy and privacy`,
      subtitle: `${config.trials} trials, 95 % intervals; delta = ${run.delta}`,
      x: { title: 'central epsilon over all rounds, certified (nats)', scale: 'log' },
      y: { title: 'accuracy (%)', scale: 'linear' },
      panels: [
        {
          title: '',
          series: [
            {
              name: config.trees === 1 ? 'shuffled tree' : 'shuffled forest',
              style: 'measured',
              points: byEpsilon.map((result) => {
                const { mean, interval } = meanShare(result.accuracies);
                const ends =
                  config.trials > 1 ? { low: 100 * interval.lower, high: 100 * interval.upper } : {};
                return { x: result.epsilon, y: 100 * mean, ...ends };
              }),
            },
            level('without privacy', ({ exactAccuracies }) => exactAccuracies),
            level('largest class', ({ majorities }) => majorities),
          ],
        },
      ],
    },
    caption: 'Share of users, not learnt from, whose class is found.',
  };
}

function reportPage(run: ForestRun, figures: ReportPage['figures']): ReportPage {
  const { config, provenance, results } = run;
  const rounds = results[0]!.rounds;
  return {
    title: config.name,
    ...(config.question ? { question: config.question } : {}),
    headline: results.map((result) => headlineOf(result)).join(' '),
    threatModel: [
      `${run.trainUsers.toLocaleString('en')} users answer ${rounds} histogram queries, each a shuffled round of its own: one message about themselves, and blanket messages over all cells. Neighbours differ in one user's row, in all rounds at once (replace-one).`,
      ...(config.sample === undefined ? [] : [SAMPLE_WORDS[config.sample]]),
      'The central epsilon is an upper bound that is proved, for adaptive rounds.',
    ],
    parties: [],
    figures,
    tables: [
      {
        title: 'Accuracy and privacy',
        caption: `Mean of ${config.trials} trials; tested on ${run.testUsers.toLocaleString('en')} other users.`,
        columns: [
          'messages a round',
          'messages in all',
          'epsilon',
          'accuracy (%)',
          'without privacy (%)',
          'largest class (%)',
        ],
        rows: results.map((result) => [
          String(result.messagesPerUser),
          String(result.totalMessagesPerUser),
          result.epsilon.toPrecision(4),
          percent(result.accuracies),
          percent(result.exactAccuracies),
          percent(result.majorities),
        ]),
      },
    ],
    provenance: provenanceRows(run.configFile, provenance),
    command: provenance.command,
  };
}

/** Who answers, beyond what is said of forests from all users. */
const SAMPLE_WORDS = {
  all: 'Every tree asks all users.',
  half: 'Every tree asks half of the users, drawn in public. Epsilon is that of users whom the most trees ask.',
  bootstrap:
    'Every tree draws as many users as there are, with replacement and in public; who is drawn twice sends two such groups of messages. Epsilon covers users who are drawn most often.',
} as const;

function headlineOf(result: ForestResult): string {
  return `At epsilon ${result.epsilon.toPrecision(3)}: ${percent(result.accuracies)} %, against ${percent(result.exactAccuracies)} % without privacy.`;
}

/** The mean of shares as a percentage with two decimals, without the sign. */
export function percent(values: readonly number[]): string {
  return (100 * meanShare(values).mean).toFixed(2);
}
