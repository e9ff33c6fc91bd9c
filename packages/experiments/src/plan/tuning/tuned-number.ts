/**
 * Numbers of protocols that their error alone decides, and that no formula gives: first a few values over the
 * whole range, then ever closer around the best of them.
 */
import { nearestPrime } from '@shuffle-dp/core';

export interface TunedNumber {
  readonly field: string;
  /** In ascending order, over the whole range; undefined is what the protocol takes by itself. */
  readonly first: readonly (number | undefined)[];
  /** A value in the middle of two, or null where there is none. */
  between(low: number, high: number): number | null;
}

/** Each twice the one before. */
const doublings = (least: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => least * 2 ** i);

/** Neighbours are so near that errors hardly differ: they are flat about the least. */
const NEAR = 1.12;

/** With a few digits: a config repeats it. */
const middle = (low: number, high: number): number => Number(Math.sqrt(low * high).toPrecision(4));

function number(field: string, first: TunedNumber['first']): TunedNumber {
  return { field, first, between: (low, high) => (high < NEAR * low ? null : middle(low, high)) };
}

function whole(field: string, first: TunedNumber['first'], valid = Math.round): TunedNumber {
  return {
    field,
    first,
    between(low, high) {
      const value = valid(middle(low, high));
      return high < NEAR * low || value <= low || value >= high ? null : value;
    },
  };
}

/** Probabilities, of which odds are halved. */
function probability(field: string, first: readonly number[]): TunedNumber {
  const odds = (p: number): number => p / (1 - p);
  return {
    field,
    first,
    between(low, high) {
      if (odds(high) < 1.2 * odds(low)) return null;
      const value = middle(odds(low), odds(high));
      return Number((value / (1 + value)).toPrecision(4));
    },
  };
}

/** Of subsets of categories, and of buckets: more than a message can be of are refused. */
const SIZES = doublings(1, 15);
const PRIMES = [2, 3, 5, 11, 23, 47, 101, 199, 401, 797, 1601, 3203, 6397];

/** By kind, and randomizer if there are several. */
const TUNED: Readonly<Record<string, TunedNumber>> = {
  // Users beyond ten millions need hardly any blankets.
  segmented: number('blanketRate', [
    ...doublings(0.1 * 2 ** -15, 15),
    0.1,
    0.2,
    0.35,
    0.6,
    1,
    1.6,
    2.5,
    4,
    7,
    12,
    20,
  ]),
  'mix-dump': probability('flip', [0.02, 0.1, 0.3, 0.6, 0.8, 0.9, 0.97]),
  'frequency subset': whole('subsetSize', [undefined, ...SIZES]),
  'frequency local-hash': whole('hashRange', [undefined, ...PRIMES], nearestPrime),
  'balls-into-bins-histogram': whole('hashRange', [undefined, ...PRIMES], nearestPrime),
  'vector-mean': whole('sampled', doublings(1, 5)),
  'subexp-shuffled': whole('subsetSize', [undefined, ...SIZES]),
  wheel: number('length', [undefined, ...doublings(2 ** -14, 14)]),
  collision: whole('buckets', [undefined, ...doublings(2, 15)]),
};

export function tunedNumber({ kind, ...spec }: { readonly kind: string }): TunedNumber | undefined {
  const randomizer = 'randomizer' in spec ? ` ${String(spec.randomizer)}` : '';
  return TUNED[kind + randomizer] ?? TUNED[kind];
}

/**
 * Values closer and closer about the best one. `errorAt` is Infinity where a value is refused.
 * @param tried values with their errors
 */
export function refine(
  { between }: TunedNumber,
  tried: readonly { readonly value: number; readonly error: number }[],
  errorAt: (value: number) => number,
): void {
  const known = tried.toSorted((a, b) => a.value - b.value);
  for (;;) {
    const best = known.reduce((least, one, i) => (one.error < known[least]!.error ? i : least), 0);
    const around = [best - 1, best].flatMap((i) => {
      const [low, high] = [known[i], known[i + 1]];
      const value = low && high ? between(low.value, high.value) : null;
      return value === null ? [] : [value];
    });
    if (around.length === 0 || known[best]!.error === Infinity) return;
    for (const value of around) known.push({ value, error: errorAt(value) });
    known.sort((a, b) => a.value - b.value);
  }
}
