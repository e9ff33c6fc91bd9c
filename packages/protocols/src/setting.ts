/** What a protocol is made for: the public facts that its parameters are chosen from. */
import {
  onceEachObject,
  ParameterError,
  requireFinite,
  requireInteger,
  requireNonNegative,
  requirePositive,
  requireOpenUnit,
  type CategoricalData,
  type SetValuedData,
  type SimulationPath,
} from '@shuffle-dp/core';
import { requireRegion, type PlaneRegion } from '@shuffle-dp/randomizers';
import { heldFault, requireSame, throwFault } from './data-checks.ts';
import type { BudgetLevel } from './personalized/budget-groups.ts';

/** Users who each hold a set of items and have chosen one of several privacy levels. */
export interface SetValuedSetting {
  readonly users: number;
  /** Number of items that exist. */
  readonly domain: number;
  /** Items that every user holds, from 1 to the domain. */
  readonly items: number;
  /** Central failure probability, in (0, 1). */
  readonly delta: number;
  /**
   * Those of the levels, in place of `delta`, each in (0, 1): of protocols that protect every level for
   * itself, which are the segmented one and separate ones. Others hold all users to `delta`.
   */
  readonly deltas?: readonly number[];
  /** Central epsilons that users may choose from, in nats, increasing. */
  readonly levels: readonly number[];
  /** Fraction of the users at each level; sums to 1. */
  readonly shares: readonly number[];
  /**
   * Fraction of the users, in [0, 1), whose blanket messages the segmented protocol does not count on when it
   * chooses its rates by the exact accounting; default 0. Others choose without it.
   */
  readonly colluding?: number;
}

/** Users and their common target. */
export interface CentralSetting {
  readonly users: number;
  /** Central failure probability, in (0, 1). */
  readonly delta: number;
  /** Central target in nats; not needed where the spec fixes what it sets. */
  readonly epsilon?: number | undefined;
}

/** Users who each hold one category. */
export interface CategoricalSetting extends CentralSetting {
  readonly domain: number;
  /** As of numbers: for a local budget that is found quickly. */
  readonly relativeGap?: number;
  /** Local budgets of the users' own, in place of a central target: how many users have which. */
  readonly budgets?: readonly BudgetLevel[];
}

/** Users who each hold one number of a bounded range. */
export interface NumberSetting extends CentralSetting {
  /** Numbers outside are moved to the nearest end before anything else. Default 0 to 1. */
  readonly range?: { readonly low: number; readonly high: number };
  /**
   * How wide brackets of divergences may be, relative to them; default 1e-5. Noise on a line is calibrated
   * ten times as fast at 1e-3.
   */
  readonly relativeGap?: number;
  /** Local budgets of the users' own, in place of a central target: how many users have which. */
  readonly budgets?: readonly BudgetLevel[];
  /** Fraction of the users, in [0, 1), on whose share of common noise the others do not count. Default 0. */
  readonly colluding?: number;
  /** Probability, in [0, 1), that any other user stays away, and their share of common noise. Default 0. */
  readonly dropout?: number;
}

/** Users who each hold the same number of key-value pairs. */
export interface KeyValueSetting extends CentralSetting {
  /** Number of keys that exist. */
  readonly domain: number;
  /** Pairs that every user holds, from 1 to the domain. */
  readonly items: number;
  /** Values outside are moved to the nearest end. */
  readonly range: { readonly low: number; readonly high: number };
  /** What is estimated of every key: how many users hold it, or the mean of its values. */
  readonly measure: 'frequencies' | 'means';
}

/** Users who each hold a vector. */
export interface VectorSetting extends CentralSetting {
  readonly dimensions: number;
  /** Range of every coordinate; default 0 to 1. */
  readonly range?: { readonly low: number; readonly high: number };
}

