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

/** The best variant of a candidate, or why it is left out. */
export function assess(candidate: Candidate, setting: PlanSetting): PlannedProtocol | Excluded {
  let best: PlannedProtocol | null = null;
  let refused: Excluded | null = null;
  for (const spec of candidate.variants) {
    const outcome = attempt(candidate, spec, setting);
    if ('why' in outcome) refused ??= outcome;
    else if (best === null || outcome.error < best.error) best = outcome;
  }
  return best ?? refused!;
}

function attempt(
  { title, trust }: Candidate,
  spec: Candidate['variants'][number],
  setting: PlanSetting,
): PlannedProtocol | Excluded {
  try {
    return assessed(spec, trust, setting);
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
  cost(): { readonly messagesPerUser: number; readonly bitsPerUser: number };
}

/** Targets are met up to the rounding of a search. */
const ROUNDING = 1e-9;

function assessed(
  spec: Candidate['variants'][number],
  trust: Trust,
  setting: PlanSetting,
): PlannedProtocol | Excluded {
  const { protocol, error } = made(spec, setting);
  const { name, parameters, paths } = protocol;
  const excluded = (why: string): Excluded => ({ protocol: name, why });
  const { messagesPerUser: messages, bitsPerUser: bits } = protocol.cost();
  const { limits = {} } = setting;
  if (trust === 'augmented' && limits.trust !== 'augmented')
    return excluded('its shuffler drops and adds messages itself: --trust augmented');
  if (messages > (limits.messages ?? Infinity))
    return excluded(`${shown(messages)} messages a user are over the limit`);
  if (bits > (limits.bits ?? Infinity)) return excluded(`${shown(bits)} bits a user are over the limit`);
  if (error === null) return excluded('its error has no closed form');
  const statements = protocol.certifiedPrivacy();
  const worst = statements.reduce((most, one) => (one.epsilon.upper > most.epsilon.upper ? one : most));
  if (!(worst.epsilon.upper <= setting.epsilon * (1 + ROUNDING)))
    return excluded(`an epsilon of ${shown(worst.epsilon.upper)} is all that is proved of it`);
  return { protocol: name, spec, parameters, error, messages, bits, trust, epsilon: worst.epsilon, paths };
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)));
}

interface Made {
  readonly protocol: AnyProtocol;
  readonly error: number | null;
}

/** At the target, with its error on data spread evenly. */
function made(spec: Candidate['variants'][number], setting: PlanSetting): Made {
  const { task, users, epsilon, delta } = setting;
  if (task === 'mean' || task === 'sum') {
    const protocol = createNumberProtocol(spec as NumberProtocolSpec, { users, epsilon, delta });
    const error = protocol.expectedError(evenNumbers(users));
    return { protocol, error: error === null ? null : error * (task === 'sum' ? users * users : 1) };
  }
  const domain = setting.domain!;
  if (task === 'sets') {
    const items = setting.items!;
    const shape = { users, domain, itemsPerUser: items, delta, levels: [epsilon], shares: [1] };
    const protocol = createSetProtocol(spec as SetProtocolSpec, shape);
    return { protocol, error: protocol.expectedError(evenSets(users, domain, items)) };
  }
  const protocol = createFrequencyProtocol(spec as FrequencyProtocolSpec, { users, domain, epsilon, delta });
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
function evenSets(users: number, domain: number, itemsPerUser: number): SetValuedData {
  const histogram = new Float64Array(domain).fill((users * itemsPerUser) / domain);
  return { kind: 'sets', users, domain, itemsPerUser, histogram };
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
