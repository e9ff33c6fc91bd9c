/**
 * One histogram query over numbered cells: exact, or from a multi-message shuffle round in which every user
 * sends their own cell and m - 1 cells drawn uniformly (balls into bins: Luo, Wang and Yi, "Frequency
 * estimation in the shuffle model with almost a single message", CCS 2022).
 */
import { requireInteger, type RandomStream, type SimulationPath } from '@shuffle-dp/core';
import { collectItems } from '../item-sets/item-messages.ts';

/** Counts that are unbiased estimates, all with the same variance. */
export interface EstimatedCounts {
  readonly counts: Float64Array;
  readonly variance: number;
}

/** Answers query number `query` of a level: how many users are in each of `bins` cells. */
export type CellHistogram = (
  cells: Uint16Array,
  bins: number,
  level: number,
  query: number,
) => EstimatedCounts;

/** Cells are sent as numbers of 16 bits. */
export const MOST_BINS = 65_535;

/** The counts themselves, without privacy. */
export const exactHistogram: CellHistogram = (cells, bins) => ({
  counts: countCells(cells, bins),
  variance: 0,
});

/**
 * Each query is a round of its own, seen through the shuffler alone. 'aggregated' draws the counts from their
 * exact law without making messages.
 * @param messagesPerUser m, an integer of at least 2: the user's cell and m - 1 blanket messages
 */
export function shuffledHistogram(
  messagesPerUser: number,
  stream: RandomStream,
  path: SimulationPath,
): CellHistogram {
  const blanketRate = requireInteger('messagesPerUser', messagesPerUser, 2) - 1;
  return (cells, bins, level, query) => {
    const users = cells.length;
    const counts = collectItems(
      { domain: bins, items: 1, blanketRate, rates: [1], blankets: 'paper' },
      {
        kind: 'sets',
        users,
        domain: bins,
        items: 1,
        rows: cells,
        histogram: countCells(cells, bins),
      },
      stream.fork(`level ${level}`).fork(`query ${query}`),
      path,
    );
    const blanketMean = (users * blanketRate) / bins;
    return { counts: counts.map((count) => count - blanketMean), variance: blanketMean * (1 - 1 / bins) };
  };
}

function countCells(cells: Uint16Array, bins: number): Float64Array {
  const counts = new Float64Array(bins);
  for (let user = 0; user < cells.length; user++) counts[cells[user]!]!++;
  return counts;
}
