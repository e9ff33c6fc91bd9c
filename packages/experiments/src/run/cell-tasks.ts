/** What the threads of a run do: describe a cell, or run a range of trials of cells that share their data. */
import type { ShuffleTrace } from '@shuffle-dp/core';
import { DataFileError, fileDigest } from '../data/data-file.ts';
import { openDataSource, type DataSource } from '../data/data-sets.ts';
import { awaitedAnswerOf, type Answer } from '../pool/answer.ts';
import { canonicalJson } from '../run-folder/canonical-json.ts';
import type { Cell } from '../kinds/cell.ts';
import type { DataCell } from '../kinds/data-cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { cellProtocol, type CellDescription, type CellProtocol } from './cell-protocol.ts';
import { OTHER_ERROR } from './error-measure.ts';
import { prepareChecks, prepareTrials } from '../own-randomizer/own-randomizer.ts';
import { drawData, runTrial, type TrialPurpose } from './trial.ts';
import { addAnswer, firstTrials, roomFor, trialsIn, type TrialRange } from './trial-range.ts';

/** The module of these tasks, for a pool. */
export const CELL_TASKS = import.meta.url;

/** Trials from `from` to `to` - 1 of cells that share their data. */
export interface TrialsTask {
  readonly cells: readonly Cell[];
  readonly from: number;
  readonly to: number;
  /** For each cell its first trials of the range, which are there already. */
  readonly begun: readonly (TrialRange | null)[];
  /** No part, however long it takes: two answers are to be the same. */
  readonly whole: boolean;
}

export function describeCell(cell: Cell): Promise<Answer<CellDescription>> {
  return awaitedAnswerOf(async () => {
    if (cell.spec.kind === 'own-randomizer') await prepareChecks(cell.spec);
    return protocolOf(cell).describe();
  });
}

/** Whether tasks of the cells call code that a user brought. */
export function callOwnModules(cells: readonly Cell[]): boolean {
  return cells.some(({ spec }) => spec.kind === 'own-randomizer');
}

/** Loads the modules of the cells where this thread has not. */
export async function prepareToRun(cells: readonly Cell[]): Promise<void> {
  for (const { spec, data } of cells) {
    // Limits are set for the thread: one after the other.
    // oxlint-disable-next-line no-await-in-loop
    if (spec.kind === 'own-randomizer') await prepareTrials(spec, data.users);
  }
}

/** A task that has taken so long ends after the trial it is at, so that what it has can be put on the disk. */
const LONG_ENOUGH_MS = 500;

/**
 * One range for each cell, from its first trial on: whole, or as far as the task came in its time. Only `seconds` depend on the machine. Trials outside, cells inside:
 * each data set is drawn once for all cells.
 */
export function runTrials({
  cells,
  from,
  to,
  begun,
  whole,
}: TrialsTask): Promise<Answer<readonly TrialRange[]>> {
  return awaitedAnswerOf(async () => {
    await prepareToRun(cells);
    const begin = performance.now();
    const ranges = cells.map((cell, i) => roomFor(to - from, cell.data.domain, begun[i]!));
    const done = begun.map((range) => (range ? trialsIn(range) : 0));
    const part = (): TrialRange[] => ranges.map((range, i) => firstTrials(range, done[i]!));
    for (let trial = from; trial < to; trial++) {
      if (done.every((count) => count > trial - from)) continue;
      const data = dataOf(cells[0]!.data, trial);
      for (const [i, cell] of cells.entries()) {
        if (done[i]! > trial - from) continue;
        runInto(ranges[i]!, cell, data, trial, trial - from);
        done[i]!++;
        if (!whole && performance.now() - begin > LONG_ENOUGH_MS) return part();
      }
    }
    return part();
  });
}

function runInto(range: TrialRange, cell: Cell, data: AnyData, trial: number, index: number): void {
  const start = performance.now();
  const protocol = protocolOf(cell);
  const outcome = runTrial(
    cell,
    protocol,
    data,
    { number: trial },
    {
      itemErrors: range.itemErrors,
      onAnswer: (estimates, empirical) => addAnswer(range.answers, index, estimates, empirical),
    },
  );
  range.squaredErrors[index] = outcome.squaredError;
  range.otherErrors[index] = outcome.otherError;
  range.populationErrors[index] = outcome.populationError;
  const expected = cell.postprocess === 'none' ? (protocol.expectedError(data) ?? Number.NaN) : Number.NaN;
  range.expectedErrors[index] = expected;
  range.choiceErrors[index] =
    cell.oneOfSweep && (Number.isNaN(expected) || OTHER_ERROR[cell.error ?? 'total-squared'])
      ? choiceError(cell, protocol, trial)
      : Number.NaN;
  range.seconds += (performance.now() - start) / 1000;
}

/** The error, by which settings are compared, of a trial that is not reported. */
function choiceError(cell: Cell, protocol: CellProtocol, trial: number): number {
  const data = dataOf(cell.data, trial, 'choice');
  const { squaredError, otherError } = runTrial(cell, protocol, data, { number: trial, purpose: 'choice' });
  return Number.isNaN(otherError) ? squaredError : otherError;
}

/** One trial, message by message, with a look at both sides of its shuffle. */
export function traceTrial(cell: Cell): Promise<Answer<readonly ShuffleTrace[]>> {
  return awaitedAnswerOf(async () => {
    await prepareToRun([cell]);
    const entries: ShuffleTrace[] = [];
    const data = drawData(sourceOf(cell.data), cell.data, 0);
    runTrial(cell, protocolOf(cell), data, { number: 0 }, { trace: (entry) => entries.push(entry) });
    return entries;
  });
}

/** Bytes of data sets that a thread keeps for the next cells that share them. */
const MOST_KEPT_BYTES = 64 * 2 ** 20;
const MOST_PROTOCOLS = 64;

const sources = new Map<string, DataSource>();
const protocols = new Map<string, CellProtocol>();
const kept = new Map<string, { readonly data: AnyData; readonly bytes: number }>();
let keptBytes = 0;

function sourceOf(data: DataCell): DataSource {
  const key = canonicalJson([data.config, data.file, data.fileDigest]);
  let source = sources.get(key);
  if (source === undefined) {
    source = openDataSource(data.config, data.file);
    // Another machine may have another file of that name.
    if (data.file !== null && fileDigest(data.file) !== data.fileDigest)
      throw new DataFileError(data.file, 'is not the file that the run was planned with');
    sources.clear();
    sources.set(key, source);
  }
  return source;
}

function protocolOf(cell: Cell): CellProtocol {
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
  const bytes = kindOf(data.kind).bytesOf(data);
  for (const [oldest, entry] of kept) {
    if (keptBytes + bytes <= MOST_KEPT_BYTES) break;
    kept.delete(oldest);
    keptBytes -= entry.bytes;
  }
  kept.set(key, { data, bytes });
  keptBytes += bytes;
  return data;
}
