/**
 * The Wheel mechanism for sets: a random function places every item on a circle of length 1, an item's arc of
 * the given length begins there, and the user sends a point, more likely one in the arcs of the own items. S.
 * Wang et al., "Set-valued Data Publication with Local Privacy", PVLDB 13(8), 2020. The circle here has as
 * many points as the field of the random function, 2^31 - 1.
 */
import {
  beyond,
  EPSILON0,
  from,
  minimizeUnimodal,
  modelOf,
  optional,
  ParameterError,
  real,
  Real,
  type Given,
  type MechanismCard,
  type RandomStream,
  type HeldSets,
  type UserMessages,
} from '@shuffle-dp/core';
import { arcTypes } from './arcs/arc-types.ts';
import { coveringArcs } from './arcs/covering-arcs.ts';
import { SUPPORT_FORMULA } from '../categories/pure-frequency-protocol.ts';
import {
  ANY_DOMAIN,
  hashedSetOf,
  hashedSetProfile,
  hashedSetSupport,
  ITEMS,
  itemHash,
  requireHashedSet,
  separateLaw,
  type HashedSetParameters,
} from './hashed-set.ts';
import { FIELD, type FunctionColumns, type PolynomialHash } from './polynomial-hash.ts';
import { setFrequencyEstimator, sumOfVariances, type SetFrequencyOracle } from './set-frequency-oracle.ts';

export interface WheelParameters extends HashedSetParameters {
  /**
   * Length of an arc in turns of the circle, at least 2^-20 and below 1 / items; default the one with the
   * least sum of variances.
   */
  readonly length?: number;
}

/** A point of the circle and the function. */
export type WheelColumns = { readonly point: Uint32Array } & FunctionColumns;

export interface Wheel extends SetFrequencyOracle<WheelColumns> {
  /** Length of an arc in turns, a multiple of 1 / (2^31 - 1). */
  readonly length: number;
}

const POINTS = FIELD;
const SHORTEST = 2 ** -20;

