/**
 * Randomizers of sets as one would first write them: a closure that makes one message for one user's items.
 */
import type { Collision, PckvGrr, SampledRappor, SubsetExponential, Wheel } from '@shuffle-dp/randomizers';

export type PlainSetClient<Message> = (items: readonly number[]) => Message;

function shuffled(length: number): number[] {
  const all = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}

/** Uniform subsets; one that misses all own items is kept with probability e^-epsilon0. */
export function plainSubsetExponential(mechanism: SubsetExponential): PlainSetClient<number[]> {
  const { domain, subsetSize, epsilon0 } = mechanism;
  return (items) => {
    for (;;) {
      const subset = shuffled(domain).slice(0, subsetSize);
      if (subset.some((item) => items.includes(item)) || Math.random() < Math.exp(-epsilon0)) return subset;
    }
  };
}

export function plainRappor({ domain, paddedSize, epsilon0 }: SampledRappor): PlainSetClient<number[]> {
  const flip = 1 / (1 + Math.exp(epsilon0 / 2));
  return (items) => {
    const place = Math.floor(Math.random() * paddedSize);
    return Array.from({ length: domain }, (_, v) => v).filter(
      (v) => (v === items[place]) !== Math.random() < flip,
    );
  };
}

const FIELD = 2 ** 31 - 1;

/** A polynomial over the field, by Horner's rule. */
export function plainHash(coefficients: readonly number[], item: number): number {
  let value = 0n;
  for (const coefficient of coefficients)
    value = (value * BigInt(item) + BigInt(coefficient)) % BigInt(FIELD);
  return Number(value);
}

const randomFunction = (items: number): number[] =>
  Array.from({ length: 3 * items }, () => Math.floor(Math.random() * FIELD));

export type HashMessage = readonly [coefficients: readonly number[], place: number];

export function plainCollision({ buckets, supportProbability }: Collision): PlainSetClient<HashMessage> {
  return (items) => {
    const coefficients = randomFunction(items.length);
    const own = [...new Set(items.map((item) => plainHash(coefficients, item) % buckets))];
    if (Math.random() < own.length * supportProbability.own)
      return [coefficients, own[Math.floor(Math.random() * own.length)]!];
    for (;;) {
      const bucket = Math.floor(Math.random() * buckets);
      if (!own.includes(bucket)) return [coefficients, bucket];
    }
  };
}

export const inArc = (point: number, start: number, arc: number): boolean =>
  (point - start + FIELD) % FIELD < arc;

/** Measures the union of the own arcs, then draws points until one is inside, or outside. */
export function plainWheel({ length, supportProbability }: Wheel): PlainSetClient<HashMessage> {
  const arc = length * FIELD;
  const density = supportProbability.own / length;
  return (items) => {
    const coefficients = randomFunction(items.length);
    const starts = items.map((item) => plainHash(coefficients, item)).sort((a, b) => a - b);
    let covered = 0;
    starts.forEach((start, i) => {
      const next = i + 1 < starts.length ? starts[i + 1]! : starts[0]! + FIELD;
      covered += Math.min(arc, next - start) / FIELD;
    });
    const inside = Math.random() < covered * density;
    for (;;) {
      const point = Math.floor(Math.random() * FIELD);
      if (starts.some((start) => inArc(point, start, arc)) === inside) return [coefficients, point];
    }
  };
}

export function plainPckv({ domain, items, epsilon0 }: PckvGrr) {
  const p = Math.exp(epsilon0);
  const truthful = (items * (p - 1)) / (items * p + 2 * domain - items);
  return (pairs: readonly (readonly [key: number, value: number])[]): number => {
    if (Math.random() >= truthful) return Math.floor(Math.random() * 2 * domain);
    const [key, value] = pairs[Math.floor(Math.random() * pairs.length)]!;
    return 2 * key + (Math.random() < (1 + value) / 2 ? 1 : 0);
  };
}

/** Supporters of every item, asked one by one. */
export function plainSupport<Message>(
  messages: readonly Message[],
  domain: number,
  supports: (message: Message, item: number) => boolean,
): number[] {
  return Array.from(
    { length: domain },
    (_, item) => messages.filter((message) => supports(message, item)).length,
  );
}
