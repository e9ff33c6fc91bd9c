/**
 * Points of one round's curve from above: the least of the blanket and the sharp bound, of all pairs of the
 * victim's inputs (docs/composition.md, "The sharp bound in rounds").
 */
import { onceEach, type TypedInputs, type TypedPair } from '@shuffle-dp/core';
import type { Work } from '../../allowance.ts';
import type { PrivacyProfile } from '../../privacy-profile.ts';
import { pairDeltaAt } from '../../search/looks/sharp-look.ts';
import { evened, FEWEST_USERS, pairDelta } from '../../sharp/pair-bound.ts';
import {
  heldAsBefore,
  latestFirst,
  pairHolds,
  servedBy,
  sizeOf,
  type Served,
} from '../../sharp/pair-holds.ts';
import { boundAt, hidingUsers, preparedInputs } from '../../sharp/pair-inputs.ts';
import { restDelta } from '../../sharp/rest-bound.ts';
import { movedTo } from './carried-parameters.ts';

/** Where a round's curve matters to a composition. */
export interface Region {
  /** Standard deviation of one round's loss, about. */
  readonly deviation: number;
  /**
   * Mean of it after tilting by what the whole composition is tilted by: that of the losses that make up
   * delta.
   */
  readonly mean: number;
}

/** One round whose curve is looked for. */
export interface LookedAt {
  readonly typed: TypedInputs;
  readonly users: number;
  readonly blanket: PrivacyProfile;
  readonly region: Region;
  /** To which points add what they take. */
  readonly work: Work;
}

/** A point of the curve or above it, and with which parameters: none where it is the blanket's. */
export interface Upper {
  readonly epsilon: number;
  readonly upper: number;
  readonly served: Served | undefined;
}

/** What is known of a point before it is looked at. */
export interface Knowledge {
  readonly known?: Served | undefined;
  /** What it is expected to be, where the known parameters are to be taken as they are if they suit it. */
  readonly expected?: number | undefined;
}

/** Of more pairs a grid is taken that suits an epsilon of so many deviations: it adds up to a percent. */
const [MOST_PAIRS, COARSER] = [120, 1.5];

/** In sines, for each value of the laws of all pairs: where most are told from the worst at once. */
const EACH_COST = 20;

/** What a point takes at least, about, in sines. */
export function leastCost({ typed, region: { deviation } }: LookedAt): number {
  const pairs = pairsAt(gridsOf(typed), deviation, deviation);
  return EACH_COST * pairs.reduce((sum, pair) => sum + sizeOf(pair), 0);
}

/** Pairs that suit an epsilon. */
type Grids = (epsilon: number) => readonly TypedPair[];

function gridsOf(typed: TypedInputs): Grids {
  return (epsilon) => typed.pairsNear?.(epsilon) ?? typed.pairs;
}

/**
 * Near zero the victim's grid need be no finer than suits the losses, nor than a certain number of pairs.
 */
function pairsAt(gridNear: Grids, epsilon: number, deviation: number): readonly TypedPair[] {
  const all = gridNear(Math.max(epsilon, deviation));
  return all.length > MOST_PAIRS ? gridNear(Math.max(epsilon, COARSER * deviation)) : all;
}

/** Of more pairs the victim's values are a grid, which suits an epsilon. */
export const MANY_PAIRS = 4;

/**
 * The least upper end at an epsilon. Epsilons that follow each other share the parameters that served, unless
 * others are given: as they are, where they suit it, as what they are expected to give tells.
 */
