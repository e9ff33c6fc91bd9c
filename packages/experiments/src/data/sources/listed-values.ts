/** Users who each hold one of a list of numbers. */
import { aliasTable, sampleMultinomial, type RandomStream, type SimulationPath } from '@shuffle-dp/core';

/** How many hold each number, and on the path of messages what every user holds. */
export interface ListedValues {
  readonly holders: Float64Array;
  readonly values?: Float64Array;
}

/** @param weights probability of each number of the list */
export function drawListed(listed: Float64Array, weights: Float64Array) {
  const table = aliasTable(weights);
  return (users: number, path: SimulationPath, stream: RandomStream): ListedValues => {
    const holders = new Float64Array(listed.length);
    if (path === 'aggregated') {
      sampleMultinomial(users, weights, holders, stream);
      return { holders };
    }
    const values = new Float64Array(users);
    for (let u = 0; u < users; u++) {
      const i = table.sample(stream);
      values[u] = listed[i]!;
      holders[i]!++;
    }
    return { holders, values };
  };
}
