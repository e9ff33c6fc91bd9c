/** What a randomizer chooses where nothing is asked for, and clients have to be given beside its budget. */
const SIZES = ['subsetSize', 'hashRange', 'order', 'length', 'buckets'];

/** Those of its sizes that the randomizer has, by the names that configs have for them. */
export function chosenSizes(randomizer: object): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(randomizer).filter(([name]) => SIZES.includes(name)));
}
