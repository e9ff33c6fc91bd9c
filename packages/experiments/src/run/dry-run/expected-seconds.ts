/** How long many trials take, by a few. */

/** A first trial that takes so long tells alone. Others make what all share, and a second one follows. */
const LONG_SECONDS = 10;
/**
 * Trials are run on until those after the first have taken this share of what is expected, within limits: the
 * first ones are mostly compiled.
 */
const [SHARE, LEAST_SECONDS, MOST_SECONDS] = [0.02, 0.05, 0.5];

/**
 * What all trials take, in seconds: those that are run, and the others as long as the last of those.
 *
 * @param secondsOf runs trials `from` to before `to`, which follow those before, and says what they took
 */
export async function expectedSeconds(
  trials: number,
  secondsOf: (from: number, to: number) => Promise<number>,
): Promise<number> {
  let [first, later] = [0, 0];
  for (let [from, to] = [0, 1]; ; [from, to] = [to, Math.min(trials, 3 * to)]) {
    // Each takes up where the one before has ended.
    // oxlint-disable-next-line no-await-in-loop
    const seconds = await secondsOf(from, to);
    if (from === 0) first = seconds;
    else later += seconds;
    const expected = first + later + ((trials - to) * seconds) / (to - from);
    const enough = Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, SHARE * expected));
    if (to === trials || first >= LONG_SECONDS || later >= enough) return expected;
  }
}