/** Users who each hold a place of the plane. */
export interface PlaceSetting extends CentralSetting {
  /** Where the places are, in any unit of length; those outside are moved to the nearest one inside. */
  readonly region: PlaneRegion;
  /** What is estimated: the fraction of the users in each cell of a grid, or the mean place. */
  readonly measure: 'frequencies' | 'mean';
  /** Cells of the grid along each side. */
  readonly side: number;
}

/** Inverting the law of a finer grid takes long. */
export const MOST_CELLS_ALONG = 24;

/** @throws ParameterError naming the field, as `levels[1] = -1: must be …`. */
export function checkSetValuedSetting(setting: SetValuedSetting): SetValuedSetting {
  requireInteger('users', setting.users, 1);
  requireInteger('domain', setting.domain, 2);
  requireInteger('items', setting.items, 1, setting.domain);
  requireOpenUnit('delta', setting.delta);
  const { levels, shares, deltas } = setting;
  if (levels.length === 0) throw new ParameterError('levels', '[]', 'a list of at least one level');
  if (levels.length > 255)
    throw new ParameterError('levels', `${levels.length} entries`, 'at most 255 levels');
  levels.forEach((level, k) => {
    requireTargetEpsilon(`levels[${k}]`, level);
    if (k > 0 && !(level > levels[k - 1]!)) {
      throw new ParameterError(`levels[${k}]`, level, `greater than levels[${k - 1}] = ${levels[k - 1]}`);
    }
  });
  if (shares.length !== levels.length) {
    throw new ParameterError('shares', `${shares.length} entries`, `${levels.length} entries, one per level`);
  }
  if (deltas !== undefined && deltas.length !== levels.length)
    throw new ParameterError('deltas', `${deltas.length} entries`, `${levels.length} entries, one per level`);
  deltas?.forEach((delta, k) => requireOpenUnit(`deltas[${k}]`, delta));
  shares.forEach((share, k) => requireNonNegative(`shares[${k}]`, share));
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (!(Math.abs(total - 1) <= 1e-9)) throw new ParameterError('the sum of shares', total, '1');
  return setting;
}

function checkCentral({ users, delta, epsilon }: CentralSetting): void {
  requireInteger('users', users, 1);
  requireOpenUnit('delta', delta);
  if (epsilon !== undefined) requirePositive('epsilon', epsilon);
}

/**
 * @throws ParameterError
 * @example checkCategoricalSetting({ users: 10, domain: 4, delta: 1e-6 }).users // 10
 */
export function checkCategoricalSetting(setting: CategoricalSetting): CategoricalSetting {
  checkCentral(setting);
  requireInteger('domain', setting.domain, 2);
  return setting;
}

/** @returns the setting with its range filled in @throws ParameterError */
export function checkNumberSetting(
  setting: NumberSetting,
): Required<Pick<NumberSetting, 'range'>> & NumberSetting {
  checkCentral(setting);
  const { range = { low: 0, high: 1 } } = setting;
  requireFinite('range.low', range.low);
  requirePositive('range.high - range.low', range.high - range.low);
  return { ...setting, range };
}

/** @throws ParameterError */
export function checkKeyValueSetting(setting: KeyValueSetting): KeyValueSetting {
  checkCategoricalSetting(setting);
  requireInteger('items', setting.items, 1, setting.domain);
  checkNumberSetting(setting);
  return setting;
}

/** @returns the setting with its range filled in @throws ParameterError */
export function checkVectorSetting(
  setting: VectorSetting,
): Required<Pick<VectorSetting, 'range'>> & VectorSetting {
  requireInteger('dimensions', setting.dimensions, 1);
  return { ...setting, ...checkNumberSetting(setting) };
}

/** @throws ParameterError */
export function checkPlaceSetting(setting: PlaceSetting): PlaceSetting {
  checkCentral(setting);
  requireInteger('side', setting.side, 2, MOST_CELLS_ALONG);
  requireRegion(setting.region);
  return setting;
}

