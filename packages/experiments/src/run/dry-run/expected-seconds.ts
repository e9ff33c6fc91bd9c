/** How long many trials take, by a few. */

/**
 * Trials are run on until those after the first have taken so long: the first ones are mostly compiled, and
 * the very first makes what all share. That alone tells where it takes longer.
 */
const [ENOUGH_SECONDS, LONG_SECONDS] = [0.05, 0.25];

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
    if (to === trials || first >= LONG_SECONDS || later >= ENOUGH_SECONDS)
      return first + later + ((trials - to) * seconds) / (to - from);
  }
}
