/** What the account of a mechanism must obey, and where it does not. */
import { ParameterError, type LikelihoodAtoms } from '@shuffle-dp/core';
import { certifiedDelta, certifiedEpsilon } from '@shuffle-dp/accounting';
import { accountMechanism, type Account } from '../../src/account/account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';
import { mechanismModel } from '../../src/account/mechanisms.ts';
import { fixedPoint, quotient, type FixedPoint } from './oracle/fixed-point.ts';
import type { MechanismOracle, Parameters } from './oracle/mechanism-oracle.ts';
import { shuffledViews, worstOf, type Target, type View, type Worst } from './oracle/shuffled-divergence.ts';

export type Law =
  | 'an answer, or a refusal of a parameter by its name'
  | 'lower end <= upper end'
  | 'epsilon <= epsilon0, delta <= 1'
  | 'upper end >= truth'
  | 'lower end <= truth'
  | 'sound upper bound >= truth'
  | 'sound lower bound <= truth'
  | 'the lower end of a data set is its own'
  | 'the blanket is in all laws'
  | 'the ratio of a cell lies between those of its ends'
  | 'a data set that the oracle knows'
  | 'less with more users'
  | 'less at a larger delta or epsilon'
  | 'more with a larger budget'
  | 'epsilon and delta are inverse';

export interface Violation {
  readonly law: Law;
  readonly mechanism: string;
  readonly parameters: Parameters;
  readonly users: number;
  readonly target: Target;
  /** What the program says. */
  readonly value: number;
  /** What it is held against. */
  readonly against: number;
  /** Which bound, data set or message. */
  readonly about: string;
}

/** Rounding of the last steps, relative: the truth is known to a unit in the last place. */
export const ROUNDING = 2 ** -50;
/** Relative width of the evaluation of one data set. */
export const WIDTH = 1e-4;
/** Rounding of a sum of probabilities, relative. */
const SUMMING = 1e-12;
/** What the rounding of probabilities costs a lower end, in delta, and that of epsilon in nats. */
export const ABSOLUTE = 2 ** -48;

export interface Case {
  readonly mechanism: string;
  readonly parameters: Parameters;
  readonly users: number;
}

const label = ({ mechanism, parameters, users }: Case): string =>
  `${mechanism} ${JSON.stringify(parameters, (_, value: unknown) => (value === Infinity ? 'inf' : value))} users ${users}`;

/** In words. */
export function shown(violations: readonly Violation[]): string[] {
  return violations.map(
    ({ law, target, value, against, about, ...at }) =>
      `${label(at)} at ${JSON.stringify(target)}: ${law}: ${value} against ${against} (${about})`,
  );
}

export type Report = (law: Law, value: number, against: number, about: string) => void;

/** The account, or null where it is refused; other errors are violations. */
export function accountOf(
  { mechanism, parameters, users }: Case,
  target: Target,
  report: Report,
): Account | null {
  try {
    return accountMechanism(mechanism, parameters, users, target);
  } catch (error) {
    const { parameters: known } = MECHANISMS.find(({ name }) => name === mechanism)!;
    const names = [...known.map(({ name }) => name), 'users', 'delta', 'epsilon'];
    if (!(error instanceof ParameterError && names.includes(error.parameter)))
      report('an answer, or a refusal of a parameter by its name', NaN, NaN, String(error));
    return null;
  }
}

export function reporter(at: Case, target: Target, violations: Violation[]): Report {
  return (law, value, against, about) => violations.push({ ...at, law, target, value, against, about });
}

export const atMost = (value: number, limit: number, tolerance: number): boolean =>
  value <= limit || value - limit <= tolerance * Math.abs(limit);

