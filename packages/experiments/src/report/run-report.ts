/** What the report of a run says, in the order in which a reader asks. */
import type { PrivacyStatement, Verdict } from '@shuffle-dp/core';
import { accountingChanges } from '../results/accounting-change.ts';
import { isAtCertifiedPrivacy, moreThanAsked } from '../results/equal-privacy.ts';
import { chosenCells, comparedByNobody, compareCells } from '../results/comparison.ts';
import { settingWords } from '../results/cell-setting.ts';
import { errorWords, theoryRemark } from '../results/error-words.ts';
import { itemEstimates, type ItemEstimate } from '../results/item-estimates.ts';
import { paddingBiasWords } from '../results/padding-words.ts';
import { worstEpsilon, type CellResult, type NamedCell, type RunResult } from '../results/run-result.ts';
import { certifiedOf, verdictOn } from '../results/stated-privacy.ts';
import { headline } from './headline.ts';
import type { ReportTable } from '../page/html-table.ts';
import { provenanceRows } from './provenance-rows.ts';
import { namedColumns, type NamedColumn } from '../words/named-columns.ts';
import { lowerEndAlone, shortEnd, shortEnds, shortNumber } from '../words/short-number.ts';
import type { PartyView, ReportFigure, ReportPage } from '../page/report-page.ts';

const PARTIES: readonly PartyView[] = [
  { party: 'Users', does: 'Randomize their values into messages.', sees: 'their own value and messages' },
  {
    party: 'Shuffler',
    does: 'Permutes the messages of all users uniformly.',
    sees: 'every message and who sent it; hands on only the messages',
  },
  {
    party: 'Analyzer',
    does: 'Estimates from the shuffled messages.',
    sees: 'the multiset of messages, nothing else',
  },
  {
    party: 'Adversary',
    does: 'Tries to learn the value of a user; privacy is stated against it.',
    sees: 'all that the analyzer sees; does not collude with the shuffler',
  },
];

/** @param options.truth false leaves out what is measured against the truth */
export function reportPage(
  run: RunResult,
  figures: readonly ReportFigure[],
  { truth = true } = {},
): ReportPage {
  const { provenance, config } = run;
  return {
    title: config.name,
    ...(config.question ? { question: config.question } : {}),
    headline: truth ? [...headline(run), ...accountingChanges(run)] : [UNCOMPARED],
    threatModel: [...threatModel(run), ...(truth ? [...dataWords(run), ...paddingBiasWords(run)] : [])],
    parties: PARTIES,
    figures,
    tables: [
      ...(truth ? [resultTable(run), ...equalPrivacyTable(run)] : []),
      estimateTable(run, truth),
      privacyTable(run),
    ],
    provenance: [...provenanceRows(run.configFile, provenance), ['cores', String(provenance.cores)]],
    command: provenance.command,
  };
}

const THREATENED =
  'Some users collude with the analyzer, stay away, or are fake, as each row says. Parameters are chosen as if no user did so or, at equal certified privacy, for the honest users who take part. Privacy is that of an honest user who takes part. Errors are measured against the values of all users.';

const UNCOMPARED = 'Estimates only: this page shows neither the true values nor the errors of the estimates.';

/** Rows that a page can hold; estimates.csv has all. */
const MOST_ESTIMATES = 60;

interface Shown {
  readonly cell: CellResult;
  readonly estimate: ItemEstimate;
}

/** How the data were read, where it changes what is estimated. */
function dataWords({ dataNotes = [] }: RunResult): string[] {
  return dataNotes.length === 0 ? [] : [`Data: ${dataNotes.join('. ')}.`];
}

