/**
 * Privacy of users with budgets of their own after shuffling: what is proved, and what the literature says.
 */
import {
  interval,
  provedBracket,
  requireInteger,
  verdictOfBound,
  type Interval,
  type Verdict,
} from '@shuffle-dp/core';
import {
  countedSetting,
  evaluatePersonalizedBounds,
  personalizedPrivacy,
  threatenedPersonalizedPrivacy,
  type EvaluatedBound,
  type GroupPrivacy,
  type PersonalizedMechanism,
  type PersonalizedSetting,
  type Threats,
} from '@shuffle-dp/accounting';
import { budgetGroups, budgetLevels, type PersonalRandomizer } from '@shuffle-dp/protocols';

export interface PersonalizedSettingOptions extends PersonalizedSetting {
  /** Central failure probability. */
  readonly delta: number;
  /** Values of randomized response; ignored by the others. */
  readonly domain: number;
  /** Budgets are rounded down to this many values, from 1 to 50, which users apply. */
  readonly levels: number;
  /** Users who collude, the same share at every level, or stay away. */
  readonly threats?: Threats;
}

export interface PersonalizedAccount {
  /**
   * Absent where all users are honest and stay. Published bounds are of those who do, and are then left out.
   */
  readonly threats?: Threats;
  readonly users: number;
  readonly mechanism: PersonalizedMechanism;
  readonly delta: number;
  /** Smallest and largest budget as given. */
  readonly low: number;
  readonly high: number;
  /** Of the worst user, at the levels that users apply: proved from both sides, by any sound bound. */
  readonly epsilon: Interval;
  /** Of these the ends that are computed here: the blanket's from above, the attack's from below. */
  readonly ends: Interval;
  /** Every level's own upper end. */
  readonly groups: readonly GroupPrivacy[];
  /** Published bounds, at the budgets as given. */
  readonly bounds: readonly JudgedBound[];
  /** Where an end is further out than it might be, and why; absent where none is known to be. */
  readonly coarse?: readonly string[];
}

/**
 * A published bound at the budgets as given. What is certified is of the levels that users apply, and so the
 * verdict is on what the bound states of those.
 */
export interface JudgedBound extends EvaluatedBound {
  /** What it states at the levels; equal to `epsilon` where no budget is rounded. */
  readonly epsilonAtLevels: number | null;
  /** On `epsilonAtLevels`; null where the bound states nothing. */
  readonly verdict: Verdict | null;
}

/** Every level has an end of its own, against the laws of all: more of them take minutes and tell little. */
const MOST_LEVELS = 50;

/**
 * The bound of this name among those of an account.
 *
 * @throws Error where there is no bound of this name
 */
export function boundNamed<B extends EvaluatedBound>(bounds: readonly B[], name: string): B {
  const bound = bounds.find((candidate) => candidate.name === name);
  if (bound === undefined) throw new Error(`no bound ${name}`);
  return bound;
}

/**
 * What users with budgets of their own get from shuffling: the certified bracket of epsilon at `delta`, group
 * by group, and every published bound.
 *
 * @throws ParameterError
 */
export function personalizedAccount(options: PersonalizedSettingOptions): PersonalizedAccount {
  return [...personalizedStages(options)].at(-1)!;
}

/**
 * The same account as it sharpens: first what the published bounds say, of which the sound ones bracket
 * epsilon, and no groups; then with what is computed here.
 * @throws ParameterError
 */
export function* personalizedStages(
  options: PersonalizedSettingOptions,
): Generator<PersonalizedAccount, void, void> {
  const { budgets, mechanism, delta, localDelta, clip } = options;
  const threats = options.threats?.colluding || options.threats?.dropout ? options.threats : undefined;
  // Bounds check the setting; under threats none is evaluated.
  if (threats) countedSetting({ budgets, mechanism, localDelta, clip });
  const evaluate = (of: Float64Array): readonly EvaluatedBound[] =>
    threats ? [] : evaluatePersonalizedBounds({ budgets: of, mechanism, localDelta, clip }, { delta });
  const levels = budgetLevels(budgets, requireInteger('levels', options.levels, 1, MOST_LEVELS));
  const applied = new Float64Array(budgets.length);
  levels.reduce((from, { budget, users }) => {
    applied.fill(budget, from, from + users);
    return from + users;
  }, 0);
  const kept = new Set(levels.map(({ budget }) => budget));
  const isRounded = budgets.some((budget) => !kept.has(budget));
  const bounds = evaluate(budgets);
  const atLevels = (isRounded ? evaluate(applied) : bounds).map(({ epsilon, ...bound }) => ({
    ...bound,
    value: epsilon,
  }));
  const accountOf = (ends: Interval, groups: readonly GroupPrivacy[]): PersonalizedAccount => {
    const certified = provedBracket(atLevels, ends);
    return {
      ...(threats && { threats }),
      users: budgets.length,
      mechanism,
      delta,
      low: budgets.reduce((least, budget) => Math.min(least, budget), Infinity),
      high: budgets.reduce((most, budget) => Math.max(most, budget), 0),
      epsilon: certified,
      ends,
      // Gaussian groups have no pure budget: the levels say which they are.
      groups: groups.map((group, i) => ({ ...group, budget: levels[i]!.budget })),
      bounds: bounds.map((bound, i) => ({
        ...bound,
        epsilonAtLevels: atLevels[i]!.value,
        verdict: verdictOfBound(atLevels[i]!, certified),
      })),
    };
  };
  yield accountOf(interval(0, Infinity), []);
  const laws = budgetGroups(levels, randomizerOf(options), delta);
  const { groups, epsilon } = threats
    ? threatenedPersonalizedPrivacy(laws, delta, threats)
    : personalizedPrivacy(laws, delta);
  const account = accountOf(epsilon, groups);
  const coarse = coarseNotes(account);
  yield coarse.length === 0 ? account : { ...account, coarse };
}

function coarseNotes({ groups, mechanism, delta }: PersonalizedAccount): string[] {
  // Of Gaussian noise no budget is an upper end.
  const bare = groups.filter(({ budget, epsilon: { upper } }) => upper === budget || upper === Infinity);
  const [{ budget }] = groups as [GroupPrivacy];
  return [
    ...(bare.length === 0 || delta === 0
      ? []
      : [
          `no hiding is proved for the users of ${bare.length} of ${groups.length} levels: their upper ends are their own budgets`,
        ]),
    ...(groups.length > 1 || mechanism === 'gaussian'
      ? []
      : [
          `all users apply one budget: an account of ${mechanism} at epsilon0 ${budget} may have a smaller upper end`,
        ]),
  ];
}

function randomizerOf({ mechanism, localDelta, domain }: PersonalizedSettingOptions): PersonalRandomizer {
  if (mechanism === 'gaussian') return { kind: mechanism, localDelta };
  return mechanism === 'grr' ? { kind: mechanism, domain } : { kind: mechanism };
}
