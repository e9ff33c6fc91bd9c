/** What one protocol costs and errs at a certified target. */
import {
  createFrequencyProtocol,
  createNumberProtocol,
  createSetProtocol,
  type FrequencyProtocolSpec,
  type NumberProtocolSpec,
  type SetProtocolSpec,
} from '@shuffle-dp/protocols';
import {
  ParameterError,
  OutOfRegimeError,
  type CategoricalData,
  type Interval,
  type PrivacyStatement,
  type SetValuedData,
  type SimulationPath,
  type Trust,
} from '@shuffle-dp/core';
import type { NumberData } from '@shuffle-dp/protocols';
import type { Candidate } from './candidates.ts';
import type { PlanSetting } from './plan-setting.ts';

export interface PlannedProtocol {
  readonly protocol: string;
  /** What a config says of it. */
  readonly spec: Candidate['variants'][number];
  /** In effect. */
  readonly parameters: Readonly<Record<string, number | string | readonly number[]>>;
  /** Expected squared error, as `compare` measures it, of users spread evenly. */
  readonly error: number;
  readonly messages: number;
  readonly bits: number;
  readonly trust: Trust;
  /** Certified. */
  readonly epsilon: Interval;
  /** How it can be simulated. */
  readonly paths: readonly SimulationPath[];
}

export interface Excluded {
  readonly protocol: string;
  readonly why: string;
}

type Spec = Candidate['variants'][number];

/** A protocol at the target, whose statements are not looked at yet. */
interface Made {
  readonly spec: Spec;
  readonly protocol: AnyProtocol;
  readonly error: number;
}

type Outcome<Found> = Found | Excluded;

/**
 * The best variant of a candidate, or why it is left out. What is proved of a variant is asked in the order of the errors, and a variant
 * that errs more than another whatever its target is not calibrated.
 */
export function assess(
  { title, trust, variants }: Candidate,
  setting: PlanSetting,
): Outcome<PlannedProtocol> {
  if (!isTrusted(trust, setting))
    return { protocol: title, why: 'its shuffler drops and adds messages itself: --trust augmented' };
  const { made: found, refused } = makeVariants(title, variants, setting);
  let first = refused;
  for (const made of found.toSorted((a, b) => a.error - b.error)) {
    const outcome = attempt(title, () => certified(made, trust, setting));
    if (!('why' in outcome)) return outcome;
    first ??= outcome;
  }
  return first!;
}

/**
 * The least error of a candidate's variants within the limits, Infinity where there is none. They are calibrated by what is proved of them;
 * `assess` looks at the statements besides.
 */
export function calibratedError({ title, trust, variants }: Candidate, setting: PlanSetting): number {
  if (!isTrusted(trust, setting)) return Infinity;
  return Math.min(Infinity, ...makeVariants(title, variants, setting).made.map(({ error }) => error));
}

function isTrusted(trust: Trust, { limits }: PlanSetting): boolean {
  return trust === 'shuffler' || limits?.trust === trust;
}

function makeVariants(
  title: string,
  variants: readonly Spec[],
  setting: PlanSetting,
): { readonly made: readonly Made[]; readonly refused: Excluded | null } {
  let refused: Excluded | null = null;
  const found: Made[] = [];
  const ordered =
    variants.length === 1
      ? [{ spec: variants[0]!, floor: 0 }]
      : variants
          .map((spec) => ({ spec, floor: errorFloor(spec, setting) }))
          .toSorted((a, b) => a.floor - b.floor);
  let least = Infinity;
  for (const { spec, floor } of ordered) {
    if (floor >= least) continue;
    const outcome = attempt(title, () => made(spec, setting));
    if ('why' in outcome) {
      refused ??= outcome;
      continue;
    }
    found.push(outcome);
    least = Math.min(least, outcome.error);
  }
  return { made: found, refused };
}

function attempt<Found>(title: string, work: () => Outcome<Found>): Outcome<Found> {
  try {
    return work();
  } catch (error) {
    if (error instanceof ParameterError || error instanceof OutOfRegimeError)
      return { protocol: title, why: error.message };
    throw error;
  }
}

/** What the tasks have in common. */
interface AnyProtocol {
  readonly name: string;
  readonly parameters: PlannedProtocol['parameters'];
  readonly paths: readonly SimulationPath[];
  certifiedPrivacy(): readonly PrivacyStatement[];
  readonly cost: () => { readonly messagesPerUser: number; readonly bitsPerUser: number };
}

/** Targets are met up to the rounding of a search. */
const ROUNDING = 1e-9;

