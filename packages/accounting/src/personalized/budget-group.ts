/**
 * What a certified accountant must know of users with budgets of their own, as plain data: for every budget
 * the laws of one message, on cells of the output space that all budgets share.
 */
import { onceEachObject, ParameterError, Real, requireInteger, requirePositive } from '@shuffle-dp/core';

/** The law of one message, or a part of it, on the shared cells. */
export interface CellLaw {
  readonly masses: Float64Array;
  /** Absent where the cells are points. */
  readonly densities?: CellDensities;
}

/** The density in each cell, in units common to all laws. */
export interface CellDensities {
  /** At the cell's two ends; 0 at an end at infinity. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /**
   * How far the log density leaves the straight line between its ends, at most: 0 for Laplace noise,
   * (width/deviation)^2 / 8 for Gaussian noise.
   */
  readonly bend: Float64Array;
}

export interface VictimPair {
  readonly first: CellLaw;
  readonly second: CellLaw;
  /**
   * Exchanging the two, and mirroring the cells, leaves the laws of all groups as they are. The mirror image
   * of a cell with densities is the one as far from the other end.
   */
  readonly symmetric: boolean;
  /**
   * Present where `first` and `second` are the ends 0 and 1 of the values under Gaussian noise, and the
   * values between may be worse.
   */
  readonly gaussian?: GaussianValues;
}

export interface GaussianValues {
  /** Of the noise, in units of the values' range. */
  readonly deviation: number;
  /** The law of a value in [0, 1], on the shared cells. */
  law(value: number): CellLaw;
}

/** Users who share one budget, and so one randomizer. */
export interface BudgetGroup {
  /** Local budget in nats; infinity where the randomizer is not pure-DP. No central epsilon exceeds it. */
  readonly budget: number;
  readonly users: number;
  /**
   * The pointwise infimum of the group's laws over all values that a user may hold; of total mass at most 1.
   */
  readonly blanket: CellLaw;
  /** Laws of two values, for every pair that may be the worst. */
  readonly pairs: readonly VictimPair[];
  /**
   * Masses of the laws of values that other users may hold: data set k of a lower bound gives every group its
   * k-th. All groups list as many.
   */
  readonly held: readonly Float64Array[];
  /**
   * `held` are the laws of all values that a user may hold, up to exchanges of outputs that leave every pair
   * as it is or turn it round, and laws of a smaller budget are mixtures of those of a larger one, as in
   * randomized response. Default false.
   */
  readonly nested?: boolean;
}

/** Once for all their users: it reads every mass. @throws ParameterError that names the group */
export const requireBudgetGroups = onceEachObject((groups: readonly BudgetGroup[]): void => {
  requireInteger('groups', groups.length, 1);
  const cells = groups[0]!.blanket.masses.length;
  const dataSets = groups[0]!.held.length;
  groups.forEach((group, g) => {
    const name = `groups[${g}]`;
    if (group.budget !== Infinity) requirePositive(`${name}.budget`, group.budget);
    requireInteger(`${name}.users`, group.users, 0);
    requireInteger(`${name}.held`, group.held.length, dataSets, dataSets);
    requireInteger(`${name}.pairs`, group.pairs.length, 1);
    requireCells(`${name}.blanket`, group.blanket.masses, cells);
    for (const law of [group.blanket, ...group.pairs.flatMap(({ first, second }) => [first, second])]) {
      if (!law.densities !== !groups[0]!.blanket.densities) {
        throw new ParameterError(`${name} densities`, 'mixed', 'given for all laws or for none');
      }
    }
    requireMassAtMostOne(`${name}.blanket`, group.blanket.masses);
    group.held.forEach((masses, k) => requireLaw(`${name}.held[${k}]`, masses, cells));
    group.pairs.forEach(({ first, second }, k) => {
      requireLaw(`${name}.pairs[${k}].first`, first.masses, cells);
      requireLaw(`${name}.pairs[${k}].second`, second.masses, cells);
    });
  });
  if (groups.every(({ users }) => users === 0)) throw new ParameterError('users', 0, 'at least one');
});

function requireCells(name: string, masses: Float64Array, cells: number): void {
  if (masses.length !== cells) throw new ParameterError(`${name} cells`, masses.length, `${cells}`);
  const negative = masses.find((mass) => !(mass >= 0));
  if (negative !== undefined) throw new ParameterError(`${name} mass`, negative, 'at least 0');
}

function requireMassAtMostOne(name: string, masses: Float64Array): number {
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  if (!(total <= 1 + 1e-9)) throw new ParameterError(`${name} total mass`, total, 'at most 1');
  return total;
}

function requireLaw(name: string, masses: Float64Array, cells: number): void {
  requireCells(name, masses, cells);
  const total = requireMassAtMostOne(name, masses);
  if (!(total >= 1 - 1e-9)) throw new ParameterError(`${name} total mass`, total, '1');
}

/**
 * Bounds of the ratio of two densities within every cell; infinite where the second one vanishes at an end.
 */
export interface RatioBounds {
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/**
 * Bounds of numerator / denominator in every cell: from the densities where there are any, else the ratio of
 * the masses.
 */
export function ratioBounds(numerator: CellLaw, denominator: CellLaw): RatioBounds {
  const above = numerator.densities;
  const below = denominator.densities;
  const cells = numerator.masses.length;
  const least = new Float64Array(cells);
  const most = new Float64Array(cells);
  for (let y = 0; y < cells; y++) {
    if (above && below) {
      const start = quotient(above.start[y]!, below.start[y]!);
      const end = quotient(above.end[y]!, below.end[y]!);
      // The log of the ratio is this near the line between its ends, which is extreme at an end.
      const bend = Real.exp(above.bend[y]! + below.bend[y]!);
      least[y] = Math.min(start, end) / bend;
      most[y] = Math.max(start, end) * bend;
    } else least[y] = most[y] = quotient(numerator.masses[y]!, denominator.masses[y]!);
  }
  return { least, most };
}

function quotient(numerator: number, denominator: number): number {
  return denominator > 0 ? numerator / denominator : Infinity;
}
