/**
 * The true divergence of a few users with different randomizers, by listing all data sets and all histograms.
 */
export type Randomizer = readonly (readonly number[])[];

/**
 * The largest divergence at epsilon over all values of the others and all pairs of the victim's;
 * `randomizers[i][x]` is the law of user i's message on value x, and user `victim` changes.
 */
export function heterogeneousDivergence(
  randomizers: readonly Randomizer[],
  victim: number,
  epsilon: number,
): number {
  const others = randomizers.filter((_, i) => i !== victim);
  const own = randomizers[victim]!;
  let worst = 0;
  for (const rows of choices(others)) {
    const laws = own.map((row) => histogramLaw([...rows, row]));
    for (const p of laws) {
      for (const q of laws) {
        let excess = 0;
        for (const [key, mass] of p) excess += Math.max(0, mass - Math.exp(epsilon) * (q.get(key) ?? 0));
        worst = Math.max(worst, excess);
      }
    }
  }
  return worst;
}

/** One row of every randomizer, in all ways. */
function* choices(randomizers: readonly Randomizer[]): Generator<(readonly number[])[]> {
  const [first, ...rest] = randomizers;
  if (!first) {
    yield [];
    return;
  }
  for (const row of first) for (const tail of choices(rest)) yield [row, ...tail];
}

function histogramLaw(rows: readonly (readonly number[])[]): Map<string, number> {
  let law = new Map([[rows[0]!.map(() => 0).join(), 1]]);
  for (const row of rows) {
    const next = new Map<string, number>();
    for (const [key, mass] of law) {
      const counts = key.split(',').map(Number);
      row.forEach((probability, y) => {
        const grown = counts.with(y, counts[y]! + 1).join();
        next.set(grown, (next.get(grown) ?? 0) + mass * probability);
      });
    }
    law = next;
  }
  return law;
}
