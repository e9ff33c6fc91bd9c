/**
 * Whether messages tell two values further apart than the stated masses allow: an event is looked for in some
 * messages of either value, and judged on others. It finds what the masses leave out, such as a column that
 * shows the value; it proves nothing where it finds nothing.
 */
import { lastWhere, type FrequencyOracle, type MessageColumns, type RandomStream } from '@shuffle-dp/core';
import { powerCurve } from './power-curve.ts';

/** Of either value: as many to look in as to judge on; fewer in large domains, where they take longer. */
const MOST_MESSAGES = 2 ** 14;
const LEAST_MESSAGES = 2 ** 9;
const MESSAGE_WORK = 2 ** 20;
/** Columns whose bits are looked at one by one. */
const COLUMNS_OF_BITS = 8;
const BITS = 32;
/** Columns with more values than this are cut into as many parts of equal size. */
const MOST_BINS = 64;

/**
 * As `repetitionFault`. @param falseAlarm probability to refuse a right oracle @throws what the oracle throws
 */
export function leakFault(oracle: FrequencyOracle, stream: RandomStream, falseAlarm: number): string | null {
  const { blanket, homogeneous } = oracle.amplification();
  const atoms = [...blanket, ...homogeneous];
  // Atoms with a density that varies inside them say less of a test than is true.
  if (atoms.some(({ cellEnds }) => cellEnds !== undefined)) return null;
  const curves = atoms.flatMap(({ victim0, victim1 }) => [
    powerCurve(victim0, victim1),
    powerCurve(victim1, victim0),
  ]);
  const allowed = (size: number): number =>
    Math.max(...curves.map((power) => power(Math.min(1, Math.max(0, size)))));
  const messages = Math.min(
    MOST_MESSAGES,
    Math.max(LEAST_MESSAGES, Math.floor(MESSAGE_WORK / oracle.domain)),
  );
  const drawn = [0, 1].map((value) => {
    const sent = oracle.allocate(2 * messages);
    oracle.randomizeInto(new Uint32Array(2 * messages).fill(value), sent, stream.fork(value));
    return sent.columns;
  }) as [MessageColumns, MessageColumns];
  const parts = partitions(drawn, messages);
  // Hoeffding, for two shares of each event that is judged.
  const reach = Math.sqrt(Math.log((4 * parts.length) / falseAlarm) / (2 * messages));
  for (const { shown, binOf } of parts) {
    for (const [one, other] of [drawn, drawn.toReversed()] as [MessageColumns, MessageColumns][]) {
      const event = likeliestEvent(one, other, messages, binOf, allowed);
      const share = shareOf(one, messages, binOf, event);
      const size = shareOf(other, messages, binOf, event);
      if (share - reach > allowed(size + reach))
        return (
          `one whose messages show no more than its masses: ${shown} tells the values 0 and 1 apart, with probability ` +
          `${share.toFixed(2)} under one and ${size.toFixed(2)} under the other, where ${allowed(size).toFixed(2)} is the most ` +
          `that amplification() allows, at epsilon0 = ${Number(oracle.epsilon0.toPrecision(6))}`
        );
    }
  }
  return null;
}

interface Partition {
  readonly shown: string;
  /** The part that message i is in. */
  readonly binOf: (columns: MessageColumns, i: number) => number | string;
}

function partitions(drawn: readonly [MessageColumns, MessageColumns], messages: number): Partition[] {
  const names = Object.keys(drawn[0]);
  const parts: Partition[] = names.map((name) => binnedColumn(name, drawn, messages));
  if (names.length > 1 && names.length <= COLUMNS_OF_BITS) {
    parts.push({
      shown: 'the whole message',
      binOf: (columns, i) => names.map((name) => columns[name]![i]).join(),
    });
  }
  for (const name of names.slice(0, COLUMNS_OF_BITS)) {
    const column = drawn[0][name]!;
    if (column instanceof Float32Array || column instanceof Float64Array) continue;
    for (let bit = 0; bit < Math.min(BITS, 8 * column.BYTES_PER_ELEMENT); bit++)
      parts.push({
        shown: `bit ${bit} of ${name}`,
        binOf: (columns, i) => (columns[name]![i]! >>> bit) & 1,
      });
  }
  return parts;
}

/** By value where there are few, else in parts of about equal size. */
function binnedColumn(
  name: string,
  drawn: readonly [MessageColumns, MessageColumns],
  messages: number,
): Partition {
  const looked = drawn.flatMap((columns) => Array.from(columns[name]!.subarray(0, messages)));
  const distinct = new Set(looked);
  if (distinct.size <= MOST_BINS) return { shown: name, binOf: (columns, i) => columns[name]![i]! };
  const sorted = Float64Array.from(looked).sort();
  const ends = Array.from(
    { length: MOST_BINS - 1 },
    (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / MOST_BINS)]!,
  );
  return {
    shown: name,
    binOf: (columns, i) => {
      const entry = columns[name]![i]!;
      return 1 + lastWhere(-1, ends.length, (bin) => ends[bin]! <= entry);
    },
  };
}

/**
 * The event that exceeds what is allowed by most in the first half, among those that take the likeliest parts
 * under `one`.
 */
function likeliestEvent(
  one: MessageColumns,
  other: MessageColumns,
  messages: number,
  binOf: Partition['binOf'],
  allowed: (size: number) => number,
): ReadonlySet<number | string> {
  const table = new Map<number | string, [ofOne: number, ofOther: number]>();
  for (const [side, columns] of [one, other].entries()) {
    for (let i = 0; i < messages; i++) {
      const bin = binOf(columns, i);
      const entry = table.get(bin);
      if (entry) entry[side]!++;
      else table.set(bin, side === 0 ? [1, 0] : [0, 1]);
    }
  }
  const order = [...table].sort(([, [a, b]], [, [c, d]]) => (c + 0.5) / (d + 0.5) - (a + 0.5) / (b + 0.5));
  let best = -Infinity;
  let length = 0;
  let [ofOne, ofOther] = [0, 0];
  for (const [index, [, [a, b]]] of order.entries()) {
    ofOne += a;
    ofOther += b;
    const excess = (ofOne - messages * allowed(ofOther / messages)) / messages;
    if (excess > best) [best, length] = [excess, index + 1];
  }
  return new Set(order.slice(0, length).map(([bin]) => bin));
}

/** In the second half. */
function shareOf(
  columns: MessageColumns,
  messages: number,
  binOf: Partition['binOf'],
  event: ReadonlySet<number | string>,
): number {
  let inside = 0;
  for (let i = messages; i < 2 * messages; i++) if (event.has(binOf(columns, i))) inside++;
  return inside / messages;
}
