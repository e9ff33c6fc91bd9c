/** The privacy of one shuffled round: what is proved, and what the literature says, side by side. */
import {
  bibtex,
  interval,
  ParameterError,
  picked,
  provedBracket,
  requireInteger,
  requireTarget,
  type CitationKey,
  type Interval,
  type MechanismModel,
  type ParameterValues,
  type Soundness,
  type Target,
  type VariationRatio,
} from '@shuffle-dp/core';
import {
  evaluateBound,
  evaluatePublishedBounds,
  MOST_COUNTED,
  originalBound,
  variationRatioDivergence,
  variationRatioEpsilon,
  type EvaluatedBound,
  type GeneralVerdict,
  type Threats,
} from '@shuffle-dp/accounting';
import { judged, type AccountedBound, type ListedBound } from './accounted-bound.ts';
import { accountNotes } from './coarse-notes.ts';
import { certifiedBounds, fastCertifiedBounds } from './certified-bounds.ts';
import { MOST_USERS } from './mechanism-parameters.ts';
import { MECHANISMS, mechanismModel } from './mechanisms.ts';
import { threatenedModel } from './threatened-model.ts';

export interface Account {
  readonly mechanism: string;
  readonly parameters: ParameterValues;
  readonly users: number;
  readonly target: Target;
  /** Absent where all users are honest and stay. */
  readonly threats?: Threats;
  /** With threats: users who do not collude, the victim included. */
  readonly hiding?: number;
  readonly variationRatio: VariationRatio | null;
  /** What the literature prints in their place, if anything. */
  readonly printedVariationRatio?: VariationRatio;
  /** Bracket of the quantity asked for, from sound bounds only. */
  readonly bracket: Interval;
  /** For a raw pair: whether it is known to dominate. Otherwise true. */
  readonly sound: Soundness;
  readonly reason?: string;
  readonly bounds: readonly AccountedBound[];
  /** Where an end is further out than it might be, and why; absent where none is known to be. */
  readonly coarse?: readonly string[];
}

/** Where published bounds are evaluated at the coins of a protocol that draws Poisson numbers instead. */
const OTHER_COUNTS = {
  sound: 'unproven',
  reason: 'stated for coin-flip blankets, evaluated here for Poisson ones',
} as const;

/** Poisson numbers vary more than coins do, which few users notice. */
const OTHER_COUNTS_REFUTED: GeneralVerdict = {
  sound: false,
  reason: 'stated for coin-flip blankets, and exceeded by Poisson ones of few users',
  counterexample: {
    command: 'account poisson-blanket --rate 0.5 --domain 16 --blankets 1 --users 2 --delta 0.4',
    stated: 0.5432,
    atLeast: 0.59,
  },
};

/** Bounds of coin-flip blankets that are known to fail for Poisson ones. */
const FAILS_FOR_POISSON = new Set(['variation-ratio-corrected']);

/**
 * What one shuffled round of a mechanism gives: the certified bracket, and every published bound with its
 * verdict.
 *
 * @param threats users who collude or stay away; what is proved is of the honest who stay
 * @throws ParameterError; UsageError for parameters that are missing, or not the mechanism's
 * @example accountMechanism('grr', { epsilon0: 1, domain: 4 }, 1000, { delta: 1e-6 }).bracket // { lower: 0.117729, upper: 0.117824 }
 */
export function accountMechanism(
  mechanism: string,
  given: ParameterValues,
  users: number,
  target: Target,
  threats: Threats = {},
): Account {
  return [...accountStages(mechanism, given, users, target, threats)].at(-1)!;
}

/**
 * The same account as it sharpens, for whoever looks meanwhile: first what is certified within milliseconds,
 * then with the published bounds, then with the certified bounds that take longer. Every bracket lies in the
 * one before.
 * @throws as `accountMechanism`
 */