/** The largest estimates of every chosen setting. */
function estimateTable(run: RunResult, truth: boolean): ReportTable {
  const rows = compareCells(run).flatMap((group) =>
    chosenCells(group).flatMap(({ cell }) =>
      itemEstimates(cell, run)
        .toSorted((a, b) => b.mean - a.mean || a.item - b.item)
        .map((estimate) => ({ cell, estimate })),
    ),
  );
  // As many of each cell, the largest first.
  const cells = new Set(rows.map(({ cell }) => cell));
  const each = Math.max(1, Math.floor(MOST_ESTIMATES / Math.max(1, cells.size)));
  const shown = [...cells].flatMap((cell) => rows.filter((row) => row.cell === cell).slice(0, each));
  return {
    title: 'Estimates',
    file: 'estimates.csv',
    caption: `The largest estimates of each protocol; for a sweep, those of its chosen setting. Mean and interval are over the trials; the standard deviation is that of a single estimate.`,
    ...namedColumns(shown, [
      ['protocol', ({ cell }) => cell.protocol + settingWords(cell)],
      ['users', ({ cell }) => cell.users.toLocaleString('en')],
      ['name', ({ estimate }) => estimate.name],
      ...only<Shown>(truth, ['truth', ({ estimate }) => shortNumber(estimate.truth)]),
      ...only<Shown>(truth && run.padded !== undefined, [
        'before padding',
        ({ estimate }) => orDash(estimate.before),
      ]),
      ['estimate', ({ estimate }) => shortNumber(estimate.mean)],
      ['standard deviation', ({ estimate }) => orDash(estimate.deviation)],
      ['95 % interval of the mean', ({ estimate }) => intervalText(estimate.interval)],
    ]),
  };
}

function threatModel(run: RunResult): string[] {
  const units = [...new Set(run.cells.flatMap((cell) => cell.stated.map((statement) => statement.unit)))];
  const path =
    run.cells[0]?.simulation === 'messages'
      ? 'every message was made, shuffled and counted'
      : "the analyzer's counts were drawn from their exact distribution";
  return [
    [
      `Unit of privacy: ${units.join('; ')}. Neighbouring data sets differ in one user's value (${run.adjacency}); the number of users is public.`,
      ...(run.sizes === undefined ? [] : [run.sizes]),
    ].join(' '),
    `${run.config.threats === undefined ? 'All users are assumed to be honest, and none to collude with the analyzer.' : THREATENED} If the shuffler colludes, only the local budget protects a user. In protocols that send values in the clear among blanket messages, nothing does.`,
    `The error of a trial, ${errorWords(run).name}: ${errorWords(run).definition} against ${run.truth}. ${run.measure === 'means' ? 'A mean is the ratio of two unbiased estimates, and therefore biased; nothing is clipped' : 'Estimates are not clipped'} unless a row names a postprocessing. Simulation: ${path}.`,
  ];
}

function resultTable(run: RunResult): ReportTable {
  const { parameterColumns } = run;
  const best = new Set(compareCells(run).map((group) => group.best));
  const emphasised = new Set(run.cells.flatMap((cell, i) => (best.has(cell) ? [i] : [])));
  return {
    title: 'Results',
    file: 'results.csv',
    caption: `Central epsilon is a proved upper bound for the least protected users, at the delta shown. In bold: the least error of each comparison. A comparison takes the only setting of a protocol, or the one that was chosen from a sweep without these trials: by theory, or by separate trials.`,
    ...namedColumns(run.cells, [
      ['protocol', (cell) => cell.protocol],
      ['users', (cell) => cell.users.toLocaleString('en')],
      ...parameterColumns.map((name): NamedColumn<CellResult> => [
        name,
        ({ sweep }) => (sweep[name] === undefined ? '' : String(sweep[name])),
      ]),
      [errorWords(run).name, ({ error }) => shortNumber(error.mean)],
      ['95 % interval', ({ error }) => intervalText(error.interval)],
      // No error without a statement of privacy beside it, whatever else a wide table hides.
      ['delta', (cell) => shortNumber(cell.delta)],
      [
        'epsilon, certified',
        ({ certified }) => (certified.length === 0 ? 'nothing proved' : bracket(worstEpsilon(certified))),
      ],
      [`expected${theoryRemark(run)}`, ({ error }) => orDash(error.theory)],
      ...only<CellResult>(
        run.measure === 'heavy-hitters',
        ['precision', ({ quality }) => orDash(quality?.precision ?? null)],
        ['recall', ({ quality }) => orDash(quality?.recall ?? null)],
        ['rank', ({ quality }) => orDash(quality?.cumulativeRank ?? null)],
      ),
      ['messages', (cell) => shortNumber(cell.messagesPerUser)],
      ['bits', (cell) => shortNumber(cell.bitsPerUser)],
    ]),
    emphasised,
  };
}

