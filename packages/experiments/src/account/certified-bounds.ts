/**
 * The ends that are proved: the blanket from above, data sets of equal users from below, Poisson counts
 * exactly.
 */
import {
  interval,
  provedBracket,
  type AmplificationProfile,
  type BoundDirection,
  type Target,
  type MechanismModel,
  type Interval,
} from '@shuffle-dp/core';
import {
  certifiedDelta,
  certifiedEpsilon,
  localMessagesBound,
  worstEqualData,
  worstMixedData,
  typedUpperDeltas,
  typedUpperEpsilons,
  type CertifiedOptions,
  type Condition,
} from '@shuffle-dp/accounting';
import type { ListedBound } from './accounted-bound.ts';

const PROOFS = {
  blanket: {
    source: 'privacy blanket (Balle et al. 2019), evaluated numerically; docs/soundness.md F1, F2',
    citation: 'bbgn2019',
  },
  sharp: {
    source: 'every input of the others, with a buffer of blanket messages; docs/sharp-bound.md',
    citation: 'bbgn2019',
  },
  'popular-input': {
    source: 'the most popular input of the others alone hides the victim; docs/sharp-bound.md, Theorem 5',
    citation: 'bbgn2019',
  },
  'two-messages': {
    source: 'all data sets of two messages, those in a row together; docs/sharp-bound.md, Theorem 6',
    citation: 'bbgn2019',
  },
  'local-message': {
    source: 'one message alone, since nothing else depends on a value (Balle and Wang 2018)',
    citation: 'bw2018',
  },
  'homogeneous-data': {
    source: 'all other users hold one value, evaluated numerically; docs/soundness.md F3',
    citation: 'wang2024',
  },
  'mixed-data': {
    source: 'other users hold two values, multiplied out; docs/soundness.md, "Mixed data sets"',
    citation: 'wang2024',
  },
  'poisson-counts': {
    source: 'exact divergence of the Poisson counts, docs/soundness.md',
    citation: 'wang2025segmented',
  },
} as const;

/**
 * How the blanket's end is found first if a sharper bound may follow: where a jump is left, relative to
 * epsilon, as to find its place takes seconds.
 */
const AT_FIRST = { jumpTolerance: 0.05 } as const;
/** Of so many atoms divergences take some hundredths of a second, and accounts a second. */
const MANY_ATOMS = 128;

/** Whether divergences by the blanket take so long that searches begin with wide ones. */
export function isDear(blanket: AmplificationProfile['blanket']): boolean {
  return blanket.some(({ others }) => others.length >= MANY_ATOMS);
}

/**
 * Divergences of dear blankets are as wide as this at first, which is less than a ten-thousandth of epsilon;
 * where no sharper bound has followed, the end is looked for from there on.
 */
const [WIDE_AT_FIRST, AT_LAST] = [{ ...AT_FIRST, relativeGap: 1e-3 }, { relativeGap: 1e-5 }] as const;

/**
 * The ends that take milliseconds: the blanket and data sets of equal users, or Poisson counts. Where others'
 * inputs are typed the blanket's end may be a few percent above what `certifiedBounds` says of it.
 */
export function fastCertifiedBounds(model: MechanismModel, users: number, target: Target): ListedBound[] {
  if (model.certified) {
    const { lower, upper } = model.certified(users, target);
    const conditions = [met('messages that hide are drawn in Poisson numbers', 'they are')];
    return [
      entry('poisson-counts', 'upper', upper, conditions),
      entry('poisson-counts', 'lower', lower, conditions),
    ];
  }
  const { blanket, homogeneous } = model.amplification;
  const limit = { epsilon0: model.epsilon0 };
  const result: ListedBound[] = [];
  const equal = homogeneous.length > 0 ? worstEqualData(homogeneous, users, target, limit) : null;
  if (blanket.length > 0) {
    const mayJump = mayBeSharper(model, target, equal?.value ?? 0);
    const hints = !mayJump ? {} : isDear(blanket) ? WIDE_AT_FIRST : AT_FIRST;
    const hidden = blanketBound(model, users, target, hints);
    result.push(hidden, ...localBound(model, target, hidden.value!));
  }
  if (equal !== null) {
    const { value, label } = equal;
    const witnesses = new Set(homogeneous.map((atoms) => atoms.label));
    result.push({
      ...entry('homogeneous-data', 'lower', value, [
        met('a data set that the mechanism allows', `worst of: ${[...witnesses].join('; ')}`),
      ]),
      worst: label,
    });
  }
  return result;
}

/** Whether a bound that knows the others' types may follow that of the blanket for an epsilon. */
function mayBeSharper({ amplification: { typed } }: MechanismModel, target: Target, lower: number): boolean {
  return 'delta' in target && typed !== undefined && lower < (typed.saysNothingFrom ?? Infinity);
}

function blanketBound(
  { amplification, epsilon0 }: MechanismModel,
  users: number,
  target: Target,
  hints: CertifiedOptions = {},
): ListedBound {
  const { blanket } = amplification;
  const profile = { variationRatio: null, blanket, homogeneous: [] };
  const { upper } =
    'delta' in target
      ? certifiedEpsilon(profile, users, target.delta, { epsilon0, ...hints })
      : certifiedDelta(profile, users, target.epsilon, { epsilon0 });
  return entry('blanket', 'upper', upper, [blanketCondition(blanket)]);
}

/** What one message gives away, where shuffling is not seen to hide any of it. */
function localBound(model: MechanismModel, target: Target, upper: number): ListedBound[] {
  if (model.localSeparation === undefined) return [];
  const value = localMessagesBound([{ ...model, count: 1 }], target);
  const conditions = [met('the message is all that depends on the value', 'it is')];
  return value < upper ? [entry('local-message', 'upper', value, conditions)] : [];
}

