/**
 * A mechanism's parameter where the sharp bound decides: by accounts, or, where one takes seconds, by looks
 * at the target's epsilon alone, which is then what is proved.
 */
import { provedInterval, Real, type Interval, type MechanismModel } from '@shuffle-dp/core';
import {
  certifiedEpsilon,
  messageDivergence,
  newLookMemory,
  sharplyMet,
  targetLook,
  type Axis,
  type Calibrated,
  type CentralTarget,
  type TargetLook,
} from '@shuffle-dp/accounting';

/**
 * How near the next value is, relative to it: by accounts, which leave a hundred-thousandth open, by looks,
 * and by looks that take long.
 */
const [CLOSE, NEAR, NEAR_ENOUGH] = [5e-5, 2e-4, 7.5e-4];

/** What ends a look before all is told. */
type LookEnds = Pick<Parameters<typeof targetLook>[1], 'far' | 'isEnough'>;

export interface SharpParameter {
  readonly result: Calibrated;
  /**
   * Where there were looks at the target, and not accounts: what is proved at the values of the result, and
   * how many there were.
   */
  readonly looked: { readonly bracket: (value: number) => Interval; readonly looks: () => number } | null;
}

/** Where a calibration begins. */
export interface BlanketResult extends Calibrated {
  /** Of `value`, on the axis. */
  readonly position: number;
}

/**
 * The least private value that is found to meet the target by the least bound, next to one that does not.
 *
 * @param byBlanket meets it by F2
 * @param models at the values, as accountants see them
 * @param upper what an account says of a value
 */
export function sharpParameter(
  axis: Axis,
  byBlanket: BlanketResult,
  models: (value: number) => MechanismModel,
  target: CentralTarget,
  upper: (value: number) => number,
): SharpParameter {
  const { epsilon } = target;
  const memory = newLookMemory();
  let looks = 0;
  const lookAt = (value: number, at: number, how: LookEnds = {}): TargetLook => {
    looks++;
    return targetLook(models(value), { ...target, epsilon: at, ...how }, memory);
  };
  const model = models(byBlanket.value);
  const isSlow = takesLong(model, target);
  const isSlowest = model.amplification.typed?.takesLong === true || model.epsilon0 === Infinity;
  const seen = new Map<number, number>();
  const byLook = (value: number, far?: number): TargetLook => {
    const look = lookAt(value, epsilon, { far });
    seen.set(value, look.excess);
    return look;
  };
  const byAccount = (value: number): TargetLook => ({
    excess: STEEPNESS * Real.log(upper(value) / epsilon),
    by: 'sharp',
  });
  const { value, next, by } = sharplyMet(axis, byBlanket.position, models, target, {
    tolerance: isSlowest ? NEAR_ENOUGH : isSlow ? NEAR : CLOSE,
    look: isSlow ? byLook : byAccount,
  });
  const result = by === 'blanket' ? { value: byBlanket.value, next } : { value, next };
  if (looks === 0) return { result, looked: null };
  const bracket = (at: number): Interval =>
    aboveEqualUsers(models(at), target, at === result.value ? epsilon : beyond(at));
  return { result, looked: { bracket, looks: () => looks } };

  /**
   * What is proved of a value that does not meet the target: by the blanket where that decided, a look does
   * not tell, or there are many pairs to look at.
   */
  function beyond(at: number): number {
    const { amplification, epsilon0 } = models(at);
    const { typed } = amplification;
    const areMany = (typed?.pairsNear?.(epsilon) ?? typed?.pairs ?? []).length > FEW_PAIRS;
    const tried =
      epsilon * Real.exp(Math.max(0, seen.get(at) ?? byLook(at).excess) / LESS_STEEP) * (1 + MARGIN);
    const mayTell = by !== 'blanket' && !areMany && tried < epsilon0;
    if (mayTell && lookAt(at, tried, { isEnough: true }).excess <= 0) return tried;
    return blanketEnd(models(at), target);
  }
}

/**
 * The same where there is the blanket alone, and an account of it takes seconds.
 *
 * @param result by its divergences at the target's epsilon @param looks how many of them
 */
export function lookedByBlanket(
  result: Calibrated,
  looks: number,
  models: (value: number) => MechanismModel,
  target: CentralTarget,
): SharpParameter {
  const { users, epsilon, delta } = target;
  const tried = epsilon * (1 + MARGIN);
  const beyond = (model: MechanismModel): number => {
    const divergence = messageDivergence(model, users, tried, 'blanket', LOOK_GAP);
    return divergence <= delta ? tried : blanketEnd(model, target);
  };
  const bracket = (at: number): Interval =>
    aboveEqualUsers(models(at), target, at === result.value ? epsilon : beyond(models(at)));
  return { result, looked: { bracket, looks: () => looks } };
}

/** From the lower end that equal users give to an upper end. */
function aboveEqualUsers(
  { amplification, epsilon0 }: MechanismModel,
  { users, delta }: CentralTarget,
  upper: number,
): Interval {
  const equal = { ...amplification, blanket: [] };
  const { lower } = certifiedEpsilon(equal, users, delta, { epsilon0, relativeGap: END_GAP });
  return provedInterval(
    'epsilon',
    { name: 'equal users, F3', value: lower },
    { name: 'the sharp bound or the blanket', value: upper },
  );
}

function blanketEnd({ amplification, epsilon0 }: MechanismModel, { users, delta }: CentralTarget): number {
  const alone = { ...amplification, homogeneous: [] };
  return certifiedEpsilon(alone, users, delta, { epsilon0, relativeGap: END_GAP }).upper;
}

/**
 * How steeply log delta falls in the logarithm of epsilon, about, and at least where a next epsilon is tried,
 * this much further.
 */
const [STEEPNESS, LESS_STEEP, MARGIN] = [15, 10, 2e-3];
/** Of more a look takes about as long as all that lead to the result. */
const FEW_PAIRS = 4;
/** Of divergences at ends that are only told, and at the target. */
const [END_GAP, LOOK_GAP] = [1e-3, 1e-4];

/** Among so few an account polishes its parameters by the bound itself, which takes a second. */
const FEW_USERS = 1000;
/** Beyond, searches for the sharp bound's parameters mostly fail at first. */
const LARGE_BUDGET = 3;
/** All inputs of the others at so many outputs in all take seconds. */
const MANY_MASSES = 8000;

/** Whether an account takes seconds. */
function takesLong(
  { amplification: { typed }, epsilon0 }: MechanismModel,
  { users, epsilon }: CentralTarget,
): boolean {
  if (typed === undefined || users < FEW_USERS || epsilon0 > LARGE_BUDGET || typed.takesLong) return true;
  const pairs = typed.pairsNear?.(epsilon) ?? typed.pairs;
  const masses = pairs.flatMap(({ inputs }) => inputs.map(({ own }) => own.length));
  return masses.reduce((sum, count) => sum + count, 0) > MANY_MASSES;
}
