/**
 * Room for many short rows of numbers, the latest written over the oldest: arrays of their own would be made
 * and thrown away a hundred thousand times a second.
 */

/** Four megabytes. */
const ROOM = 2 ** 19;
/** Rows of one length that may be taken while another is read. */
const IN_USE = 16;

export class RecentNumbers {
  readonly numbers = new Float64Array(ROOM);
  /** What was taken so far, and skipped where a row did not fit before the end. */
  #taken = 0;

  /**
   * Room for so many numbers next to each other: what tells them from all that is taken later.
   * @throws RangeError for rows of which too few fit
   */
  take(count: number): number {
    if (count * IN_USE * 2 > ROOM) throw new RangeError(`${count} numbers a row: too many`);
    const left = ROOM - (this.#taken % ROOM);
    if (left < count) this.#taken += left;
    const start = this.#taken;
    this.#taken += count;
    return start;
  }

  /** Whether a row is as it was written, and stays so while a few more of its length are taken. */
  has(start: number, count: number): boolean {
    return this.#taken - start <= ROOM - IN_USE * count;
  }

  /** Where it begins in `numbers`. */
  placeOf(start: number): number {
    return start % ROOM;
  }
}