/** All of them. @param fast what `fastCertifiedBounds` gives */
export function certifiedBounds(
  model: MechanismModel,
  users: number,
  target: Target,
  fast: readonly ListedBound[],
): ListedBound[] {
  if (model.certified) return [...fast];
  const valueOf = (name: keyof typeof PROOFS): number | undefined =>
    fast.find((bound) => bound.name === name)?.value ?? undefined;
  const equal = valueOf('homogeneous-data');
  const upper = valueOf('blanket') ?? ('delta' in target ? model.epsilon0 : 1);
  const typed = typedBounds(model, users, target, { lower: equal ?? 0, upper });
  const isNeeded =
    mayBeSharper(model, target, equal ?? 0) &&
    !typed.some(({ value, direction }) => direction === 'upper' && value! < upper);
  const known = typed.find(({ name }) => name === 'mixed-data');
  const mixed =
    equal === undefined ? [] : mixedBounds(model, users, target, Math.max(equal, known?.value ?? 0));
  return [
    ...typed.filter((bound) => bound !== known || mixed.length === 0),
    ...fast.map((bound) => {
      if (!isNeeded || bound.name !== 'blanket' || bound.value === Infinity) return bound;
      // No sharper bound has followed: the end itself counts. Of heavy tails the wider gap may say more.
      const hints = isDear(model.amplification.blanket) ? { ...AT_LAST, near: bound.value! } : {};
      const last = blanketBound(model, users, target, hints);
      return last.value! < bound.value! ? last : bound;
    }),
    ...mixed,
  ];
}

/** The lower end by users of two values, where there is one above that by equal users. */
function mixedBounds(model: MechanismModel, users: number, target: Target, equal: number): ListedBound[] {
  if (model.othersHideOnly || model.othersMayBeAbsent) return [];
  const { homogeneous } = model.amplification;
  const mixed = worstMixedData(homogeneous, users, target, equal, { epsilon0: model.epsilon0 });
  if (!mixed) return [];
  const conditions = [met('a data set that the mechanism allows', mixed.label)];
  return [{ ...entry('mixed-data', 'lower', mixed.value, conditions), worst: mixed.label }];
}

/** What is proved, from both sides. */
export function certifiedBracket(model: MechanismModel, users: number, target: Target): Interval {
  const [trivial, asked] =
    'delta' in target
      ? ([interval(0, model.epsilon0), 'epsilon'] as const)
      : ([interval(0, 1), 'delta'] as const);
  const fast = fastCertifiedBounds(model, users, target);
  return provedBracket(certifiedBounds(model, users, target, fast), trivial, asked);
}

/** The upper ends that rest on every input of the others, where those are known. */
function typedBounds(
  { amplification, epsilon0 }: MechanismModel,
  users: number,
  target: Target,
  proved: Interval,
): ListedBound[] {
  const { typed } = amplification;
  if (typed === undefined) return [];
  const { sharp, popularInput, twoMessages } =
    'delta' in target
      ? typedUpperEpsilons(amplification, users, target.delta, proved, { epsilon0 })
      : typedUpperDeltas(amplification, users, target.epsilon, proved, { epsilon0 });
  const result: ListedBound[] = [];
  // Without parameters it says no more than what was proved before.
  if (sharp?.parameters) {
    const { buffer, kappa, theta } = sharp.parameters;
    // Those that were looked at, which mostly are at hand.
    const near = 'epsilon' in target ? target.epsilon : proved.lower > 0 ? proved.lower : proved.upper / 2;
    const pairs = typed.pairsNear?.(near) ?? typed.pairs;
    result.push({
      ...entry('sharp', 'upper', sharp.value, [
        met(
          'every input of the others is one of the types',
          pairs.map(({ inputs }) => inputs.map(({ label }) => label).join('; ')).join('; '),
        ),
        met(
          'any parameters are valid',
          `a buffer of ${buffer} users, its weight ${short(kappa)}, tilt ${short(theta)}`,
        ),
      ]),
      parameters: { buffer, kappa, theta },
      ...(sharp.open !== undefined && { open: sharp.open }),
    });
  }
  if (twoMessages !== null && twoMessages.upper < Infinity) {
    const condition = met(
      'a message is one of two, and every law lies between those of two inputs',
      'it does',
    );
    result.push(entry('two-messages', 'upper', twoMessages.upper, [condition]));
  }
  if (twoMessages?.worst) {
    const { value, label } = twoMessages.worst;
    const condition = met('a data set that the mechanism allows', label);
    result.push({ ...entry('mixed-data', 'lower', value, [condition]), worst: label });
  }
  if (popularInput !== null) {
    result.push(
      entry('popular-input', 'upper', popularInput, [
        met('the others hold one of so many inputs', `${typed.domain}`),
      ]),
    );
  }
  return result;
}

function short(value: number): string {
  return value.toPrecision(4);
}

function entry(
  name: keyof typeof PROOFS,
  direction: BoundDirection,
  value: number,
  conditions: readonly Condition[],
): ListedBound {
  return { name, direction, value, sound: true, conditions, ...PROOFS[name] };
}

function met(statement: string, given: string): Condition {
  return { statement, given, holds: true };
}

function blanketCondition(blanket: AmplificationProfile['blanket']): Condition {
  const masses = blanket.map(({ others }) => others.reduce((sum, mass) => sum + mass, 0));
  const atoms = blanket.reduce((sum, { others }) => sum + others.length, 0);
  const least = Number(Math.min(...masses).toPrecision(4));
  return met(
    'every law of another user contains the blanket',
    `it is their pointwise infimum, of mass ${least}, in ${atoms} atoms`,
  );
}
