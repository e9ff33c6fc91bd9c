/**
 * An audit as a chart and as a table: what was measured inside what is certified, and a published claim
 * beside both.
 */
import type { Chart, ChartPoint, ChartSeries } from '../charts/chart.ts';
import { rowsToCsv } from '../results/csv.ts';
import type { AuditedRow, AuditReport } from './run-audit.ts';

/** Epsilon by delta, one panel for each report. */
export function auditChart(reports: readonly AuditReport[]): Chart {
  return {
    id: 'audit',
    title: 'Epsilon that trials show, and what is certified',
    subtitle: 'lower ends of exact intervals, all of an audit at once',
    x: { title: 'delta', scale: 'log' },
    y: { title: 'epsilon (nats)', scale: 'linear' },
    panels: reports.map(({ name, users, rows }) => ({
      title: `${name}, ${users} users`,
      series: [
        series('certified, from above', 'theory', rows, ({ certified }) => certified.upper),
        series('certified, from below', 'theory', rows, ({ certified }) => certified.lower),
        series('measured, at least', 'measured', rows, ({ measured }) => measured),
        ...(rows.some(({ published }) => published !== undefined)
          ? [series('as published', 'line', rows, ({ published }) => published ?? null)]
          : []),
      ],
    })),
    sharedY: false,
  };
}

function series(
  name: string,
  style: ChartSeries['style'],
  rows: readonly AuditedRow[],
  valueOf: (row: AuditedRow) => number | null,
): ChartSeries {
  const points = rows.map((row): ChartPoint => {
    const y = valueOf(row);
    return { x: row.delta, y: y !== null && Number.isFinite(y) ? y : null };
  });
  return { name, style, points: points.toSorted((a, b) => a.x - b.x) };
}

/** The rows of audits as CSV with a header: a line for each delta, epsilons in nats. */
export function auditCsv(reports: readonly AuditReport[]): string {
  const rows = reports.flatMap(({ name, users, rows }) =>
    rows.map(({ delta, certified, published, measured, smallestExcess }) => ({
      name,
      users,
      delta,
      certified_lower: certified.lower,
      certified_upper: certified.upper,
      published,
      measured_lower: measured,
      smallest_excess: smallestExcess,
    })),
  );
  return rowsToCsv(rows);
}
