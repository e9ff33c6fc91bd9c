/** What one protocol costs and errs at a certified target. */
import {
  ParameterError,
  OutOfRegimeError,
  type Interval,
  type ProtocolParameters,
  type SimulationPath,
  type Trust,
} from '@shuffle-dp/core';
import type { Candidate } from './candidates.ts';
import {
  createdProtocol,
  NothingProvedError,
  provedOf,
  worstOf,
  type CreatedProtocol,
  type ExpectedError,
} from './created-protocol.ts';
import type { PlanSetting } from './plan-setting.ts';
import { shortEnd } from '../words/short-number.ts';
import { byBlanketAlone, isByBlanketAlone } from './row-accounting.ts';

export interface PlannedProtocol {
  readonly protocol: string;
  /** What a config says of it. */
  readonly spec: Candidate['variants'][number];
  /** In effect. */
  readonly parameters: ProtocolParameters;
  /** Expected squared error, as `compare` measures it, of the data that plans take. */
  readonly error: number;
  /** How that is known; where by simulation, its interval is that of the trials. */
  readonly errorBy: ExpectedError['by'];
  readonly errorInterval: Interval | null;
  /** Rounds in which messages are sent. */
  readonly rounds: number;
  readonly messages: number;
  readonly bits: number;
  readonly trust: Trust;
  /** Certified. */
  readonly epsilon: Interval;
  /** Whether a sharper bound is known that was not asked: it may allow a larger budget, and less error. */
  readonly blanketAlone: boolean;
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
  readonly created: CreatedProtocol;
  readonly expected: ExpectedError;
}

type Outcome<Found> = Found | Excluded;

/**
 * The best variant of a candidate, or why it is left out. What is proved of a variant is asked in the order
 * of the errors, and a variant that errs more than another whatever its target is not calibrated.
 */
export function assess(
  { title, trust, variants }: Candidate,
  setting: PlanSetting,
): Outcome<PlannedProtocol> {
  if (!isTrusted(trust, setting))
    return { protocol: title, why: 'its shuffler drops and adds messages itself: --trust augmented' };
  const { made: found, refused } = makeVariants(title, variants, setting);
  let first = refused;
  for (const made of found.toSorted((a, b) => a.expected.value - b.expected.value)) {
    const outcome = attempt(title, () => certified(made, trust, setting));
    if (!('why' in outcome)) return outcome;
    first ??= outcome;
  }
  return first!;
}

/**
 * The least error of a candidate's variants within the limits, Infinity where there is none. They are
 * calibrated by what is proved of them; `assess` looks at the statements besides.
 */
export function calibratedError({ title, trust, variants }: Candidate, setting: PlanSetting): number {
  if (!isTrusted(trust, setting)) return Infinity;
  return Math.min(
    Infinity,
    ...makeVariants(title, variants, setting).made.map(({ expected }) => expected.value),
  );
}

function isTrusted(trust: Trust, { limits }: PlanSetting): boolean {
  return trust === 'shuffler' || limits?.trust === trust;
}

function makeVariants(
  title: string,
  asked: readonly Spec[],
  setting: PlanSetting,
): { readonly made: readonly Made[]; readonly refused: Excluded | null } {
  // Parameters for the honest are searched for by many statements, which the sharp bound makes in seconds.
  const variants = setting.threats === undefined ? asked : asked.map(byBlanketAlone);
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
    least = Math.min(least, outcome.expected.value);
  }
  return { made: found, refused };
}

/** Why there is no such protocol. */
const REASONS = [ParameterError, OutOfRegimeError, NothingProvedError];

function attempt<Found>(title: string, work: () => Outcome<Found>): Outcome<Found> {
  try {
    return work();
  } catch (error) {
    if (REASONS.some((reason) => error instanceof reason))
      return { protocol: title, why: (error as Error).message };
    throw error;
  }
}

/** Targets are met up to the rounding of a search. */
const ROUNDING = 1e-9;

/** What is proved of a protocol within the limits. */
function certified(
  { spec, created, expected }: Made,
  trust: Trust,
  setting: PlanSetting,
): PlannedProtocol | Excluded {
  const { name, protocol, rounds } = created;
  const { messagesPerUser: messages, bitsPerUser: bits } = protocol.cost();
  const worst = worstOf(provedOf(created, setting));
  if (!(worst.epsilon.upper <= setting.epsilon * (1 + ROUNDING)))
    return {
      protocol: name,
      why: `what is proved of it is epsilon ${shortEnd(worst.epsilon.upper, 'upper')}, above the target`,
    };
  return {
    protocol: name,
    spec,
    parameters: protocol.parameters,
    error: expected.value,
    errorBy: expected.by,
    errorInterval: expected.interval ?? null,
    messages,
    bits,
    rounds,
    trust,
    epsilon: worst.epsilon,
    blanketAlone: isByBlanketAlone(spec),
    paths: protocol.paths,
  };
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function made(spec: Spec, setting: PlanSetting): Outcome<Made> {
  // What one number of 64 bits costs is known before its noise is.
  const sample = spec.kind === 'mean' ? overLimits(createdProtocol(anyNoise(spec), setting), setting) : null;
  if (sample) return sample;
  const created = createdProtocol(spec, setting);
  const over = overLimits(created, setting);
  if (over) return over;
  const expected = created.error();
  if (expected === null) return { protocol: created.name, why: 'its error has no closed form' };
  return { spec, created, expected };
}

function anyNoise(spec: Extract<Spec, { readonly kind: 'mean' }>): Spec {
  return { ...spec, ...(spec.randomizer === 'gaussian' ? { sigma: 1 } : { epsilon0: 1 }) };
}

function overLimits({ name, protocol }: CreatedProtocol, { limits = {} }: PlanSetting): Excluded | null {
  const { messagesPerUser: messages, bitsPerUser: bits } = protocol.cost();
  const excluded = (why: string): Excluded => ({ protocol: name, why });
  if (messages > (limits.messages ?? Infinity))
    return excluded(`messages a user: ${shown(messages)}, over the limit`);
  return bits > (limits.bits ?? Infinity) ? excluded(`bits a user: ${shown(bits)}, over the limit`) : null;
}

/** Variants that need fewer blankets for less data in the messages err no less than without any. */
function errorFloor(spec: Spec, setting: PlanSetting): number {
  // The blankets' variance alone, where every item is sent: each blanket is a coin of probability 1/2 at most
  // for an item.
  if (spec.kind === 'segmented') return numberOf(spec.blanketRate) / (2 * setting.users);
  if (spec.kind !== 'mix-dump') return 0;
  try {
    return createdProtocol({ ...spec, blanketRate: HARDLY_ANY / setting.users }, setting).error()?.value ?? 0;
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
