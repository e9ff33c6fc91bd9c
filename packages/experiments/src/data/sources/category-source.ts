/** Sources of one category per user. */
import {
  aliasTable,
  sampleMultinomial,
  type CategoricalData,
  type RandomStream,
  type SimulationPath,
} from '@shuffle-dp/core';
import type { CategoryColumn } from '../csv/csv-data.ts';
import { itemProbabilities, type ItemShape } from '../item-weights.ts';
import { chosenUsers, GENERATED, type SourceUsers } from './source-users.ts';

export interface CategorySource extends SourceUsers {
  readonly holds: 'categories';
  readonly domain: number;
  /**
   * One random data set. For the aggregated path a generator draws the histogram alone, at a cost that does
   * not grow with the users. @throws RangeError for more users than the file has
   */
  draw(users: number, path: SimulationPath, stream: RandomStream): CategoricalData;
}

/** Users who are drawn in one go: one long loop would be compiled again and again. */
const BLOCK = 4096;

export function syntheticCategories(shape: ItemShape, domain: number): CategorySource {
  return drawnCategories(itemProbabilities(shape, domain));
}

/**
 * Categories by shares that a config lists, which are divided by their sum.
 * @param shares not all zero
 * @param names as many
 */
export function listedCategories(shares: readonly number[], names?: readonly string[]): CategorySource {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const population = Float64Array.from(shares, (share) => share / total);
  return { ...drawnCategories(population), ...(names && { names }) };
}

function drawnCategories(population: Float64Array): CategorySource {
  const { length: domain } = population;
  const table = aliasTable(population);
  return {
    holds: 'categories',
    domain,
    ...GENERATED,
    draw(users, path, stream) {
      const histogram = new Float64Array(domain);
      const common = { kind: 'categories', users, domain, histogram, population } as const;
      const values = stream.fork('values');
      if (path === 'aggregated') {
        sampleMultinomial(users, population, histogram, values);
        return common;
      }
      const drawn = new Uint32Array(users);
      for (let start = 0; start < users; start += BLOCK) {
        const block = drawn.subarray(start, start + BLOCK);
        table.fill(block, values);
        addTo(histogram, block);
      }
      return { ...common, values: drawn };
    },
  };
}

export function fileCategories({ domain, values, labels, notices, skipped }: CategoryColumn): CategorySource {
  const available = values.length;
  const population = histogramOf(values, domain).map((count) => count / available);
  return {
    holds: 'categories',
    domain,
    available,
    notices,
    skipped,
    ...(labels ? { names: labels } : {}),
    draw(users, _path, stream) {
      const chosen = chosenUsers(users, available, stream)?.map((user) => values[user]!) ?? values;
      return {
        kind: 'categories',
        users,
        domain,
        histogram: histogramOf(chosen, domain),
        values: chosen,
        population,
      };
    },
  };
}

function histogramOf(values: Uint32Array, domain: number): Float64Array {
  const histogram = new Float64Array(domain);
  addTo(histogram, values);
  return histogram;
}

function addTo(histogram: Float64Array, values: Uint32Array): void {
  for (let i = 0; i < values.length; i++) histogram[values[i]!]!++;
}
