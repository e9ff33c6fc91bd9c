/** The parameter of a mechanism at which what is certified after shuffling just meets a target. */
import {
  ParameterError,
  requireInteger,
  requirePositive,
  onceEach,
  requireOpenUnit,
  UsageError,
  type Interval,
  type MechanismCard,
  type MechanismModel,
  type ParameterSpec,
  type ParameterValues,
} from '@shuffle-dp/core';
import {
  calibrate,
  calibratedByEnds,
  honestUsers,
  logExcess,
  messageDivergence,
  ROUGH_GAP,
  variationRatioDivergence,
  type Calibrated,
  type CentralTarget,
  type Excess,
  type Threats,
} from '@shuffle-dp/accounting';
import { accountMechanism } from './account.ts';
import { isDear } from './certified-bounds.ts';
import { composeMechanisms } from './compose-account.ts';
import {
  composedTolerance,
  equalUsersExcess,
  estimatedRounds,
  guessOfRounds,
  type Guess,
} from './calibrated-rounds.ts';
import { checkParameters, MOST_ROUNDS, MOST_USERS } from './mechanism-parameters.ts';
import { mechanismCard } from './mechanisms.ts';
import { parameterAxis, type ParameterAxis } from './parameter-axis.ts';
import { lookedByBlanket, sharpParameter, type SharpParameter } from './sharp-parameter.ts';
import { threatenedModel } from './threatened-model.ts';

/** What is asked of the parameter. */
export interface CalibrationTarget extends CentralTarget {
  /** Rounds of the mechanism, each with messages of all users. */
  readonly rounds: number;
  /** Users who collude or stay away, of all rounds; the target is that of an honest user who took part. */
  readonly threats?: Threats;
}

/** A parameter's value with what is certified there. */
export interface CertifiedValue {
  readonly value: number;
  readonly epsilon: Interval;
}

export interface MechanismCalibration extends CalibrationTarget {
  readonly mechanism: string;
  /** All parameters, the one that was found among them. */
  readonly parameters: ParameterValues;
  /** Which one was found. */
  readonly calibrated: string;
  /**
   * On which side of the parameter privacy is: the result is the largest, or the least, that meets the
   * target.
   */
  readonly side: 'largest' | 'least';
  readonly found: CertifiedValue;
  /** The next value, of which looks did not prove that it meets the target; null at the end of the range. */
  readonly next: CertifiedValue | null;
  /**
   * Where an account takes seconds: how many bounds were evaluated, all at the target's epsilon, which is
   * then the upper end itself. An account chooses parameters by itself, and may say less or more.
   */
  readonly looks?: number;
}

/** Steps of the searches, and how closely they end, in positions of the axis. */
const [STEP, TOLERANCE] = [0.5, 1e-5];
/** Of dear blankets: where a first search ends, then the gap of divergences, and where the search ends. */
const [ROUGH_STEP, DEAR] = [5e-3, { relativeGap: 1e-4, tolerance: 5e-5 }] as const;

/** The parameter that a target sets. @throws UsageError for a mechanism that has none */
export function parameterOfTarget(card: MechanismCard): ParameterSpec {
  const spec = card.parameters.find(({ setByTarget }) => setByTarget !== undefined);
  if (spec === undefined)
    throw new UsageError(`${card.name} has no parameter that a privacy target could set`);
  return spec;
}

/**
 * The least private value whose certified upper end of epsilon is at most the target's.
 * @param given all other parameters
 * @throws UsageError, ParameterError, also where no value meets the target: it names the least epsilon
 */
