/** What the threads of a run do: describe a cell, or run a range of trials of cells that share their data. */
import { openDataSource, type DataSource } from '../data/data-sets.ts';
import { answerOf, type Answer } from '../pool/answer.ts';
import { canonicalJson } from '../run-folder/canonical-json.ts';
import { cellProtocol, type AnyData, type CellDescription, type CellProtocol } from './cell-protocol.ts';
import type { Cell, DataCell } from './cells.ts';
import { OTHER_ERROR } from './error-measure.ts';
import { drawData, runTrial, type TrialPurpose } from './trial.ts';

/** The module of these tasks, for a pool. */
export const CELL_TASKS = import.meta.url;

/** Trials from `from` to `to` - 1 of cells that share their data. */
export interface TrialsTask {
  readonly cells: readonly Cell[];
  readonly from: number;
  readonly to: number;
}

/** The trials of one cell, in order. */
export interface TrialRange {
  readonly squaredErrors: Float64Array;
  /** NaN where the error that protocols are compared by follows from the squared one. */
  readonly otherErrors: Float64Array;
  /** Of trials that only choose among the settings of a sweep; NaN where nothing is to be chosen, or theory can. */
  readonly choiceErrors: Float64Array;
  /** NaN where the data have no population. */
  readonly populationErrors: Float64Array;
  /** NaN where the protocol has no closed form. */
  readonly expectedErrors: Float64Array;
  /** Per item, the sum of its errors over the range. */
  readonly itemErrors: Float64Array;
  readonly seconds: number;
}

export function describeCell(cell: Cell): Answer<CellDescription> {
  return answerOf(() => protocolOf(cell).describe());
}

/** One range for each cell. Trials outside, cells inside: each data set is drawn once for all cells. */
export function runTrials({ cells, from, to }: TrialsTask): Answer<readonly TrialRange[]> {
  return answerOf(() => {
    const ranges = cells.map((cell) => ({
      squaredErrors: new Float64Array(to - from),
      otherErrors: new Float64Array(to - from),
      choiceErrors: new Float64Array(to - from),
      populationErrors: new Float64Array(to - from),
      expectedErrors: new Float64Array(to - from),
      itemErrors: new Float64Array(cell.data.domain),
      seconds: 0,
    }));
    for (let trial = from; trial < to; trial++) {
      const data = dataOf(cells[0]!.data, trial);
      cells.forEach((cell, i) => {
        const range = ranges[i]!;
        const start = performance.now();
        const protocol = protocolOf(cell);
        const outcome = runTrial(cell, protocol, data, trial, range.itemErrors);
        range.squaredErrors[trial - from] = outcome.squaredError;
        range.otherErrors[trial - from] = outcome.otherError;
        range.populationErrors[trial - from] = outcome.populationError;
        const expected =
          cell.postprocess === 'none' ? (protocol.expectedError(data) ?? Number.NaN) : Number.NaN;
        range.expectedErrors[trial - from] = expected;
        range.choiceErrors[trial - from] =
          cell.oneOfSweep && (Number.isNaN(expected) || OTHER_ERROR[cell.error ?? 'total-squared'])
            ? choiceError(cell, protocol, trial)
            : Number.NaN;
        range.seconds += (performance.now() - start) / 1000;
      });
    }
    return ranges;
  });
}

/** The error, by which settings are compared, of a trial that is not reported. */
function choiceError(cell: Cell, protocol: CellProtocol, trial: number): number {
  const data = dataOf(cell.data, trial, 'choice');
  const unused = new Float64Array(cell.data.domain);
  const { squaredError, otherError } = runTrial(cell, protocol, data, trial, unused, 'choice');
  return Number.isNaN(otherError) ? squaredError : otherError;
}

/** Bytes of data sets that a thread keeps for the next cells that share them. */
const MOST_KEPT_BYTES = 64 * 2 ** 20;
const MOST_PROTOCOLS = 64;

const sources = new Map<string, DataSource>();
const protocols = new Map<string, CellProtocol>();
const kept = new Map<string, { readonly data: AnyData; readonly bytes: number }>();
let keptBytes = 0;

export function sourceOf(data: DataCell): DataSource {
  const key = canonicalJson([data.config, data.file, data.fileDigest]);
  let source = sources.get(key);
  if (source === undefined) {
    source = openDataSource(data.config, data.file);
    sources.clear();
    sources.set(key, source);
  }
  return source;
}

export function protocolOf(cell: Cell): CellProtocol {
  let protocol = protocols.get(cell.id);
  if (protocol === undefined) {
    protocol = cellProtocol(cell);
    if (protocols.size >= MOST_PROTOCOLS) protocols.delete(protocols.keys().next().value!);
    protocols.set(cell.id, protocol);
  }
  return protocol;
}

function dataOf(cell: DataCell, trial: number, purpose: TrialPurpose = 'trial'): AnyData {
  const key = `${cell.key} ${purpose} ${trial}`;
  const known = kept.get(key);
  if (known) return known.data;
  const data = drawData(sourceOf(cell), cell, trial, purpose);
  const bytes = byteSize(data);
  for (const [oldest, entry] of kept) {
    if (keptBytes + bytes <= MOST_KEPT_BYTES) break;
    kept.delete(oldest);
    keptBytes -= entry.bytes;
  }
  kept.set(key, { data, bytes });
  keptBytes += bytes;
  return data;
}

function byteSize(data: AnyData): number {
  return data.kind === 'sets'
    ? data.items.byteLength + data.histogram.byteLength + (data.levelOf?.byteLength ?? 0)
    : data.histogram.byteLength + (data.values?.byteLength ?? 0);
}
