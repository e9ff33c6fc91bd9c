/**
 * Figures 2 to 6 of S. Wang et al., "Segmented Private Data Aggregation in the Multi-message Shuffle Model",
 * 2025: error of the segmented protocol against the number of blanket messages, with its five competitors as
 * level lines. Beyond the paper: the same protocol with Poisson blankets, its rates set by the exact
 * accounting of a user's whole set.
 */
import { join } from 'node:path';
import { groupBy } from '@shuffle-dp/core';
import type { ChartPanel } from '@shuffle-dp/experiments/charts';
import { parseConfig } from '@shuffle-dp/experiments/config';
import { workforceOf } from '@shuffle-dp/experiments/pool';
import { panelsAlong } from '@shuffle-dp/experiments/report';
import { chooseSetting, errorWords, type RunResult } from '@shuffle-dp/experiments/results';
import { runExperiment } from '@shuffle-dp/experiments/run';
import { tableOf, type ColumnOf } from '../claims/table-values.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';

/** Fractions of the users at levels 0.5, 1 and 2. */
const SETTINGS = { S1: [0.25, 0.5, 0.25], S2: [0.5, 0.25, 0.25], S3: [0.25, 0.25, 0.5] } as const;

type Setting = keyof typeof SETTINGS;

/** One run of a figure: its panels are the numbers of users. */
interface Part {
  readonly setting: Setting;
  readonly data: Readonly<Record<string, string | number>>;
}

const MSNBC = { kind: 'msnbc-like', items: 4, padding: 'fill' } as const;
const synthetic = (items: number): Part['data'] => ({ kind: 'sets-uniform', domain: 128, items });

// The paper's axis ends at 10. The optimum of 8 items and 5,000 users is at 14, and is to be seen inside the
// axis.
const BLANKET_RATES = [0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10, 14, 20];
const QUICK_BLANKET_RATES = [0.1, 0.3, 0.7, 1, 2, 4, 8, 14, 20];
const TRIALS = { full: 100, quick: 25 } as const;

export const EXACT = 'Segmented, exact';

/** In the table alone: balls into bins with the blankets that its own paper asks for. */
export const ORIGINAL = 'MM, original accounting';

const COMPETITORS = [
  'subexp-local',
  'subexp-shuffled',
  'balls-into-bins',
  'sep-mm',
  'weighted-sep-mm',
] as const;

interface PartCell {
  readonly part: Part;
  readonly cell: RunResult['cells'][number];
}

const COLUMNS = {
  setting: ({ part }) => part.setting,
  users: ({ cell }) => cell.users,
  domain: ({ cell }) => cell.domain,
  items: ({ cell }) => cell.items,
  protocol: ({ cell }) => cell.protocol,
  blanketRate: ({ cell }) => cell.sweep['blanketRate'] ?? '',
  mse: ({ cell }) => cell.mse,
  mse_ci_low: ({ cell }) => cell.mseInterval.lower,
  mse_ci_high: ({ cell }) => cell.mseInterval.upper,
  mse_theory: ({ cell }) => cell.mseTheory ?? '',
  mse_bound: ({ cell }) => cell.mseBound ?? '',
} satisfies Record<string, ColumnOf<PartCell>>;

export type PanelColumn = keyof typeof COLUMNS;

export const SEGMENTED_FIGURES: readonly Figure<PanelColumn>[] = [
  segmentedFigure(2, 'MSNBC-style users, levels S1', [{ setting: 'S1', data: MSNBC }]),
  segmentedFigure(3, 'Synthetic sets over 128 items, levels S1', [
    { setting: 'S1', data: synthetic(4) },
    { setting: 'S1', data: synthetic(8) },
  ]),
  segmentedFigure(4, 'MSNBC-style users, levels S2 and S3', [
    { setting: 'S2', data: MSNBC },
    { setting: 'S3', data: MSNBC },
  ]),
  segmentedFigure(5, 'Synthetic sets over 128 items, levels S2', [
    { setting: 'S2', data: synthetic(4) },
    { setting: 'S2', data: synthetic(8) },
  ]),
  segmentedFigure(6, 'Synthetic sets over 128 items, levels S3', [
    { setting: 'S3', data: synthetic(4) },
    { setting: 'S3', data: synthetic(8) },
  ]),
];

function segmentedFigure(number: number, title: string, parts: readonly Part[]): Figure<PanelColumn> {
  const id = `seg.fig${number}`;
  return {
    id,
    paper: 'segmented',
    title: `Segmented aggregation, Figure ${number}: ${title}`,
    caption:
      'Sum over the domain of squared errors against the blanket messages that a user sends, for 5,000 and 50,000 users at ' +
      'privacy levels 0.5, 1 and 2 with delta = 0.01/n; the competitors do not depend on it. ' +
      `"${EXACT}" is not in the paper: it accounts for a user's whole set at once (docs/sets.md). ` +
      'Dashed: the expected error and the ' +
      "paper's bound, which counts the sampling of users as error too.",
    cost: { full: 10 * parts.length, quick: 4 * parts.length },
    make: (context) => makeFigure(id, title, parts, context),
  };
}