export const WHEEL: MechanismCard = {
  name: 'wheel',
  title: 'Wheel',
  holds: 'a set of items',
  description:
    'Every item gets a random arc of a circle. The user sends a point; points in the arcs of the own items are likelier.',
  source: 'Wang et al., PVLDB 13(8), 2020',
  citation: 'wang2020',
  parameters: [
    EPSILON0,
    ITEMS,
    optional(
      real(
        'length',
        from(SHORTEST, '2^-20'),
        beyond(({ items }) => items && 1 / items, '1/items'),
        'length of an arc in turns; default the best for one user',
      ),
    ),
    ANY_DOMAIN,
  ],
  ratios: { p: 'e^epsilon0', beta: 's a (p - 1) / (s a p + 1 - s a) for arcs a with 2 s a <= 1', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with ps = a p / (s a p + 1 - s a), ps' = a; a message supports the items whose arcs it hits`,
  example: { epsilon0: 1, items: 4, length: 0.0625 },
  model(given: Given<'epsilon0' | 'items'>) {
    const { length } = given;
    const randomizer = wheel({ ...hashedSetOf(given), ...(length === undefined ? {} : { length }) });
    return modelOf(randomizer, { ...given, length: randomizer.length });
  },
};

/**
 * The wheel mechanism for sets, with its unbiased estimator.
 *
 * @throws ParameterError
 * @example wheel({ domain: 8, epsilon0: 1, items: 2 }).supportProbability.own // 0.239004
 */
export function wheel(parameters: WheelParameters): Wheel {
  requireHashedSet(parameters);
  const { domain, items, epsilon0 } = parameters;
  const given = parameters.length ?? bestLength(parameters);
  if (!(given >= SHORTEST && given * items < 1))
    throw new ParameterError('length', given, `at least 2^-20 and below 1/items = ${1 / items}`);
  const arc = Math.floor(given * POINTS);
  const length = arc / POINTS;
  const free = (arcs: number): number => (POINTS - arcs * arc) / POINTS;
  const { high } = separateLaw(parameters, length);
  const support = hashedSetSupport(parameters, length);
  const hash = itemHash(parameters);
  return Object.freeze({
    name: 'wheel',
    epsilon0,
    domain,
    items,
    length,
    ...setFrequencyEstimator(support),
    bitsPerMessage: hash.bits + Math.log2(POINTS),
    allocate: (users: number) => ({
      columns: { point: new Uint32Array(users), ...hash.allocate(users) },
      count: 0,
    }),
    randomizeInto(data, messages, stream) {
      sendPoints(data, arc, { high, hash }, messages, stream);
    },
    supportCounts({ columns, count }) {
      const counts = new Float64Array(domain);
      const values = new Int32Array(domain);
      hash.forEach(columns, count, (i) => {
        hash.writeValues(values);
        const point = columns.point[i]! | 0;
        for (let item = 0; item < domain; item++) if (turnsFrom(values[item]!, point) < arc) counts[item]!++;
      });
      return counts;
    },
    logProbability([point, ...coefficients], items) {
      hash.use(coefficients);
      const starts = sortedStarts(hash, Uint32Array.from(items), 0, new Float64Array(items.length));
      const covered = coveredPoints(starts, arc) / POINTS;
      const inside = starts.some((start) => turnsFrom(start, point!) < arc);
      const density = inside ? high : (1 - covered * high) / (1 - covered);
      return Real.log(density) - Real.log(POINTS) - hash.bits * Math.LN2;
    },
    amplification: () =>
      hashedSetProfile(parameters, {
        parts: [arc, POINTS],
        none: 0,
        chance: length,
        coverings: coveringArcs(items, { points: POINTS, arc }),
        types: (separate) => arcTypes(domain, { items, length, free, points: POINTS }, separate),
      }),
  } satisfies Wheel);
}

function bestLength(parameters: HashedSetParameters): number {
  const { domain, items } = parameters;
  const error = (logLength: number): number =>
    sumOfVariances(domain, items, hashedSetSupport(parameters, Real.exp(logLength)));
  const longest = Real.log((1 - 1e-9) / items);
  return Real.exp(minimizeUnimodal(error, Real.log(SHORTEST * 1.001), longest, 1e-8).x);
}

function sendPoints(
  { users, rows, items }: HeldSets,
  arc: number,
  { high, hash }: { readonly high: number; readonly hash: PolynomialHash },
  messages: UserMessages<WheelColumns>,
  stream: RandomStream,
): void {
  const { columns } = messages;
  const starts = new Float64Array(items);
  hash.fill(columns, users, stream);
  hash.forEach(columns, users, (user) => {
    sortedStarts(hash, rows, user * items, starts);
    const covered = coveredPoints(starts, arc);
    const inside = stream.next() * POINTS < covered * high;
    const place = stream.integerBelow(inside ? covered : POINTS - covered);
    columns.point[user] = inside ? coveredPoint(starts, arc, place) : freePoint(starts, arc, place);
  });
  messages.count = users;
}

/** Points from one to another, onwards round the circle. */
function turnsFrom(start: number, point: number): number {
  const steps = point - start;
  return steps < 0 ? steps + POINTS : steps;
}

/** Where the arcs of the user's items begin, increasing. */
function sortedStarts(
  hash: PolynomialHash,
  items: Uint16Array | Uint32Array,
  from: number,
  starts: Float64Array,
): Float64Array {
  for (let i = 0; i < starts.length; i++) {
    const start = hash.valueOf(items[from + i]!);
    let place = i;
    for (; place > 0 && starts[place - 1]! > start; place--) starts[place] = starts[place - 1]!;
    starts[place] = start;
  }
  return starts;
}

/** From the beginning of one arc to that of the next, round the circle. */
function gapAfter(starts: Float64Array, i: number): number {
  return i + 1 < starts.length ? starts[i + 1]! - starts[i]! : starts[0]! + POINTS - starts[i]!;
}

function coveredPoints(starts: Float64Array, arc: number): number {
  let covered = 0;
  for (let i = 0; i < starts.length; i++) covered += Math.min(arc, gapAfter(starts, i));
  return covered;
}

/** The point of this rank among those in the arcs. */
function coveredPoint(starts: Float64Array, arc: number, rank: number): number {
  let left = rank;
  for (let i = 0; ; i++) {
    const size = Math.min(arc, gapAfter(starts, i));
    if (left < size) return (starts[i]! + left) % POINTS;
    left -= size;
  }
}

/** The point of this rank among those outside of the arcs. */
function freePoint(starts: Float64Array, arc: number, rank: number): number {
  let left = rank;
  for (let i = 0; ; i++) {
    const size = Math.max(0, gapAfter(starts, i) - arc);
    if (left < size) return (starts[i]! + arc + left) % POINTS;
    left -= size;
  }
}