/** Laws of a single account, without any oracle. */
export function checkRange(
  { bracket, bounds }: Account,
  epsilon0: number,
  target: Target,
  report: Report,
): void {
  const most = 'delta' in target ? epsilon0 : 1;
  const { lower, upper } = bracket;
  if (!(lower >= 0 && lower <= upper)) report('lower end <= upper end', lower, upper, 'bracket');
  if (!(upper <= most)) report('epsilon <= epsilon0, delta <= 1', upper, most, 'bracket');
  // The bracket of an account is clamped; the bounds that it is made of are not.
  for (const { name, direction, value, sound } of bounds) {
    if (value === null) continue;
    if (Number.isNaN(value)) report('an answer, or a refusal of a parameter by its name', value, NaN, name);
    if (sound !== true) continue;
    if (direction === 'lower' && !atMost(value, upper, ROUNDING))
      report('lower end <= upper end', value, upper, name);
    if (direction === 'upper' && !atMost(lower, value, ROUNDING))
      report('lower end <= upper end', lower, value, name);
  }
}

/** How close an end comes to the truth, over all cases. */
export interface Ratios {
  cases: number;
  /** Smallest upper end over truth. */
  upper: number;
  /** Largest lower end over truth. */
  lower: number;
}

/** The account against everything listed. */
export function enumerationViolations(
  oracle: MechanismOracle,
  at: Case,
  targets: readonly Target[],
  ratios: Ratios = { cases: 0, upper: Infinity, lower: 0 },
): Violation[] {
  const { mechanism, parameters, users } = at;
  const violations: Violation[] = [];
  const arithmetic = arithmeticFor(oracle, at);
  const truths = worstOf(oracle.views(parameters, users, arithmetic), targets, arithmetic);
  const { epsilon0 } = mechanismModel(mechanism, parameters);
  const { rounding = ROUNDING, leastDelta = 0 } = oracle;
  targets.forEach((target, i) => {
    const report = reporter(at, target, violations);
    const account = accountOf(at, target, report);
    if (account === null) return;
    checkRange(account, epsilon0, target, report);
    // Numerical integration has an error in delta, which is nothing beside a delta but is beside what is left
    // of 1.
    if (oracle.rounding && 'delta' in target && target.delta > 0.5) return;
    const truth = truths[i]!.value;
    const where = described(truths[i]!);
    const { lower, upper } = account.bracket;
    const missing = 'delta' in target && target.delta < leastDelta ? Infinity : oracle.missing;
    ratios.cases++;
    if (truth > 0 && truth < Infinity) {
      ratios.upper = Math.min(ratios.upper, upper / truth);
      if (missing < Infinity) ratios.lower = Math.max(ratios.lower, lower / truth);
    }
    if (!atMost(truth, upper, rounding)) report('upper end >= truth', upper, truth, where);
    if (!atMost(lower, truth + missing, ROUNDING)) report('lower end <= truth', lower, truth, where);
    for (const { name, direction, value, sound } of account.bounds) {
      if (value === null || sound !== true) continue;
      if (direction === 'upper' && !atMost(truth, value, rounding))
        report('sound upper bound >= truth', value, truth, name);
      if (direction === 'lower' && !atMost(value, truth + missing, ROUNDING))
        report('sound lower bound <= truth', value, truth, name);
    }
  });
  return violations;
}

function described({ pair, others }: Worst): string {
  return `victim ${pair.join(' or ')}, others ${others.join(', ')}`;
}

/** Rounding must be below the least probability of any multiset of messages. */
export function arithmeticFor(oracle: MechanismOracle, { parameters, users }: Case): FixedPoint {
  // Tiny values of delta are multiples of 2^-1100.
  return fixedPoint(Math.max(1152, 256 + Math.ceil(1.45 * users * oracle.nats(parameters))));
}

/**
 * What accountants are given: the blanket, and every lower end that names its data set, against that data
 * set.
 */