/**
 * At equal certified privacy, who is not ranked and why, and who has more than was asked for; none in other
 * runs.
 */
function equalPrivacyTable(run: RunResult): ReportTable[] {
  if (![...run.cells, ...(run.refused ?? [])].some(isAtCertifiedPrivacy)) return [];
  const groups = compareCells(run);
  const ranked = groups
    .filter(({ best }) => isAtCertifiedPrivacy(best))
    .flatMap((group) => chosenCells(group).map(({ cell }) => cell));
  const excluded = [...groups.flatMap((group) => group.excluded), ...comparedByNobody(run)];
  const row = (cell: NamedCell, said: string): string[] => [
    cell.protocol + settingWords(cell),
    cell.users.toLocaleString('en'),
    said,
  ];
  return [
    {
      title: 'Equal certified privacy',
      caption:
        'Protocols are calibrated so that the certified epsilon of each group meets its target. Only protocols that do so are ranked.',
      columns: ['protocol', 'users', 'certified privacy of each group'],
      rows: [
        ...ranked.map((cell) => {
          const more = moreThanAsked(cell, run.config.privacy);
          return row(cell, more.length === 0 ? 'as asked for' : `more: ${more.join('; ')}`);
        }),
        ...excluded.map(({ cell, why }) => row(cell, `not ranked: ${why}`)),
      ],
    },
  ];
}

/** What each protocol claims, group by group; for a sweep its chosen setting. */
function privacyTable(run: RunResult): ReportTable {
  const chosen = new Set(compareCells(run).flatMap((group) => chosenCells(group).map(({ cell }) => cell)));
  const rows = run.cells
    .filter((cell) => chosen.has(cell))
    .flatMap((cell) =>
      cell.stated.map((statement) => ({
        cell,
        statement,
        proved: certifiedOf(cell.certified, statement.group),
      })),
    );
  return {
    title: 'Privacy, group by group',
    file: 'privacy.csv',
    caption:
      'One row per group of users; for a sweep, only the chosen setting. "As stated" repeats the claim of a protocol; the verdict says what is known about the claim.',
    ...namedColumns(rows, [
      ['protocol', ({ cell }) => cell.protocol + settingWords(cell)],
      ['users', ({ cell }) => cell.users.toLocaleString('en')],
      ['group', ({ statement }) => statement.group ?? 'all users'],
      ['epsilon, certified', ({ proved }) => (proved === undefined ? 'nothing proved' : bracket(proved))],
      ['epsilon, as stated', ({ statement }) => shortEnd(statement.epsilon.upper, 'upper')],
      ['delta', ({ statement }) => shortNumber(statement.delta)],
      ['stated by', ({ statement }) => statement.theorem],
      ['verdict', ({ statement, proved }) => verdictText(statement, verdictOn(statement, proved))],
    ]),
  };
}

/** The verdict on the statement, and below it what is known of the theorem where that is another matter. */
function verdictText({ status, sound, reason }: PrivacyStatement, verdict: Verdict): string {
  if (sound === true) return `${status}, sound`;
  const inGeneral = sound === false ? 'refuted in general' : 'unproven in general';
  return `${status}, ${verdict} here; the theorem is ${inGeneral}${reason ? `: ${reason}` : ''}`;
}

function only<Row>(isShown: boolean, ...columns: readonly NamedColumn<Row>[]): readonly NamedColumn<Row>[] {
  return isShown ? columns : [];
}

function orDash(value: number | null): string {
  return value === null ? '–' : shortNumber(value);
}

function intervalText(interval: { readonly lower: number; readonly upper: number } | null): string {
  return interval === null ? '–' : `${shortNumber(interval.lower)} … ${shortNumber(interval.upper)}`;
}

function bracket({ lower, upper }: { readonly lower: number; readonly upper: number }): string {
  if (upper === Infinity) return lowerEndAlone(lower);
  return lower > 0 ? shortEnds({ lower, upper }, 4, ' … ') : `≤ ${shortEnd(upper, 'upper')}`;
}
