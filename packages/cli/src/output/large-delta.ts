/** What a failure probability of one in the number of users, or more, allows. */

/** @param users the fewest of any round @returns at most one line */
export function largeDeltaLines(delta: number | undefined, users: number): string[] {
  return delta !== undefined && delta < 1 && delta * users >= 1
    ? [`delta ${delta} is not below 1/users: it allows that some user's data are shown as they are`]
    : [];
}
