/** Sources of key-value pairs: every draw is a data set in which all users hold as many pairs. */
import {
  aliasTable,
  sampleMultinomial,
  sampleSubset,
  type RandomStream,
  type SimulationPath,
} from '@shuffle-dp/core';
import type { KeyValuedData } from '@shuffle-dp/protocols';
import { counted } from '../../words/counted.ts';
import type { KeyValueRows } from '../csv/csv-key-values.ts';
import { itemProbabilities } from '../item-weights.ts';
import type { NumberRange } from './number-source.ts';
import { chosenUsers, countOutside, GENERATED, type SourceUsers, withOutside } from './source-users.ts';

export interface KeyValueSource extends SourceUsers {
  readonly holds: 'key-values';
  /** Number of keys, those that pad users with fewer pairs included. */
  readonly domain: number;
  /** The first of these, which were not added; absent where none was. */
  readonly keys?: number;
  readonly items: number;
  /** Of the values. */
  readonly range: NumberRange;
  /**
   * One random data set. For the aggregated path a generator draws how many users hold each key with each
   * value, at a cost that does not grow with them. @throws RangeError for more users than the file has
   */
  draw(users: number, path: SimulationPath, stream: RandomStream): KeyValuedData;
}

interface SyntheticPairs extends NumberRange {
  readonly domain: number;
  readonly items: number;
  readonly exponent: number;
}

/** Values of a key: how many steps a fair choice of its own probability goes up, of so many. */
const VALUE_STEPS = 10;

/**
 * Keys stand in as many shelves as a user has pairs, key k in shelf k mod items, and a user takes one of
 * each: its i-th with weight 1 / (i + 1)^exponent. Values have a binomial law, whose mean falls from key to
 * key over the inner four fifths of the range.
 */
export function syntheticKeyValues({
  domain,
  items,
  exponent,
  low,
  high,
  unit,
}: SyntheticPairs): KeyValueSource {
  const shelves = Array.from({ length: items }, (_, shelf) => {
    const size = Math.ceil((domain - shelf) / items);
    const weights = itemProbabilities({ kind: 'zipf', exponent }, size);
    return { weights, table: aliasTable(weights), keyAt: (i: number) => shelf + i * items };
  });
  const values = Float64Array.from(
    { length: VALUE_STEPS + 1 },
    (_, j) => low + ((high - low) * j) / VALUE_STEPS,
  );
  const frequencies = new Float64Array(domain);
  for (const { weights, keyAt } of shelves) weights.forEach((weight, i) => (frequencies[keyAt(i)] = weight));
  /** Probability of a step up for each key. */
  const ups = Float64Array.from({ length: domain }, (_, key) => 0.9 - (0.8 * (key + 0.5)) / domain);
  const laws = Array.from(ups, binomialLaw);
  const tables = laws.map((law) => aliasTable(law));
  const population = { frequencies, means: ups.map((up) => low + (high - low) * up) };
  return {
    holds: 'key-values',
    domain,
    items,
    range: { low, high, unit },
    ...GENERATED,
    draw(users, path, stream) {
      const holders = new Float64Array(domain * values.length);
      const keyStream = stream.fork('keys');
      const valueStream = stream.fork('values');
      const pairs =
        path === 'messages'
          ? { keys: new Uint32Array(users * items), values: new Float64Array(users * items) }
          : undefined;
      if (pairs) {
        for (let u = 0, place = 0; u < users; u++) {
          for (const { table, keyAt } of shelves) {
            const key = keyAt(table.sample(keyStream));
            const j = tables[key]!.sample(valueStream);
            pairs.keys[place] = key;
            pairs.values[place++] = values[j]!;
            holders[key * values.length + j]!++;
          }
        }
      } else {
        for (const { weights, keyAt } of shelves) {
          const taken = new Float64Array(weights.length);
          sampleMultinomial(users, weights, taken, keyStream);
          taken.forEach((count, i) => {
            const start = keyAt(i) * values.length;
            const row = holders.subarray(start, start + values.length);
            sampleMultinomial(count, laws[keyAt(i)]!, row, valueStream);
          });
        }
      }
      const sums = sumsOf(domain, (add) => {
        for (let key = 0; key < domain; key++)
          values.forEach((value, j) => add(key, value, holders[key * values.length + j]!));
      });
      const common = { kind: 'key-values', users, domain, items, population } as const;
      return { ...common, ...sums, counts: { values, holders }, ...(pairs ? { pairs } : {}) };
    },
  };
}

