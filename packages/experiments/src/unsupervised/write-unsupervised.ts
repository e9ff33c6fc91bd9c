/** The views of a run of unsupervised learning: tables, a figure, and a report. */
import type { CaptionedChart } from '../charts/chart.ts';
import { provenanceRows } from '../report/provenance-rows.ts';
import type { ReportPage } from '../page/report-page.ts';
import { writePage } from '../page/write-page.ts';
import { rowsToCsv } from '../results/csv.ts';
import { meanShare } from '../results/trial-statistics.ts';
import { jsonText, writeFiles } from '../run-folder/write-files.ts';
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
  const { config, provenance, trainUsers, testUsers, delta, rounds, skippedUsers, results } = run;
  writeFiles(outDir, {
    'summary.json': jsonText({
      name: config.name,
      trainUsers,
      testUsers,
      delta,
      rounds,
      ...(skippedUsers > 0 ? { skippedUsers } : {}),
      results,
      provenance,
    }),
    'config.resolved.json': jsonText(config),
    'results.csv': resultsCsv(run),
  });
  if (report) await writePage(outDir, [qualityChart(run)], (figures) => reportPage(run, figures));
}

/** The mean over the trials of one quality of what was found, with its 95 % interval. */
export function meanQuality({ trials }: Result, of: keyof FoundQuality): ReturnType<typeof meanShare> {
  return meanShare(trials.map((trial) => trial[of]));
}

function resultsCsv(run: UnsupervisedRun): string {
  const rows = run.results.map((result) => {
    const { mean, interval } = meanQuality(result, 'found');
    const known = Number.isFinite(interval.upper - interval.lower);
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
      quality_ci_low: known ? interval.lower : null,
      quality_ci_high: known ? interval.upper : null,
      quality_without_privacy: meanQuality(result, 'exact').mean,
      quality_of_nothing: meanQuality(result, 'nothing').mean,
      epsilon_central_upper: result.epsilon,
      delta: run.delta,
      accountant: 'composition',
    };
  });
  return rowsToCsv(rows);
}

function qualityChart(run: UnsupervisedRun): CaptionedChart {
  const { config, results } = run;
  const measure = MEASURES[config.method.kind];
  const byEpsilon = [...results].sort((a, b) => a.epsilon - b.epsilon);
  const level = (name: string, of: keyof FoundQuality) => ({
    name,
    style: 'theory' as const,
    points: byEpsilon.map((result) => ({ x: result.epsilon, y: meanQuality(result, of).mean })),
  });
  return {
    chart: {
      id: 'quality',
      title: `${config.name}: what is found, and privacy`,
      subtitle: `${config.trials} trials, 95 % intervals; delta = ${run.delta}`,
      x: { title: 'central epsilon over all rounds, certified (nats)', scale: 'log' },
      y: { title: measure.title, scale: 'linear' },
      panels: [
        {
          title: '',
          series: [
            {
              name: 'shuffled',
              style: 'measured',
              points: byEpsilon.map((result) => {
                const { mean, interval } = meanQuality(result, 'found');
                const ends = config.trials > 1 ? { low: interval.lower, high: interval.upper } : {};
                return { x: result.epsilon, y: mean, ...ends };
              }),
            },
            level('without privacy', 'exact'),
            level(measure.nothing, 'nothing'),
          ],
        },
      ],
    },
    caption: 'On users who were not learnt from.',
  };
}

function reportPage(run: UnsupervisedRun, figures: ReportPage['figures']): ReportPage {
  const { config, provenance, results } = run;
  const measure = MEASURES[config.method.kind];
  const value = (result: Result, of: keyof FoundQuality): string => quality(meanQuality(result, of).mean);
  return {
    title: config.name,
    ...(config.question ? { question: config.question } : {}),
    headline: results
      .map(
        (result) =>
          `At epsilon ${result.epsilon.toPrecision(3)}: ${value(result, 'found')}, against ${value(result, 'exact')} without privacy.`,
      )
      .join(' '),
    threatModel: [
      `${run.trainUsers.toLocaleString('en')} users answer ${run.rounds} histogram queries, each a shuffled round of its own: one message about themselves, and blanket messages over all cells. Neighbours differ in one user's vector, in all rounds at once (replace-one).`,
      'The central epsilon is an upper bound that is proved, for adaptive rounds.',
    ],
    parties: [],
    figures,
    tables: [
      {
        title: 'What is found, and privacy',
        caption: `The ${measure.title}; mean of ${config.trials} trials, on ${run.testUsers.toLocaleString('en')} other users.`,
        columns: [
          'messages a round',
          'messages in all',
          'epsilon',
          'found',
          'without privacy',
          measure.nothing,
        ],
        rows: results.map((result) => [
          String(result.messagesPerUser),
          String(result.messagesPerUser * run.rounds),
          result.epsilon.toPrecision(4),
          value(result, 'found'),
          value(result, 'exact'),
          value(result, 'nothing'),
        ]),
      },
    ],
    provenance: provenanceRows(run.configFile, provenance),
    command: provenance.command,
  };
}

/** A quality, such as a squared distance or an area under a curve, to three significant digits. */
export function quality(value: number): string {
  return value.toPrecision(3);
}