async function makeFigure(
  id: string,
  title: string,
  parts: readonly Part[],
  context: FigureContext,
): Promise<FigureResult<PanelColumn>> {
  const runs: { readonly part: Part; readonly run: RunResult }[] = [];
  for (const [i, part] of parts.entries()) {
    const name = `${id}-${i + 1}`;
    context.report(
      `${id}: ${part.setting}, ${String(part.data['kind'])}${part.data['items'] ? `, ${part.data['items']} items` : ''}`,
    );
    const config = parseConfig(JSON.stringify(configOf(name, part, context)), name);
    const run = await runExperiment(config, name, {
      out: join(context.folder, 'runs', name),
      resume: true,
      command: `shuffle-dp figures ${id}${context.quick ? ' --quick' : ''}`,
      ...workforceOf(context),
    });
    runs.push({ part, run });
  }
  const trials = TRIALS[context.quick ? 'quick' : 'full'];
  const rows = runs.flatMap(({ part, run }) => run.cells.map((cell) => ({ part, cell })));
  return {
    charts: [
      {
        chart: {
          id,
          title,
          subtitle: `${trials} trials a point, 95 % intervals`,
          x: { title: 'blanket messages per user m', scale: 'log' },
          y: { title: errorWords(runs[0]!.run).axis, scale: 'log' },
          panels: runs.flatMap(({ part, run }) =>
            panelsAlong(run, 'blanketRate', `${part.setting}: `).map(asInThePaper),
          ),
          sharedY: false,
        },
        caption: `Squared error against ${runs[0]!.run.truth}.`,
      },
    ],
    table: tableOf(rows, COLUMNS),
    notes: [
      ...runs.map(({ part, run }) => optimumNote(part, run)),
      `Seed ${runs[0]!.run.provenance.seed}, config hash ${runs.map(({ run }) => run.provenance.configHash.slice(0, 16)).join(', ')}.`,
    ],
  };
}

function configOf(name: string, part: Part, { quick, onlyJudged = false }: FigureContext): object {
  const blanketRate = quick ? QUICK_BLANKET_RATES : BLANKET_RATES;
  return {
    name,
    seed: name,
    adjacency: 'replace-one',
    trials: TRIALS[quick ? 'quick' : 'full'],
    simulation: 'aggregated',
    data: part.data,
    users: [5000, 50000],
    privacy: { levels: [0.5, 1, 2], shares: SETTINGS[part.setting], delta: '0.01/n' },
    protocols: [
      { kind: 'segmented', blanketRate },
      ...(onlyJudged ? [] : [{ kind: 'segmented', label: EXACT, accounting: 'exact', blanketRate }]),
      ...COMPETITORS.map((kind) => ({ kind })),
      { kind: 'balls-into-bins', label: ORIGINAL, accounting: 'original' },
    ],
  };
}

/** The bound is the paper's, and shown for the paper's protocol alone. */
function asInThePaper({ title, series }: ChartPanel): ChartPanel {
  const left = (name: string): boolean => name === `${EXACT}, printed bound` || name.startsWith(ORIGINAL);
  return { title, series: series.filter(({ name }) => !left(name)) };
}

/** Where the least expected error lies, what was measured there, and how far below the best competitor. */
function optimumNote(part: Part, run: RunResult): string {
  const sentences = [...groupBy(run.cells, ({ users }) => users)].map(([users, all]) => {
    const cells = all.filter(({ protocol }) => protocol !== EXACT && protocol !== ORIGINAL);
    const own = chooseSetting(cells.filter(({ kind }) => kind === 'segmented')).cell;
    const rival = chooseSetting(cells.filter(({ kind }) => kind !== 'segmented')).cell;
    const saved = Math.round((1 - own.mse / rival.mse) * 100);
    const compared = saved >= 0 ? `${saved} % below` : `${-saved} % above`;
    return `n = ${users}: at the best m by theory, ${own.sweep['blanketRate']}, error ${own.mse.toExponential(2)}, ${compared} ${rival.protocol} (${rival.mse.toExponential(2)})${exactWords(all, own.mse)}`;
  });
  return `${part.setting}, ${run.cells[0]!.items} items of ${run.cells[0]!.domain}: ${sentences.join('; ')}.`;
}

function exactWords(cells: RunResult['cells'], published: number): string {
  const exact = cells.filter((cell) => cell.protocol === EXACT);
  if (exact.length === 0) return '';
  const { cell } = chooseSetting(exact);
  return `; accounted exactly ${cell.mse.toExponential(2)} at m = ${cell.sweep['blanketRate']}, ${(published / cell.mse).toFixed(1)} times less`;
}
