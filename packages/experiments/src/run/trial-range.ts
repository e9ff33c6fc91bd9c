/** What is measured in consecutive trials of one cell, and how what comes after it is added. */

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
  seconds: number;
}

/** One number a trial, in their order. */
const PER_TRIAL = [
  'squaredErrors',
  'otherErrors',
  'choiceErrors',
  'populationErrors',
  'expectedErrors',
] as const;
/** Sums over the trials, which are added range by range. */
const SUMS = ['itemErrors'] as const;

export function trialsIn(range: TrialRange): number {
  return range.squaredErrors.length;
}

/** A range with room for so many trials, which goes on from those of `begun`. */
export function roomFor(trials: number, domain: number, begun: TrialRange | null): TrialRange {
  const room: TrialRange = {
    squaredErrors: new Float64Array(trials),
    otherErrors: new Float64Array(trials),
    choiceErrors: new Float64Array(trials),
    populationErrors: new Float64Array(trials),
    expectedErrors: new Float64Array(trials),
    itemErrors: new Float64Array(domain),
    seconds: 0,
  };
  if (begun) addRange(room, 0, begun);
  return room;
}

/** The first trials of a range whose sums are over no others. */
export function firstTrials(range: TrialRange, trials: number): TrialRange {
  const part = { ...range };
  for (const field of PER_TRIAL) part[field] = range[field].slice(0, trials);
  return part;
}

/** Puts the trials of `range` into `whole` from number `at` on; the order of the calls is that of the sums. */
export function addRange(whole: TrialRange, at: number, range: TrialRange): void {
  for (const field of PER_TRIAL) whole[field].set(range[field], at);
  for (const field of SUMS) {
    const [sums, terms] = [whole[field], range[field]];
    for (let i = 0; i < sums.length; i++) sums[i]! += terms[i]!;
  }
  whole.seconds += range.seconds;
}
