/**
 * What threats cost: error and epsilon against the share of those who collude, stay away or are fake, one at
 * a time.
 */
import { groupBy } from '@shuffle-dp/core';
import type { CaptionedChart, ChartPoint, ChartSeries } from '../charts/chart.ts';
import { THREAT_COLUMNS } from '../config/threat-columns.ts';
import { isAtCertifiedPrivacy } from '../results/equal-privacy.ts';
import { errorWords } from '../results/error-words.ts';
import { worstEpsilon, type CellResult, type RunResult } from '../results/run-result.ts';
import {
  chosenBy,
  measuredPoint,
  panelTitle,
  protocolNames,
  runCaption,
  runSubtitle,
  sweptTarget,
} from './chart-parts.ts';

type ThreatColumn = (typeof THREAT_COLUMNS)[number];

const AXES: Readonly<Record<ThreatColumn, string>> = {
  colluding: 'share of users who collude',
  dropout: 'probability of staying away',
  poisoning: 'share of fake users',
};

/** Two charts for each threat of which a run has several shares; none where it knows no threats. */
export function threatCharts(run: RunResult): CaptionedChart[] {
  if (run.config.threats === undefined) return [];
  return THREAT_COLUMNS.flatMap((column) => {
    const alone = run.cells.filter(({ sweep }) =>
      THREAT_COLUMNS.every((other) => other === column || sweep[other] === 0),
    );
    if (new Set(alone.map(({ sweep }) => sweep[column])).size < 2) return [];
    return [
      along(run, alone, column, {
        id: 'error',
        title: errorWords(run).axis,
        point: (cell, x) => measuredPoint(cell, x),
        caption: runCaption(run),
      }),
      along(run, alone, column, {
        id: 'epsilon',
        title: 'central epsilon of an honest user (nats)',
        point: epsilonPoint,
        bars: 'proved to lie in',
        caption:
          `Certified epsilon of an honest user who takes part, in the least protected group; bars: from the lower to the upper end. ${run.cells.some(isAtCertifiedPrivacy) ? '' : 'Parameters are chosen as if all users were honest and took part.'}`.trim(),
      }),
    ];
  });
}

interface Measured {
  readonly id: string;
  readonly title: string;
  readonly point: (cell: CellResult, x: number) => ChartPoint;
  readonly caption: string;
  /** What its bars are; default 95 % intervals. */
  readonly bars?: string;
}

function along(
  run: RunResult,
  cells: readonly CellResult[],
  column: ThreatColumn,
  { id, title, point, caption, bars }: Measured,
): CaptionedChart {
  const settingOf = (cell: CellResult): string =>
    `${cell.users} ${cell.domain} ${cell.items} ${sweptTarget(run, cell)}`;
  return {
    chart: {
      id: `${id}-by-${column}`,
      title: `${run.config.name}: ${id} by ${AXES[column]}`,
      ...(id === 'error' ? { subtitle: runSubtitle(run) } : {}),
      x: { title: AXES[column], scale: 'linear' },
      y: { title, scale: 'log' },
      panels: [...groupBy(cells, settingOf).values()].map((here) => ({
        title: [panelTitle(here[0]!), sweptTarget(run, here[0]!)].filter((part) => part !== '').join(', '),
        series: [...groupBy(here, ({ series }) => series).values()].map((group): ChartSeries => ({
          name: group[0].protocol,
          style: 'measured',
          points: chosenBy(group, ({ sweep }) => `${sweep[column]}`)
            .map((cell) => point(cell, Number(cell.sweep[column])))
            .sort((a, b) => a.x - b.x),
        })),
      })),
      ...(bars === undefined ? {} : { bars }),
      sharedY: false,
      colourKeys: protocolNames(run),
    },
    caption,
  };
}

/** At the upper end, which is what may be told; a gap where nothing is proved. */
function epsilonPoint(cell: CellResult, x: number): ChartPoint {
  const { lower, upper } = worstEpsilon(cell.certified);
  if (!(upper > 0 && upper < Infinity)) return { x, y: null };
  return { x, y: upper, ...(lower > 0 ? { low: lower, high: upper } : {}) };
}