export function* accountStages(
  mechanism: string,
  given: ParameterValues,
  users: number,
  target: Target,
  threats: Threats = {},
): Generator<Account, void, void> {
  requireInteger('users', users, 1, MOST_USERS);
  requireTarget(target);
  const { model, users: hiding } = threatenedModel(mechanismModel(mechanism, given), users, threats);
  requireCountable(model, users, hiding);
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  const setting = {
    users: model.slots?.(hiding) ?? hiding,
    epsilon0: model.epsilon0,
    amplification: model.amplification,
  };
  const { printedVariationRatio } = model.amplification;
  const common = {
    mechanism,
    parameters: model.parameters,
    users,
    target,
    variationRatio: model.amplification.variationRatio,
    ...(printedVariationRatio ? { printedVariationRatio } : {}),
    ...(threats.colluding || threats.dropout ? { threats, hiding } : {}),
  };
  const trivial = interval(0, asked === 'epsilon' ? model.epsilon0 : 1);
  const publishedBounds = (): ListedBound[] => {
    // Published bounds count on every other user.
    if (model.othersMayBeAbsent) return [];
    const original = originalBound(mechanism, model.parameters);
    const evaluated = [
      ...evaluatePublishedBounds(setting, target),
      ...(original ? [evaluateBound(original, setting, target)] : []),
    ];
    return evaluated.map((bound) => listed(bound, asked, model.slots !== undefined));
  };
  // A pair is evaluated before any bound: it refuses parameters that are no pair, by name.
  if (model.pairOnly) {
    const pair = pairBracket(model.amplification.variationRatio!, hiding, target);
    const published = publishedBounds();
    const verdict = published.find(({ name }) => name === 'variation-ratio');
    yield {
      ...common,
      bracket: pair,
      sound: verdict?.sound ?? 'unproven',
      ...(verdict?.reason === undefined ? {} : { reason: verdict.reason }),
      // Of a mechanism with these parameters, of which nothing else is known.
      bounds: judged(published, provedBracket(published, trivial, asked)),
    };
    return;
  }
  const accountOf = (bounds: readonly ListedBound[]): Account => {
    const bracket = provedBracket(bounds, trivial, asked);
    return { ...common, bracket, sound: true, bounds: judged(bounds, bracket) };
  };
  const fast = fastCertifiedBounds(model, hiding, target);
  yield accountOf(fast);
  const published = publishedBounds();
  yield accountOf([...fast, ...published]);
  const all = [...certifiedBounds(model, hiding, target, fast), ...published];
  const account = accountOf(all);
  const coarse = accountNotes(model, all, account.bracket);
  yield coarse.length === 0 ? account : { ...account, coarse };
}

/** Bounds count all messages as users. */
function requireCountable({ slots }: MechanismModel, users: number, hiding: number): void {
  if (slots === undefined || slots(hiding) <= MOST_COUNTED) return;
  const ofOne = slots(1) - slots(0);
  const most = Math.floor((MOST_COUNTED - slots(0)) / ofOne);
  const why = `all of them are counted, up to ${MOST_COUNTED}`;
  if (most < 1) throw new ParameterError('blankets', ofOne, `at most ${MOST_COUNTED - slots(0)}: ${why}`);
  throw new ParameterError(
    'users',
    users,
    `at most ${most} where each has ${ofOne} blanket messages: ${why}`,
  );
}

function listed(evaluated: EvaluatedBound, asked: 'epsilon' | 'delta', ofPoisson: boolean): ListedBound {
  const { sound, reason, counterexample } = ofPoisson ? ofPoissonCounts(evaluated) : evaluated;
  const said = evaluated.reason ?? reason;
  return {
    ...picked(evaluated, 'name', 'direction'),
    value: evaluated[asked],
    sound,
    ...(said === undefined ? {} : { reason: said }),
    ...(counterexample === undefined ? {} : { counterexample }),
    ...picked(evaluated, 'source', 'conditions', 'citation'),
  };
}

function ofPoissonCounts(bound: EvaluatedBound): EvaluatedBound | GeneralVerdict {
  if (bound.sound !== true) return bound;
  return FAILS_FOR_POISSON.has(bound.name) ? OTHER_COUNTS_REFUTED : OTHER_COUNTS;
}

/** The quantity asked for by one of the account's bounds; null where it says nothing or is not among them. */
export function boundValue({ bounds }: Account, name: string): number | null {
  return bounds.find((bound) => bound.name === name)?.value ?? null;
}

function pairBracket(pair: VariationRatio, users: number, target: Target): Interval {
  return 'delta' in target
    ? variationRatioEpsilon(pair, users, target.delta)
    : variationRatioDivergence(pair, users, target.epsilon);
}

/** A work of the literature behind an account. */
export interface Citation {
  readonly key: CitationKey;
  readonly bibtex: string;
}

/** The works that an account rests on, each once: that of the mechanism first, then those of its bounds. */
export function accountCitations(account: Account): Citation[] {
  return accountWorks(account).map((key) => ({ key, bibtex: bibtex(key) }));
}

/** Their keys alone, without the bibliography. */
export function accountWorks({ mechanism, bounds }: Account): CitationKey[] {
  const own = MECHANISMS.filter(({ name }) => name === mechanism).map(({ citation }) => citation);
  return [...new Set([...own, ...bounds.map(({ citation }) => citation)])];
}