/** What is proved of a protocol within the limits. */
function certified(
  { spec, protocol, error }: Made,
  trust: Trust,
  setting: PlanSetting,
): PlannedProtocol | Excluded {
  const { name, parameters, paths } = protocol;
  const { messagesPerUser: messages, bitsPerUser: bits } = protocol.cost();
  const statements = protocol.certifiedPrivacy();
  const worst = statements.reduce((most, one) => (one.epsilon.upper > most.epsilon.upper ? one : most));
  if (!(worst.epsilon.upper <= setting.epsilon * (1 + ROUNDING)))
    return { protocol: name, why: `an epsilon of ${shown(worst.epsilon.upper)} is all that is proved of it` };
  return { protocol: name, spec, parameters, error, messages, bits, trust, epsilon: worst.epsilon, paths };
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** At the target, with its error on data spread evenly; null where that has no closed form. */
interface Created {
  readonly protocol: AnyProtocol;
  readonly error: number | null;
}

function made(spec: Spec, setting: PlanSetting): Outcome<Made> {
  // What one number of 64 bits costs is known before its noise is.
  const sample = spec.kind === 'mean' ? overLimits(created(anyNoise(spec), setting).protocol, setting) : null;
  if (sample) return sample;
  const { protocol, error } = created(spec, setting);
  const over = overLimits(protocol, setting);
  if (over) return over;
  if (error === null) return { protocol: protocol.name, why: 'its error has no closed form' };
  return { spec, protocol, error };
}

function anyNoise(spec: Extract<Spec, { readonly kind: 'mean' }>): Spec {
  return { ...spec, ...(spec.randomizer === 'gaussian' ? { sigma: 1 } : { epsilon0: 1 }) };
}

function overLimits({ name, cost }: AnyProtocol, { limits = {} }: PlanSetting): Excluded | null {
  const { messagesPerUser: messages, bitsPerUser: bits } = cost();
  const excluded = (why: string): Excluded => ({ protocol: name, why });
  if (messages > (limits.messages ?? Infinity))
    return excluded(`${shown(messages)} messages a user are over the limit`);
  return bits > (limits.bits ?? Infinity) ? excluded(`${shown(bits)} bits a user are over the limit`) : null;
}

/** Variants that need fewer blankets for less data in the messages err no less than without any. */
function errorFloor(spec: Spec, setting: PlanSetting): number {
  // The blankets' variance alone, where every item is sent: each blanket is a coin of probability 1/2 at most for an item.
  if (spec.kind === 'segmented') return numberOf(spec.blanketRate) / (2 * setting.users);
  if (spec.kind !== 'mix-dump') return 0;
  try {
    return created({ ...spec, blanketRate: HARDLY_ANY / setting.users }, setting).error ?? 0;
  } catch (error) {
    // Such a variant does not exist here; it is refused where it is made.
    if (error instanceof ParameterError) return 0;
    throw error;
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Blankets of all users, which are rounded up. */
const HARDLY_ANY = 0.5;

/** How wide brackets of divergences may be: some thousandths of a percent of epsilon. */
const RELATIVE_GAP = 1e-3;

function created(spec: Spec, setting: PlanSetting): Created {
  const { task, users, epsilon, delta } = setting;
  if (task === 'mean' || task === 'sum') {
    const numbers = { users, epsilon, delta, relativeGap: RELATIVE_GAP };
    const protocol = createNumberProtocol(spec as NumberProtocolSpec, numbers);
    const error = protocol.expectedError(evenNumbers(users));
    return { protocol, error: error === null ? null : error * (task === 'sum' ? users * users : 1) };
  }
  const domain = setting.domain!;
  if (task === 'sets') {
    const items = setting.items!;
    const shape = { users, domain, items, delta, levels: [epsilon], shares: [1] };
    const protocol = createSetProtocol(spec as SetProtocolSpec, shape);
    return { protocol, error: protocol.expectedError(evenSets(users, domain, items)) };
  }
  const protocol = createFrequencyProtocol(spec as FrequencyProtocolSpec, {
    users,
    domain,
    epsilon,
    delta,
    relativeGap: RELATIVE_GAP,
  });
  const data = evenCategories(users, domain);
  return {
    protocol,
    error: task === 'ranges' ? protocol.expectedRangeError(data) : protocol.expectedError(data),
  };
}

function evenCategories(users: number, domain: number): CategoricalData {
  return { kind: 'categories', users, domain, histogram: new Float64Array(domain).fill(users / domain) };
}

/** Closed forms look at the histogram alone. */
function evenSets(users: number, domain: number, items: number): SetValuedData {
  const histogram = new Float64Array(domain).fill((users * items) / domain);
  return { kind: 'sets', users, domain, items, histogram };
}

const POINTS = 101;

/** On [0, 1]; whole users, the first points have one more. */
function evenNumbers(users: number): NumberData {
  const points = Float64Array.from({ length: POINTS }, (_, i) => i / (POINTS - 1));
  const holders = Float64Array.from(
    points,
    (_, i) => Math.floor(users / POINTS) + (i < users % POINTS ? 1 : 0),
  );
  return { kind: 'numbers', users, counts: { points, holders } };
}
