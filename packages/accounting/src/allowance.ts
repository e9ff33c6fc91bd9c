/**
 * What an answer may cost in all: counted in what is done and by no clock, so that a question has one answer
 * on any machine. One allowance goes through all stages of a composition. What a stage takes the next ones
 * lack, and a stage that lacks something ends with bounds that are coarser, and proved like any.
 */

/**
 * Counts what integrals cost, whatever the clock says: sines, of every point on a line those of all values
 * and what else it takes.
 */
export interface Work {
  sines: number;
  /** No integral begins where so many have been taken. */
  readonly most?: number;
}

/** Whether there is no more to be taken. */
export function isSpent({ sines, most = Infinity }: Work = { sines: 0 }): boolean {
  return sines >= most;
}

/**
 * In sines, and what takes as long as one; some fifteen million are a second.
 *
 * @example new Allowance(100).left // 100
 */
export class Allowance implements Work {
  sines = 0;
  readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  take(sines: number): void {
    this.sines += sines;
  }

  /** At least 0. */
  get left(): number {
    return Math.max(0, this.most - this.sines);
  }
}

/**
 * What the sharp bound of one round may take in all, some four seconds. Few searches need a fifth of it:
 * those among few users, at deltas that are far smaller, where estimates mislead.
 */
export const SHARP_SINES = 60e6;
