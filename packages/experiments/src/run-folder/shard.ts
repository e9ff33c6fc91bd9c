/** A fixed share of a run, so that several machines can run one sweep without talking to each other. */

/** Share `index` of `count`; indices begin at 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** '2/8' */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}