/**
 * The central target in nats, of a spec that does not fix `instead`. @throws ParameterError where there is
 * none
 */
export function centralTarget({ epsilon }: Pick<CentralSetting, 'epsilon'>, instead: string): number {
  if (epsilon === undefined) throw new ParameterError('epsilon', 'nothing', `given, or ${instead} fixed`);
  return requirePositive('epsilon', epsilon);
}

/** As of local budgets: of larger ones laws of single messages leave the doubles. */
const LARGEST_TARGET = 300;

/**
 * A central target in nats, above 0 and at most 300.
 *
 * @throws ParameterError, naming what it is of
 * @example requireTargetEpsilon('epsilon', 0.5) // 0.5
 */
export function requireTargetEpsilon(name: string, epsilon: number): number {
  if (requirePositive(name, epsilon) <= LARGEST_TARGET) return epsilon;
  throw new ParameterError(name, epsilon, `at most ${LARGEST_TARGET}`);
}

/** The setting as users of level `k` meet it: with their own delta. */
export function atLevel<Setting extends Pick<SetValuedSetting, 'delta' | 'deltas'>>(
  setting: Setting,
  k: number,
): Setting {
  return setting.deltas === undefined ? setting : { ...setting, delta: setting.deltas[k]! };
}

/**
 * Users at each level: whole numbers that sum to `users`, each within one of its share. The largest
 * remainders are rounded up; of equal remainders, the earlier level's.
 *
 * @example levelCounts(10, [0.25, 0.75]) // [3, 7]
 */
export function levelCounts(users: number, shares: readonly number[]): readonly number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const exact = shares.map((share) => (share / total) * users);
  // Products such as 0.29 * 100 land just below their integer.
  const tolerance = Math.min(1e-3, 1e-9 * Math.max(1, users * 1e-6));
  const counts = exact.map((count) => Math.floor(count + tolerance));
  const missing = users - counts.reduce((sum, count) => sum + count, 0);
  const byRemainder = exact
    .map((count, k) => ({ k, remainder: count - counts[k]! }))
    .sort((a, b) => b.remainder - a.remainder || a.k - b.k);
  // Of the most users that there may be shares are no closer than to whole numbers: more may be missing than
  // there are levels, or fewer than none.
  for (let i = 0; i < missing; i++) counts[byRemainder[i % counts.length]!.k]!++;
  for (let i = 0; i < -missing; i++) counts[byRemainder.at(-1 - (i % counts.length))!.k]!--;
  return counts;
}

/** @throws ParameterError where the data are not the users the protocol was made for, or not all of them */
export function checkData(
  data: CategoricalData | SetValuedData,
  setting: { readonly users: number; readonly domain: number; readonly items?: number },
): void {
  requireSame('data.users', data.users, setting.users);
  requireSame('data.domain', data.domain, setting.domain);
  requireSame('data.items', 'items' in data ? data.items : undefined, setting.items);
  throwFault(ownFault(data));
}

const ownFault = onceEachObject((data: CategoricalData | SetValuedData) =>
  data.kind === 'sets' ? setsFault(data) : heldFault({ ...data, held: data.values }),
);

function setsFault(data: SetValuedData): ParameterError | null {
  const { items, rows } = data;
  const fault = heldFault({ ...data, held: rows });
  if (fault !== null || rows === undefined) return fault;
  const wrong = rows.findIndex((item, i) => i % items > 0 && item <= rows[i - 1]!);
  return wrong < 0
    ? null
    : new ParameterError(
        `data.rows[${wrong}]`,
        rows[wrong],
        `above ${rows[wrong - 1]}, the user's item before it`,
      );
}

/** Every user's category. @throws ParameterError for data that are only counted */
export function categoriesOf({ values }: CategoricalData, path: SimulationPath): Uint32Array {
  if (values) return values;
  throw new ParameterError('path', path, "'aggregated' for data that are only a histogram");
}