export function upperEnds({
  typed,
  users,
  blanket,
  region: { deviation, mean },
  work,
}: LookedAt): (epsilon: number, knowledge?: Knowledge) => Upper {
  let share = 1;
  /** The place of the pair that was the worst. */
  let latest = 0;
  const gridNear = onceEach(gridsOf(typed));
  const isOneGrid = gridNear(deviation).length <= MANY_PAIRS;
  return (epsilon, { known, expected } = {}) => {
    const { upper } = blanket(epsilon);
    const trivial = { epsilon, upper, served: known };
    const pairs = pairsAt(gridNear, isOneGrid ? deviation : epsilon, deviation);
    const isTail = epsilon > mean + FAR_OUT * deviation;
    const { slack, searches: most } = isTail ? IN_THE_TAIL : IN_THE_BULK;
    let served = known;
    let worst = 0;
    let searches = 0;
    let leader = 0;
    for (const [place, pair] of inOrder(pairs, latest)) {
      if (worst > 0 && served !== undefined) {
        const limits = { enough: worst * slack, most: worst * slack * NEARLY };
        const before = work.sines;
        const held = heldAsBefore(pair, users, epsilon, worst * slack, served);
        // Where the blanket tells, it takes next to nothing.
        if (work.sines > before) work.sines += HELD_COST * pair.inputs.length;
        const near = held ? worst : boundNear(pair, users, epsilon, limits, served);
        if (!held) work.sines += NEAR_COST * effortOf(pair);
        if (near <= limits.most) {
          worst = Math.max(worst, near / slack);
          served = held ?? served;
          continue;
        }
        const still =
          near <= worst * FAIRLY_NEAR ? null : pairHolds(pair, users, epsilon, worst * slack, served).served;
        if (still !== null) {
          served = still;
          continue;
        }
        // Where a search is one too many, all of its inputs count.
        const whole =
          searches === most ? boundNear(pair, users, epsilon, { ...limits, most: upper }, served) : upper;
        if (whole < upper) {
          // By parameters that are not its own, and so no sign that it leads.
          worst = Math.max(worst, whole);
          continue;
        }
      }
      if (searches++ === most) return trivial;
      const target = worst > 0 ? worst : (expected ?? share * upper);
      const asKnown =
        expected !== undefined && known && searches === 1
          ? pairDeltaAt(pair, users, epsilon, target, known.worst)
          : null;
      const suits =
        asKnown !== null &&
        asKnown.parameters !== null &&
        asKnown.value <= (isTail ? UNSUITED.tail : UNSUITED.bulk) * target;
      const { value, parameters } = suits
        ? asKnown
        : pairDelta(pair, users, epsilon, target, { known: served?.worst, isBrief: isTail });
      work.sines += (suits ? LOOK_COST : SEARCH_COST) * effortOf(pair);
      if (value > worst) [worst, leader] = [value, place];
      if (parameters === null || worst >= upper) return trivial;
      // What suits the worst pair mostly suits those that are nearly as bad.
      const before = searches === 1 && known !== undefined ? movedTo(known, parameters) : served;
      const next = servedBy(parameters, before);
      served = { ...next, others: latestFirst(next.worst, next.others), work, isBrief: true };
      served.ofPairs?.set(pair.label, parameters);
    }
    if (pairs.length === 0) return trivial;
    if (pairs.length > 1) worst *= slack;
    latest = leader;
    worst = Math.max(worst, restDelta(typed, users, epsilon));
    share = Math.min(1, worst / upper);
    return { epsilon, upper: Math.min(upper, worst), served };
  };
}

/**
 * By how much other pairs may be above the worst, and how many searches a point may cost: where many pairs
 * are worse than those before, the grid of the victim's values does not suit the epsilon, and searches take a
 * minute. The tail begins so many deviations beyond the mean.
 */
const IN_THE_BULK = { slack: 1.002, searches: 4 };
const IN_THE_TAIL = { slack: 1.1, searches: 2 };
const FAR_OUT = 1;

/**
 * With the worst pair's parameters another may be so many times above it, for which none of its own are
 * looked for; and so many times at most where they would not be much better.
 */
const [NEARLY, FAIRLY_NEAR] = [1.01, 1.1];
/** Beyond so many times what is expected of the first pair the known parameters are unsuited. */
const UNSUITED = { bulk: 1.1, tail: 1.3 };
/**
 * For each value of a pair's laws, in sines: of what tells it from the worst, of a bound with known
 * parameters, and of a search for them.
 */
const [NEAR_COST, LOOK_COST, SEARCH_COST] = [110, 200, 350];
/** An input of the others takes as long as so many values more, */
const VALUES_OF_AN_INPUT = 128;
/** and in sines, where known parameters tell, beside what its values do. */
const HELD_COST = 2500;
/**
 * Which outputs are charged depends on what a bound aims at, and the bound by a factor on these: where one
 * aim does not do, another may.
 */
const AIMS = [1.1, 1];

/** With their places, the one that led before first. */
function inOrder(pairs: readonly TypedPair[], latest: number): (readonly [number, TypedPair])[] {
  const all = [...pairs.entries()];
  const first = all[latest];
  return first === undefined ? all : [first, ...all.filter((one) => one !== first)];
}

/**
 * The bound of a pair with the worst one's parameters: `enough` where it is no more, and where it is above
 * `most` that of one of its inputs.
 */
function boundNear(
  pair: TypedPair,
  users: number,
  epsilon: number,
  { enough, most }: { readonly enough: number; readonly most: number },
  { worst: known }: Served,
): number {
  let least = Infinity;
  for (const aim of AIMS) {
    const hiding = hidingUsers(pair, users, aim * enough);
    const parameters = evened(known, hiding.users);
    if (hiding.users < FEWEST_USERS || parameters === undefined) return 1;
    const inputs = preparedInputs(pair, hiding.users, epsilon, aim * enough);
    if (inputs === null) return 1;
    let [bound, first] = [enough, ''];
    while (bound <= most) {
      const search = { first, settled: NONE, low: [] };
      const { value, worst } = boundAt(inputs, hiding, parameters, bound, search);
      if (value <= bound) break;
      [bound, first] = [value, worst];
    }
    least = Math.min(least, bound);
    if (least <= most) break;
  }
  return least;
}

const NONE: ReadonlySet<number> = new Set();

function effortOf(pair: TypedPair): number {
  return sizeOf(pair) + VALUES_OF_AN_INPUT * pair.inputs.length;
}
