/** What the threads of a run do: describe a cell, or run a range of trials of cells that share their data. */
import { onDemand, type SearchResults, type ShuffleTrace } from '@shuffle-dp/core';
import { awaitedAnswerOf, type Answer } from '../pool/answer.ts';
import type { Cell } from '../kinds/cell.ts';
import type { CellDescription, CellProtocol } from './cell-protocol.ts';
import { comparedError, measureInto, needsChoice } from './measured-trial.ts';
import { prepareChecks, prepareTrials } from '../own-randomizer/own-randomizer.ts';
import { dataOf, protocolOf, sourceOf } from './thread-memory.ts';
import { drawData, runTrial } from './trial.ts';
import { firstTrials, roomFor, trialsIn, type TrialRange } from './trial-range.ts';

export { countBuckets, sendBlock } from './block-tasks.ts';

/** The module of these tasks, for a pool. */
export const CELL_TASKS = import.meta.url;

/** Trials from `from` to `to` - 1 of cells that share their data. */
export interface TrialsTask {
  readonly cells: readonly Cell[];
  readonly from: number;
  readonly to: number;
  /** For each cell its first trials of the range, which are there already. */
  readonly begun: readonly (TrialRange | null)[];
  /** For each cell what was searched for to make its protocol: absent where that is not taken from others. */
  readonly searches?: readonly (SearchResults | undefined)[] | undefined;
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

/** Loads the module of a cell that has one, where this thread has not. */
export async function prepareToRun({ spec, data }: Cell): Promise<void> {
  if (spec.kind === 'own-randomizer') await prepareTrials(spec, data.users);
}

/**
 * A task that has taken so long ends after the trial it is at, so that what it has can be put on the disk.
 */
const LONG_ENOUGH_MS = 500;

/**
 * One range for each cell, from its first trial on: whole, or as far as the task came in its time. Only
 * `seconds` depend on the machine. Trials outside, cells inside: each data set is drawn once for all cells.
 * A refusal has the place of its cell.
 */
export async function runTrials({
  cells,
  from,
  to,
  begun,
  searches,
  whole,
}: TrialsTask): Promise<Answer<readonly TrialRange[]>> {
  let place = 0;
  const answer = await awaitedAnswerOf(async () => {
    for (const [i, cell] of cells.entries()) {
      place = i;
      // Limits are set for the thread: one after the other.
      // oxlint-disable-next-line no-await-in-loop
      await prepareToRun(cell);
    }
    const begin = performance.now();
    const ranges = cells.map((cell, i) => roomFor(to - from, cell.data.domain, begun[i]!));
    const done = begun.map((range) => (range ? trialsIn(range) : 0));
    const protocols = cells.map((cell, i) => onDemand(() => protocolOf(cell, searches?.[i])));
    const part = (): TrialRange[] => ranges.map((range, i) => firstTrials(range, done[i]!));
    for (let trial = from; trial < to; trial++) {
      if (done.every((count) => count > trial - from)) continue;
      const data = dataOf(cells[0]!.data, trial);
      for (const [i, cell] of cells.entries()) {
        if (done[i]! > trial - from) continue;
        place = i;
        const protocol = protocols[i]!();
        const start = performance.now();
        measureInto(ranges[i]!, trial - from, { cell, protocol, data, trial });
        if (needsChoice(cell, ranges[i]!, trial - from))
          ranges[i]!.choiceErrors[trial - from] = choiceError(cell, protocol, trial);
        ranges[i]!.seconds += (performance.now() - start) / 1000;
        done[i]!++;
        if (!whole && performance.now() - begin > LONG_ENOUGH_MS) return part();
      }
    }
    return part();
  });
  return 'refused' in answer ? { ...answer, place } : answer;
}

/** The error, by which settings are compared, of a trial that is not reported. */
function choiceError(cell: Cell, protocol: CellProtocol, trial: number): number {
  const data = dataOf(cell.data, trial, 'choice');
  return comparedError(runTrial(cell, protocol, data, { number: trial, purpose: 'choice' }));
}

/** One trial, message by message, with a look at both sides of its shuffle. */
export function traceTrial(cell: Cell): Promise<Answer<readonly ShuffleTrace[]>> {
  return awaitedAnswerOf(async () => {
    await prepareToRun(cell);
    const entries: ShuffleTrace[] = [];
    const data = drawData(sourceOf(cell.data), cell.data, 0);
    runTrial(cell, protocolOf(cell), data, { number: 0 }, { trace: (entry) => entries.push(entry) });
    return entries;
  });
}
