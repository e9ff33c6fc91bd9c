/**
 * How far the trials of a cell are. Trials are cut into ranges by their number alone, and ranges are added up
 * in their order, whenever and wherever they were run: the bytes of a result depend on nothing else.
 */
import { addRange, firstTrials, roomFor, trialsIn, type TrialRange } from '../trials/trial-range.ts';

/**
 * Ranges of trials: few enough for the queue, small enough for several workers. They fix the order of sums.
 */
const TRIALS_PER_RANGE = 10;
const MOST_RANGES = 1000;

export interface RangeCut {
  /** Trials of a range, but for the last. */
  readonly size: number;
  readonly count: number;
}

export function cutIntoRanges(trials: number): RangeCut {
  const size = Math.max(TRIALS_PER_RANGE, Math.ceil(trials / MOST_RANGES));
  return { size, count: Math.ceil(trials / size) };
}

/** What goes on from here: plain data, for a checkpoint. */
export interface TrialState {
  /** The ranges that are added up: all before this one. */
  readonly added: number;
  readonly sum: TrialRange;
  /** Later ranges, whole or not, by their index. */
  readonly others: readonly (readonly [number, TrialRange])[];
}

export class TrialProgress {
  readonly #trials: number;
  readonly #cut: RangeCut;
  readonly #sum: TrialRange;
  readonly #others = new Map<number, TrialRange>();
  #added = 0;

  constructor(trials: number, domain: number, state: TrialState | null) {
    this.#trials = trials;
    this.#cut = cutIntoRanges(trials);
    this.#sum = roomFor(trials, domain, state?.sum ?? null);
    if (!state) return;
    this.#added = state.added;
    for (const [index, range] of state.others) this.#others.set(index, range);
  }

  /** The first trials of a range that is not whole yet; null where there are none. */
  begun(index: number): TrialRange | null {
    return this.#others.get(index) ?? null;
  }

  isWhole(index: number): boolean {
    if (index < this.#added) return true;
    const range = this.#others.get(index);
    return range !== undefined && trialsIn(range) === this.#trialsOf(index);
  }

  /** In place of what there was of this range. */
  put(index: number, range: TrialRange): void {
    this.#others.set(index, range);
    for (let next = this.#added; next < this.#cut.count && this.isWhole(next); next = this.#added) {
      addRange(this.#sum, next * this.#cut.size, this.#others.get(next)!);
      this.#others.delete(next);
      this.#added++;
    }
  }

  get trialsDone(): number {
    let done = Math.min(this.#trials, this.#added * this.#cut.size);
    for (const range of this.#others.values()) done += trialsIn(range);
    return done;
  }

  get isComplete(): boolean {
    return this.#added === this.#cut.count;
  }

  /** All trials, once they are there. */
  get sum(): TrialRange {
    return this.#sum;
  }

  get state(): TrialState {
    const trials = Math.min(this.#trials, this.#added * this.#cut.size);
    return { added: this.#added, sum: firstTrials(this.#sum, trials), others: [...this.#others] };
  }

  #trialsOf(index: number): number {
    return Math.min(this.#cut.size, this.#trials - index * this.#cut.size);
  }
}
