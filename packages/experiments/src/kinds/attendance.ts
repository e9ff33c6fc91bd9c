/**
 * The users of a data set who take part in a trial: a uniform subset of the honest, and what fake users hold
 * in place of the others.
 */
import {
  ParameterError,
  sampleMultivariateHypergeometric,
  sampleSubset,
  sampleUniformMultinomial,
  type CategoricalData,
  type RandomStream,
} from '@shuffle-dp/core';
import { countsOf, type NumberData, type VectorData } from '@shuffle-dp/protocols';
import type { Attendance, CellThreats } from './threats.ts';

/**
 * @param threats of which 'random-item' and 'input' decide what fake users hold; those of other attacks are
 * not among the data
 */
export function attendingCategories(
  data: CategoricalData,
  { honest, fakes }: Attendance,
  { poisoning }: CellThreats,
  stream: RandomStream,
): CategoricalData {
  const { domain } = data;
  const held = new Float64Array(domain);
  const dealt = poisoning && fakes > 0 ? dealtTargets(poisoning, fakes, stream.fork('fakes')) : null;
  dealt?.forEach((count, i) => (held[poisoning!.targets[i]!] = count));
  const users = honest + (dealt ? fakes : 0);
  const own = stream.fork('present');
  if (data.values === undefined) {
    const histogram = sampleMultivariateHypergeometric(data.histogram, honest, own);
    return { kind: 'categories', users, domain, histogram: histogram.map((count, v) => count + held[v]!) };
  }
  const values = new Uint32Array(users);
  values.set(subsetOf(data.values, honest, own));
  let place = honest;
  held.forEach((count, v) => values.fill(v, place, (place += count)));
  const histogram = new Float64Array(domain);
  for (const value of values) histogram[value]!++;
  return { kind: 'categories', users, domain, histogram, values };
}

/** How many fake users hold each target; null where their messages are not made of a category. */
function dealtTargets(
  { attack, targets }: NonNullable<CellThreats['poisoning']>,
  fakes: number,
  stream: RandomStream,
): Float64Array | null {
  const held = new Float64Array(targets.length);
  if (attack === 'input') return held.map((_, i) => Math.floor((fakes + i) / targets.length));
  if (attack !== 'random-item') return null;
  sampleUniformMultinomial(fakes, held, stream);
  return held;
}

/** Fake users hold the upper end of the range. */
export function attendingNumbers(
  data: NumberData,
  { honest, fakes }: Attendance,
  high: number,
  stream: RandomStream,
): NumberData {
  const users = honest + fakes;
  if (data.values === undefined) {
    const { points, holders } = countsOf(data);
    const present = sampleMultivariateHypergeometric(holders, honest, stream);
    return {
      kind: 'numbers',
      users,
      counts: {
        points: withLast(points, high),
        holders: withLast(present, fakes),
      },
    };
  }
  const values = new Float64Array(users).fill(high);
  values.set(subsetOf(data.values, honest, stream));
  return { kind: 'numbers', users, values };
}

function withLast(values: Float64Array, last: number): Float64Array {
  const all = new Float64Array(values.length + 1).fill(last);
  all.set(values);
  return all;
}

export function attendingVectors(
  { values, dimensions, users: all }: VectorData,
  { honest }: Attendance,
  stream: RandomStream,
): VectorData {
  const who = new Uint32Array(honest);
  sampleSubset(honest, all, who, 0, stream);
  const chosen = new Float64Array(honest * dimensions);
  who.forEach((user, u) =>
    chosen.set(values.subarray(user * dimensions, (user + 1) * dimensions), u * dimensions),
  );
  return { kind: 'vectors', users: honest, dimensions, values: chosen };
}

/** @throws ParameterError for kinds of data of which no part is drawn */
export function nobodyStaysAway(holds: string): never {
  throw new ParameterError('threats', 'users who stay away or are fake', `left out for ${holds}`);
}

function subsetOf<Values extends Uint32Array | Float64Array>(
  values: Values,
  size: number,
  stream: RandomStream,
): Values {
  if (size === values.length) return values;
  const who = new Uint32Array(size);
  sampleSubset(size, values.length, who, 0, stream);
  const chosen = values.slice(0, size) as Values;
  who.forEach((user, u) => (chosen[u] = values[user]!));
  return chosen;
}