function binomialLaw(up: number): Float64Array {
  const law = new Float64Array(VALUE_STEPS + 1);
  law[0] = 1;
  for (let step = 0; step < VALUE_STEPS; step++)
    for (let j = step + 1; j >= 0; j--) law[j] = law[j]! * (1 - up) + (j > 0 ? law[j - 1]! * up : 0);
  return law;
}

/** Holders, values and their squares of each key, added up pair by pair. */
function sumsOf(
  domain: number,
  visit: (add: (key: number, value: number, holders: number) => void) => void,
): Pick<KeyValuedData, 'histogram' | 'sums' | 'squares'> {
  const histogram = new Float64Array(domain);
  const sums = new Float64Array(domain);
  const squares = new Float64Array(domain);
  visit((key, value, holders) => {
    histogram[key]! += holders;
    sums[key]! += holders * value;
    squares[key]! += holders * value * value;
  });
  return { histogram, sums, squares };
}

/** What making all users hold as many pairs changes, which no estimate undoes. */
function sizeNotices(items: number, fewer: number, more: number): string[] {
  const parts = [
    ...(fewer > 0
      ? [`${counted(fewer, 'user')} with fewer than ${items} pairs: padded with added keys`]
      : []),
    ...(more > 0
      ? [`${counted(more, 'user')} with more than ${counted(items, 'pair')}: ${items} of them are drawn`]
      : []),
  ];
  return parts.length === 0 ? [] : [`${parts.join('; ')}; the true values are computed after that`];
}

/**
 * The users of a file. Those with more pairs keep a random choice of them; those with fewer get pairs of
 * added keys, with the middle of the range as value.
 */
export function fileKeyValues(
  { keys, values, offsets, labels, notices, skipped }: KeyValueRows,
  { items, low, high, unit }: NumberRange & { readonly items: number },
): KeyValueSource {
  const available = offsets.length - 1;
  let fewest = items;
  let [fewer, more] = [0, 0];
  for (let u = 0; u < available; u++) {
    const size = offsets[u + 1]! - offsets[u]!;
    fewest = Math.min(fewest, size);
    if (size < items) fewer++;
    else if (size > items) more++;
  }
  const padding = items - fewest;
  const domain = Math.max(2, labels.length + padding);
  const names = [
    ...labels,
    ...Array.from({ length: domain - labels.length }, (_, i) => `(padding ${i + 1})`),
  ];
  const outside = countOutside(values, { low, high });
  const told = `${counted(outside, 'value')} outside ${low} to ${high}: counted as the nearer end, also in the true values`;
  const middle = (low + high) / 2;
  const real = labels.length < domain ? { keys: labels.length } : {};
  return {
    holds: 'key-values',
    domain,
    ...real,
    items,
    range: { low, high, unit },
    available,
    names,
    notices: withOutside([...notices, ...sizeNotices(items, fewer, more)], outside, told),
    skipped,
    draw(users, _path, stream) {
      const who = chosenUsers(users, available, stream) ?? Uint32Array.from({ length: users }, (_, u) => u);
      const choice = stream.fork('pairs');
      const chosen = new Uint32Array(items);
      const pairs = { keys: new Uint32Array(users * items), values: new Float64Array(users * items) };
      who.forEach((user, u) => {
        const start = offsets[user]!;
        const size = offsets[user + 1]! - start;
        if (size > items) sampleSubset(items, size, chosen, 0, choice);
        for (let i = 0; i < items; i++) {
          const from = start + (size > items ? chosen[i]! : i);
          pairs.keys[u * items + i] = i < size ? keys[from]! : labels.length + i - size;
          pairs.values[u * items + i] = i < size ? Math.min(high, Math.max(low, values[from]!)) : middle;
        }
      });
      const sums = sumsOf(domain, (add) => {
        pairs.keys.forEach((key, place) => add(key, pairs.values[place]!, 1));
      });
      return { kind: 'key-values', users, domain, ...real, items, ...sums, pairs };
    },
  };
}