export function calibrateMechanism(
  mechanism: string,
  given: ParameterValues,
  target: CalibrationTarget,
): MechanismCalibration {
  requireInteger('users', target.users, 1, MOST_USERS);
  requireInteger('rounds', target.rounds, 1, MOST_ROUNDS);
  requirePositive('epsilon', target.epsilon);
  requireOpenUnit('delta', target.delta);
  const card = mechanismCard(mechanism);
  const spec = parameterOfTarget(card);
  const { name } = spec;
  const { threats = {} } = target;
  const honest = honestUsers(target.users, threats.colluding);
  const axis = parameterAxis(spec, given);
  const models = onceEach((value) => {
    const model = card.model({ ...given, [name]: value });
    return threatenedModel(model, target.users, threats).model;
  });
  const search: Search = { card, spec, given, target, threats, honest, axis, models };
  checkParameters(card, parametersAt(search, startValue(search)));
  const result = foundBy(search);
  return {
    ...target,
    mechanism,
    parameters: card.model(parametersAt(search, result.found.value)).parameters,
    calibrated: name,
    side: axis.valueAt(axis.mostPrivate) < axis.valueAt(axis.leastPrivate) ? 'largest' : 'least',
    ...result,
  };
}

type Result = Pick<MechanismCalibration, 'found' | 'next' | 'looks'>;

/** @throws ParameterError where no value meets the target */
function foundBy(search: Search): Result {
  const { target } = search;
  const certified = certifiedAt(search);
  const round = target.rounds === 1 ? oneRound(search, certified.upper) : null;
  const rough = round?.result ?? null;
  if (rough !== null && round?.looked) return proved(rough, round.looked);
  const result =
    rough !== null && isConfirmed(rough, certified.upper, target.epsilon)
      ? rough
      : byEnds(search, certified, rough === null ? guessAt(search) : { value: rough.value });
  if (result === null) throw refusal(search, certified.upper);
  return proved(result, certified);
}

interface Search {
  readonly card: MechanismCard;
  readonly spec: ParameterSpec;
  readonly given: ParameterValues;
  readonly target: CalibrationTarget;
  readonly threats: Threats;
  /** Those of the target's users who do not collude. */
  readonly honest: number;
  readonly axis: ParameterAxis;
  /** As accountants see them: some of the honest may stay away. */
  readonly models: (value: number) => MechanismModel;
}

function parametersAt({ spec, given }: Search, value: number): ParameterValues {
  return { ...given, [spec.name]: value };
}

/** What the card shows it at, within the range. */
function startValue({ card, spec, axis }: Search): number {
  return axis.valueAt(axis.positionOf(card.example[spec.name]!));
}

/** What is certified at a value. */
interface CertifiedValues {
  readonly bracket: (value: number) => Interval;
  readonly upper: (value: number) => number;
}

/** What `account` and `compose` say, each value once. */
function certifiedAt(search: Search): CertifiedValues {
  const { card, target, threats } = search;
  const { users, delta, rounds } = target;
  const bracketAt = onceEach((value) => {
    const parameters = parametersAt(search, value);
    const { bracket } =
      rounds === 1
        ? accountMechanism(card.name, parameters, users, { delta }, threats)
        : composeMechanisms([{ mechanism: card.name, parameters, users, rounds }], { delta }, threats);
    return bracket;
  });
  return { bracket: bracketAt, upper: (value) => bracketAt(value).upper };
}

/** One round, by the bounds of divergences: quick, and decided by the sharp bound where there is one. */
function oneRound(search: Search, certified: (value: number) => number): SharpParameter | null {
  const { axis, target, honest: users, models } = search;
  const first = { start: axis.positionOf(startValue(search)), step: STEP, growth: 2 };
  let looks = 0;
  const by = (relativeGap?: number): Excess => {
    const excess = quickExcess(search, target.epsilon, relativeGap);
    return (value) => (looks++, excess(value));
  };
  // Of many atoms divergences in wide brackets say about where it is.
  const dear = isDear(models(startValue(search)).amplification.blanket);
  const rough = dear ? calibrate(axis, { ...first, excess: by(ROUGH_GAP), tolerance: ROUGH_STEP }) : null;
  const near = rough && { start: axis.positionOf(rough.value), step: ROUGH_STEP };
  const { relativeGap, tolerance } = dear ? DEAR : { relativeGap: undefined, tolerance: TOLERANCE };
  const quick = calibrate(axis, { ...first, ...near, excess: by(relativeGap), tolerance });
  if (quick === null) return null;
  const isSharp = quick.next !== null && models(quick.value).amplification.typed !== undefined;
  if (!isSharp)
    return dear
      ? lookedByBlanket(quick, looks, models, { ...target, users })
      : { result: quick, looked: null };
  const byBlanket = { ...quick, position: axis.positionOf(quick.value) };
  return sharpParameter(axis, byBlanket, models, { ...target, users }, certified);
}

