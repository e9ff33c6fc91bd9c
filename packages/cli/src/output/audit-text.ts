/** An audit for a terminal, and as one JSON document. */
import { picked } from '@shuffle-dp/core';
import { POWER, type AuditOptions, type AuditedRow, type AuditReport } from '@shuffle-dp/experiments/audit';
import { counted } from '@shuffle-dp/experiments/words';
import { shortEnd, shortEnds, shortNumber, textTable } from './text-table.ts';

type Shown = Pick<AuditOptions, 'trials' | 'confidence' | 'published'>;

export function auditJson(reports: readonly AuditReport[], { trials, confidence, published }: Shown): object {
  const isOne = reports.length === 1;
  return {
    ...(isOne
      ? { mechanism: reports[0]!.name, parameters: reports[0]!.parameters, users: reports[0]!.users }
      : {}),
    trials,
    confidence,
    ...(published === undefined ? {} : { published }),
    rows: reports.flatMap((report) =>
      report.rows.map((row) => ({
        ...(isOne ? {} : { protocol: report.name, users: report.users }),
        delta: row.delta,
        certified: finite(row.certified),
        ...(row.published === undefined ? {} : { published: row.published }),
        measured: { lower: row.measured },
        smallestExcess: row.smallestExcess,
        events: row.events.map((event) => ({
          ...picked(event, 'favours', 'dataSet', 'pair', 'score', 'threshold'),
          ...picked(event, 'inFavour', 'against', 'trials', 'epsilon'),
        })),
      })),
    ),
    verdict: reports.some(({ verdict }) => verdict === 'violated') ? 'violated' : 'consistent',
  };
}

function finite({ lower, upper }: AuditedRow['certified']): { lower: number; upper: number | null } {
  return { lower, upper: upper === Infinity ? null : upper };
}

export function auditText(reports: readonly AuditReport[], shown: Shown): string {
  return reports.map((report) => reportText(report, shown)).join('\n\n');
}

function reportText(report: AuditReport, { trials, confidence, published }: Shown): string {
  const { name, parameters, users, path, sees, rows, verdict } = report;
  const given = Object.entries(parameters).map(([parameter, value]) => `${parameter} ${shortNumber(value)}`);
  const views = sees === 'estimates' ? "the analyzer's estimates" : VIEWS[path];
  const refuted = rows.find(
    ({ certified, published: claimed }) => claimed != null && certified.lower > claimed,
  );
  const claim = published ?? 'certified';
  return [
    `${name} (${given.join(', ')}), ${counted(users, 'user')}, ${counted(trials, 'trial')} of ${views}`,
    '',
    textTable(
      [
        'delta',
        'certified',
        ...(published === undefined ? [] : [published]),
        'measured, at least',
        'detectable excess in the tested event',
      ],
      rows.map(({ delta, certified, published: claimed, measured, smallestExcess }) => [
        String(delta),
        shortEnds(certified, 4, ' … '),
        ...(published === undefined ? [] : [claimed == null ? '-' : shortNumber(claimed)]),
        shortEnd(measured, 'lower'),
        smallestExcess === null ? 'none' : shortNumber(smallestExcess),
      ]),
    ),
    '',
    ...(refuted === undefined || verdict === 'violated'
      ? []
      : [
          `${published} is refuted here: a data set has epsilon at least ${shortEnd(refuted.certified.lower, 'lower')} at delta ${refuted.delta}, whatever these trials show`,
        ]),
    verdict === 'violated'
      ? `violated: the program exceeds ${claim === 'certified' ? 'the certified epsilon' : `the claim of ${claim}`}, with confidence ${confidence}`
      : `consistent: no excess over ${claim === 'certified' ? 'the certified epsilon' : `the claim of ${claim}`} was found. ${powerText(rows)}`,
  ].join('\n');
}

function powerText(rows: readonly AuditedRow[]): string {
  if (rows.every(({ certified, published = certified.upper }) => (published ?? Infinity) === Infinity))
    return 'Nothing finite is claimed, which no trials can exceed.';
  const told = rows.filter(({ smallestExcess }) => smallestExcess !== null).length;
  if (told === 0) return 'So few trials would find no excess: raise --trials.';
  const where = told < rows.length ? ', where that is a number,' : '';
  return `An excess of at least the last column${where} would have been found in the tested event with probability at least ${POWER}. A smaller excess, or one in a rarer event, may be missed.`;
}

const VIEWS = {
  messages: 'all messages, drawn and shuffled',
  aggregated: "the victim's message among counts of the others",
} as const;
