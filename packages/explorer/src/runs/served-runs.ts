/** The runs of the results folder, where the explorer is served by the program. */

export interface ServedRun {
  /** The folder beneath the results folder: 'quick', 'papers/seg.fig2'; '' is the results folder itself. */
  readonly name: string;
  /** When its files last changed, as an ISO date. */
  readonly changed: string;
  /** Paths of files beneath the run's folder. */
  readonly files: readonly string[];
}

export interface ServedFolder {
  /** As the program was told. */
  readonly folder: string;
  readonly runs: readonly ServedRun[];
  /** How many are not listed, as there are very many. */
  readonly left: number;
}

/** The part of a run's summary.json that is shown. */
export interface RunSummary {
  readonly name: string;
  readonly question: string | null;
  readonly trials: number;
  readonly cells: readonly SummaryCell[];
}

export interface SummaryCell {
  readonly cell: string;
  readonly protocol: string;
  readonly users: number;
  readonly delta: number;
  readonly sweep: Readonly<Record<string, number | string>>;
  /** Runs of earlier versions have no other error. */
  readonly error?: {
    readonly mean: number;
    readonly interval: { readonly lower: number; readonly upper: number | string };
  };
  readonly mse: number;
  readonly mseInterval: { readonly lower: number; readonly upper: number | string };
  readonly messagesPerUser: number;
  readonly bitsPerUser: number;
  readonly certified: readonly {
    readonly epsilon: { readonly lower: number; readonly upper: number | string };
  }[];
}

/** As the page calls a run. */
export function runTitle({ folder }: Pick<ServedFolder, 'folder'>, { name }: ServedRun): string {
  return name === '' ? folder : name;
}

/**
 * Null where nobody serves any: the page is opened as a file, or stands on a static host.
 * @param named a run that is listed however many there are
 */
export async function servedRuns(named: string | undefined): Promise<ServedFolder | null> {
  if (!location.protocol.startsWith('http')) return null;
  try {
    const answer = await fetch(
      named === undefined ? 'runs.json' : `runs.json?run=${encodeURIComponent(named)}`,
    );
    return answer.ok ? ((await answer.json()) as ServedFolder) : null;
  } catch {
    return null;
  }
}

/**
 * Null where the run has no summary of this form, as trainings and figures have; 'unreadable' where it has
 * one that is damaged.
 */
export async function runSummary({ name, files }: ServedRun): Promise<RunSummary | 'unreadable' | null> {
  if (!files.includes('summary.json')) return null;
  try {
    const answer = await fetch(fileAddress(name, 'summary.json'));
    const summary: unknown = await answer.json();
    if (!answer.ok || !isRecord(summary)) return 'unreadable';
    if (!('cells' in summary)) return null;
    if (!Array.isArray(summary['cells']) || !summary['cells'].every(isRecord)) return 'unreadable';
    if (!summary['cells'].every((cell) => 'mseInterval' in cell)) return null;
    return isSummary(summary) ? summary : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** Whether all that the page reads of it is there. */
function isSummary(summary: object): summary is RunSummary {
  const { name, trials, cells } = summary as RunSummary;
  return typeof name === 'string' && typeof trials === 'number' && cells.every(isCell);
}

function isCell({ protocol, users, sweep, error, mseInterval, certified }: SummaryCell): boolean {
  return (
    typeof protocol === 'string' &&
    typeof users === 'number' &&
    isRecord(sweep) &&
    isRecord(mseInterval) &&
    (error === undefined || (isRecord(error) && isRecord(error.interval))) &&
    Array.isArray(certified) &&
    certified.every((proved: unknown) => isRecord(proved) && isRecord(proved['epsilon']))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A chart of a run, and what else the run has of it. */
export interface RunPicture {
  readonly file: string;
  /** In words: 'error by blanketRate'. */
  readonly name: string;
  readonly others: readonly { readonly form: string; readonly file: string }[];
}

const FORMS: readonly (readonly [ending: string, form: string])[] = [
  ['.data.csv', 'data'],
  ['.png', 'PNG'],
  ['.pdf', 'PDF'],
  ['.vl.json', 'spec'],
];

/** Runs of earlier versions have fewer forms. */
export function runPictures(files: readonly string[]): RunPicture[] {
  return files
    .filter((file) => file.endsWith('.svg'))
    .map((file) => {
      const stem = file.slice(0, -'.svg'.length);
      const others = FORMS.map(([ending, form]) => ({ form, file: `${stem}${ending}` }));
      return {
        file,
        name: stem.slice(stem.lastIndexOf('/') + 1).replaceAll('-', ' '),
        others: others.filter((other) => files.includes(other.file)),
      };
    });
}

export function fileAddress(run: string, file: string): string {
  const folders = run === '' ? [] : run.split('/');
  return `runs/${[...folders, ...file.split('/')].map(encodeURIComponent).join('/')}`;
}

/** Of the worst protected group. */
export function certifiedEpsilon({ certified }: SummaryCell): number {
  return Math.max(...certified.map(({ epsilon }) => Number(epsilon.upper)));
}

/** The error that protocols are compared by. */
export function cellError({ error, mse, mseInterval }: SummaryCell): NonNullable<SummaryCell['error']> {
  return error ?? { mean: mse, interval: mseInterval };
}