function proved({ value, next }: Calibrated, { bracket, looks }: ProvedValues): Result {
  return {
    found: { value, epsilon: bracket(value) },
    next: next === null ? null : { value: next, epsilon: bracket(next) },
    ...(looks && { looks: looks() }),
  };
}

interface ProvedValues extends Pick<CertifiedValues, 'bracket'> {
  /** How many bounds were evaluated. */
  readonly looks?: () => number;
}

function quickExcess(search: Search, epsilon: number, relativeGap?: number): Excess {
  const { delta } = search.target;
  return (value) => logExcess(quickDivergence(search, value, epsilon, relativeGap), delta);
}

/** @param relativeGap of the blanket's divergences */
function quickDivergence(search: Search, value: number, epsilon: number, relativeGap?: number): number {
  const { honest: users, threats } = search;
  const model = search.models(value);
  const { amplification, epsilon0 } = model;
  if (model.certifiedUpper) return model.certifiedUpper(users, epsilon);
  if (model.pairOnly) return variationRatioDivergence(amplification.variationRatio!, users, epsilon).upper;
  if (amplification.blanket.length > 0)
    return messageDivergence({ amplification, epsilon0 }, users, epsilon, 'blanket', relativeGap);
  // Of a law that is not known only published bounds tell.
  const parameters = parametersAt(search, value);
  return accountMechanism(search.card.name, parameters, search.target.users, { epsilon }, threats).bracket
    .upper;
}

/** Whether `account` says the same of both values: bounds that are not known here may be smaller yet. */
function isConfirmed(
  { value, next }: Calibrated,
  upper: (value: number) => number,
  epsilon: number,
): boolean {
  return upper(value) <= epsilon && (next === null || upper(next) > epsilon);
}

/** By what is certified alone, from about where it is met. */
function byEnds(
  { axis, target, models, honest: users }: Search,
  { upper }: CertifiedValues,
  { value, slope }: Guess,
): Calibrated | null {
  const { epsilon, rounds } = target;
  const model = models(value);
  const tolerance = rounds === 1 ? 5 * TOLERANCE : composedTolerance(model);
  const isEstimated = rounds > 1 && !model.pairOnly && !model.certified;
  const estimate = isEstimated ? estimatedRounds(models, { ...target, users }) : undefined;
  const ends = { epsilon, tolerance, upper, ...(estimate && { estimate }), ...(slope && { slope }) };
  return calibratedByEnds(axis, ends, axis.positionOf(value));
}

function guessAt(search: Search): Guess {
  const { axis, models, honest: users, target } = search;
  const excess = (value: number, epsilon: number, delta: number): number =>
    equalUsersExcess(models(value), { users, epsilon, delta }) ??
    logExcess(quickDivergence(search, value, epsilon), delta);
  const start = { start: axis.positionOf(startValue(search)), step: STEP, growth: 2 };
  return guessOfRounds(axis, excess, target, start);
}

function refusal(search: Search, upper: (value: number) => number): ParameterError {
  const { axis, spec, target } = search;
  const value = axis.valueAt(axis.mostPrivate);
  const least = upper(value);
  const round = target.rounds === 1 ? '' : ` of ${target.rounds} rounds`;
  return new ParameterError(
    'epsilon',
    target.epsilon,
    least === Infinity
      ? `larger: no ${spec.name} certifies any epsilon${round} at delta ${target.delta}`
      : `at least ${Number(least.toPrecision(4))}: that is what ${spec.name} ${value} certifies${round} at delta ${target.delta}`,
  );
}