export function claimViolations(oracle: MechanismOracle, at: Case, targets: readonly Target[]): Violation[] {
  const { mechanism, parameters, users } = at;
  const { epsilon0, amplification, certified } = mechanismModel(mechanism, parameters);
  const violations: Violation[] = [];
  if (certified) return violations;
  const arithmetic = arithmeticFor(oracle, at);
  const common = quotient(oracle.commonMass?.(parameters, arithmetic) ?? arithmetic.one, arithmetic.one);
  for (const atoms of amplification.blanket) {
    const { others, label: pair } = atoms;
    checkCells(atoms, reporter(at, targets[0]!, violations));
    const mass = others.reduce((sum, part) => sum + part, 0);
    if (!atMost(mass, common, SUMMING))
      reporter(at, targets[0]!, violations)('the blanket is in all laws', mass, common, pair);
  }
  for (const name of new Set(amplification.homogeneous.map(({ label: known }) => known))) {
    const known = oracle.claims[name];
    if (known === undefined) {
      reporter(at, targets[0]!, violations)('a data set that the oracle knows', NaN, NaN, name);
      continue;
    }
    const homogeneous = amplification.homogeneous.filter((atoms) => atoms.label === name);
    const profile = { variationRatio: null, blanket: [], homogeneous };
    const truths = claimedTruths(oracle, at, targets, name);
    // Rounding costs a lower end some of delta: what it attains is the epsilon of so much more.
    const rounded = targets.map((target) =>
      'delta' in target ? { delta: Math.min(1, target.delta + ABSOLUTE) } : target,
    );
    const attainables = claimedTruths(oracle, at, rounded, name);
    targets.forEach((target, i) => {
      const report = reporter(at, target, violations);
      const { lower } =
        'delta' in target
          ? certifiedEpsilon(profile, users, target.delta, { epsilon0 })
          : certifiedDelta(profile, users, target.epsilon, { epsilon0 });
      const { most } = truths[i]!;
      const exact = known.attained(parameters) && oracle.missing === 0;
      const attainable = Math.min(attainables[i]!.least, LARGEST_LOWER_END);
      if (
        !atMost(lower, most, oracle.rounding ?? ROUNDING) ||
        (exact && !atMost(attainable, lower + ABSOLUTE, WIDTH))
      )
        report('the lower end of a data set is its own', lower, most, name);
    });
  }
  return violations;
}

/** The masses of a cell of continuous outputs say what its ratio is on average. */
function checkCells(
  { victim0, victim1, others, cellEnds, label: pair }: LikelihoodAtoms,
  report: Report,
): void {
  if (!cellEnds) return;
  const { ratio0Start, ratio0End, ratio1Start, ratio1End } = cellEnds;
  others.forEach((mass, y) => {
    if (mass < SMALLEST_CELL) return;
    for (const [victim, start, end] of [
      [victim0, ratio0Start, ratio0End],
      [victim1, ratio1Start, ratio1End],
    ] as const) {
      const [low, high] = [Math.min(start[y]!, end[y]!), Math.max(start[y]!, end[y]!)];
      const ratio = victim[y]! / mass;
      if (!atMost(ratio, high, CELL_ROUNDING) || !atMost(low, ratio, CELL_ROUNDING))
        report('the ratio of a cell lies between those of its ends', ratio, high, `${pair}, cell ${y}`);
    }
  });
}

/** Below, masses have few digits left. */
const SMALLEST_CELL = 1e-250;
const CELL_ROUNDING = 1e-9;

/**
 * The divergence of the data sets that a label names; where outputs are continuous, what it cannot exceed.
 */
function claimedTruths(
  oracle: MechanismOracle,
  at: Case,
  targets: readonly Target[],
  name: string,
): { least: number; most: number }[] {
  const { parameters, users } = at;
  const arithmetic = arithmeticFor(oracle, at);
  const { admits } = oracle.claims[name]!;
  const named = { bits: NaN, ...parameters };
  const listed = (views: Iterable<View>): number[] =>
    worstOf(views, targets, arithmetic, (first, second, others) => admits(first, second, others, named)).map(
      ({ value }) => value,
    );
  const least = listed(oracle.views(parameters, users, arithmetic));
  if (oracle.missing < Infinity) return least.map((value) => ({ least: value, most: value }));
  if (!oracle.ceiling || !name.includes('first value'))
    return least.map((value) => ({ least: value, most: Infinity }));
  const most = listed(shuffledViews(oracle.ceiling(parameters, arithmetic), users, arithmetic));
  return least.map((value, i) => ({ least: value, most: most[i]! }));
}

/** Divergences beyond this epsilon are not evaluated from below. */
const LARGEST_LOWER_END = 299;
