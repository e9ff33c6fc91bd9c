/** The figure and the page of what was learnt at several numbers of messages. */
import type { CaptionedChart } from '../charts/chart.ts';
import type { ReportPage } from '../page/report-page.ts';
import { writePage } from '../page/write-page.ts';
import { provenanceRows } from '../report/provenance-rows.ts';
import type { MeanShare } from '../results/trial-statistics.ts';
import { rowsToCsv, type CsvValue } from '../results/csv.ts';
import { jsonText, writeFiles } from '../run-folder/write-files.ts';
import type { LearningRun } from './learning-split.ts';
import type { SettledPoint } from './message-sweep.ts';
import { counted } from '../words/counted.ts';
import { shortEnd, shortNumber } from '../words/short-number.ts';

/** One number of messages, with what was measured as it is shown. */
export interface SweepPoint extends SettledPoint {
  readonly totalMessagesPerUser: number;
  readonly found: MeanShare;
  /** From the same users without privacy. */
  readonly exact: MeanShare;
  /** Without learning anything. */
  readonly nothing: MeanShare;
}

/** What was learnt, as its files tell it. */
interface SweptRun extends LearningRun<{
  readonly name: string;
  readonly question?: string | undefined;
  readonly trials: number;
}> {
  /** Rounds of the shuffler, where all results have as many. */
  readonly rounds?: number;
  readonly results: readonly SettledPoint[];
}

export interface SweepPage {
  readonly points: readonly SweepPoint[];
  /** What is measured: name of the chart's file, of its axis, and of the three in charts and tables. */
  readonly measure: {
    readonly id: string;
    readonly about: string;
    readonly axis: string;
    readonly series: readonly [found: string, exact: string, nothing: string];
    readonly columns: readonly [found: string, exact: string, nothing: string];
    readonly unit: string;
    readonly shown: (value: number) => string;
    readonly caption: string;
  };
  readonly threatModel: readonly string[];
  readonly table: { readonly title: string; readonly caption: string };
}

/**
 * Writes the tables of a run, and its figure and page where there is one, into an existing folder.
 *
 * @param rows of results.csv
 */
export async function writeSweep(
  run: SweptRun,
  outDir: string,
  rows: readonly Readonly<Record<string, CsvValue>>[],
  page: SweepPage | null,
): Promise<void> {
  const { config, provenance, trainUsers, testUsers, delta, rounds, skippedUsers, results } = run;
  writeFiles(outDir, {
    'summary.json': jsonText({
      name: config.name,
      trainUsers,
      testUsers,
      delta,
      rounds,
      skippedUsers: skippedUsers > 0 ? skippedUsers : undefined,
      results,
      provenance,
    }),
    'config.resolved.json': jsonText(config),
    'results.csv': rowsToCsv(rows),
  });
  if (page) await writePage(outDir, [sweepChart(run, page)], (figures) => reportPage(run, page, figures));
}

function sweepChart({ config, delta }: SweptRun, { points, measure }: SweepPage): CaptionedChart {
  const [found, exact, nothing] = measure.series;
  const byEpsilon = points
    .filter(({ epsilon }) => epsilon < Infinity)
    .toSorted((a, b) => a.epsilon - b.epsilon);
  const rest = points.length - byEpsilon.length;
  const level = (name: string, of: 'exact' | 'nothing') => ({
    name,
    style: 'theory' as const,
    points: byEpsilon.map((point) => ({ x: point.epsilon, y: point[of].mean })),
  });
  const measured = byEpsilon.map(({ epsilon, found: { mean, interval } }) => {
    // Of one trial neither end is known, of two perhaps no upper one.
    const ends = Number.isFinite(interval.upper) ? { low: interval.lower, high: interval.upper } : {};
    return { x: epsilon, y: mean, ...ends };
  });
  return {
    chart: {
      id: measure.id,
      title: `${config.name}: ${measure.about}`,
      subtitle: `${counted(config.trials, 'trial')}${config.trials > 1 ? ', 95 % intervals' : ''}; delta = ${delta}`,
      x: { title: 'central epsilon over all rounds, certified (nats)', scale: 'log' },
      y: { title: measure.axis, scale: 'linear' },
      panels: [
        {
          title: '',
          series: [
            { name: found, style: 'measured', points: measured },
            level(exact, 'exact'),
            level(nothing, 'nothing'),
          ],
        },
      ],
    },
    caption: `${measure.caption}${rest > 0 ? ' Numbers of messages for which no epsilon is proved are left out.' : ''}`,
  };
}

function reportPage(
  { config, configFile, provenance, skippedUsers }: SweptRun,
  { points, measure, threatModel, table }: SweepPage,
  figures: ReportPage['figures'],
): ReportPage {
  const { shown, unit } = measure;
  const isMean = points.some(({ totalMessagesPerUser }) => !Number.isInteger(totalMessagesPerUser));
  return {
    title: config.name,
    ...(config.question ? { question: config.question } : {}),
    headline: points.map(
      ({ epsilon, found, exact }) =>
        `${epsilon < Infinity ? `At epsilon ${shortEnd(epsilon, 'upper', 3)}` : 'Where no epsilon is proved'}: ${shown(found.mean)}${unit}, against ${shown(exact.mean)}${unit} without privacy.`,
    ),
    threatModel: [
      ...threatModel,
      points.every(({ epsilon }) => epsilon < Infinity)
        ? PROVED
        : `${PROVED} Where it is infinite nothing is proved.`,
      ...(skippedUsers > 0
        ? [
            `Of the file ${counted(skippedUsers, 'line')} with missing values ${skippedUsers === 1 ? 'is' : 'are'} left out.`,
          ]
        : []),
    ],
    parties: [],
    figures,
    tables: [
      {
        ...table,
        columns: [
          'messages a round',
          `messages in all${isMean ? ', mean' : ''}`,
          'epsilon',
          ...measure.columns,
        ],
        rows: points.map((point) => [
          String(point.messagesPerUser),
          messagesText(point.totalMessagesPerUser),
          shortEnd(point.epsilon, 'upper'),
          ...[point.found, point.exact, point.nothing].map(({ mean }) => shown(mean)),
        ]),
      },
    ],
    provenance: provenanceRows(configFile, provenance),
    command: provenance.command,
  };
}

/**
 * What users answer, in all rounds.
 * @param asked users of a round, of all; @param what of a user neighbours differ in: 'row'
 */
export function queriesText(asked: number, users: number, rounds: number, what: string): string {
  const [some, all] = [asked.toLocaleString('en'), users.toLocaleString('en')];
  const who =
    asked < users
      ? `In each of ${counted(rounds, 'round')} ${some} of ${all} users answer a histogram query`
      : `${all} users answer a histogram query in each of ${counted(rounds, 'round')}`;
  return `${who}: one message about themselves, and blanket messages over all cells. Every round is shuffled on its own. Neighbours differ in one user's ${what}, in all rounds at once (replace-one).`;
}

/** Where users are asked in some rounds only it is a mean over them. */
function messagesText(messages: number): string {
  return Number.isInteger(messages) ? String(messages) : shortNumber(messages);
}

const PROVED = 'The central epsilon is an upper bound that is proved, for adaptive rounds.';
