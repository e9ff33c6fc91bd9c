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
    `${name} (${given.join(', ')}), ${counted(users, 'user')}, ${counted(trials, 'trial')} that show ${views}`,
    '',
    textTable(
      [
        'delta',
        'certified',
        ...(published === undefined ? [] : [published]),
        'measured, at least',
        'an excess in the event tested, found',
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
          `${published} is refuted here: a data set has at least ${shortEnd(refuted.certified.lower, 'lower')} at delta ${refuted.delta}, whatever these trials show`,
        ]),
    verdict === 'violated'
      ? `violated: the program shows more than ${claim === 'certified' ? 'is certified' : `${claim} claims`}, with confidence ${confidence}`
      : `consistent: nothing above what ${claim === 'certified' ? 'is certified' : `${claim} claims`} was found; ${powerText(rows)}`,
  ].join('\n');
}

function powerText(rows: readonly AuditedRow[]): string {
  const told = rows.filter(({ smallestExcess }) => smallestExcess !== null).length;
  if (told === 0) return 'so few trials would find no excess: --trials asks for more';
  const where = told < rows.length ? ', where that is a number,' : '';
  return `a program that exceeds it by the last column${where} in the event tested would have been found with probability ${POWER} at least; one that does so by less, or in rarer events, may not be`;
}

const VIEWS = {
  messages: 'all messages, drawn and shuffled',
  aggregated: "the victim's message among counts of the others",
} as const;
