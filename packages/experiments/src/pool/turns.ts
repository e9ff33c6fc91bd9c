/** Work that others wait for, such as what takes all threads at once. */

/** One after another, in the order of the calls. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(perform: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(perform);
    // Whoever waits for a turn that failed is told so; the next begins all the same.
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
