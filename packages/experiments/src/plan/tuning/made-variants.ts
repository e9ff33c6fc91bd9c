/**
 * The variants of a candidate that are worth a look, calibrated: those of its list, and closer ones about the
 * best of them.
 */
import { ParameterError, OutOfRegimeError, type Trust } from '@shuffle-dp/core';
import type { Candidate } from '../candidates.ts';
import {
  createdProtocol,
  NothingProvedError,
  type CreatedProtocol,
  type ExpectedError,
} from '../created-protocol.ts';
import type { PlanSetting } from '../plan-setting.ts';
import { byBlanketAlone, bySharpest, isBySharpest } from '../row-accounting.ts';
import { refine, tunedNumber, type TunedNumber } from './tuned-number.ts';

export interface Excluded {
  readonly protocol: string;
  readonly why: string;
  /** The trust that would allow it, where that is why. */
  readonly trust?: Trust;
}

type Spec = Candidate['variants'][number];

/** A protocol at the target, whose statements are not looked at yet. */
export interface Made {
  readonly spec: Spec;
  readonly created: CreatedProtocol;
  readonly expected: ExpectedError;
}

export type Outcome<Found> = Found | Excluded;

export interface MadeVariants {
  /** In the order in which they are asked for what is proved. */
  readonly made: readonly Made[];
  readonly refused: Excluded | null;
}

/**
 * Those that may err least: all by the blanket, which is quick, and the best of them by the bound that was
 * asked for.
 */
export function madeVariants(title: string, variants: readonly Spec[], setting: PlanSetting): MadeVariants {
  // Parameters for the honest are searched for by many statements, which the sharp bound makes in seconds.
  const asked = setting.threats === undefined ? variants : variants.map(byBlanketAlone);
  let refused: Excluded | null = null;
  const found: Made[] = [];
  const errorAt = (spec: Spec): number => {
    const outcome = attempt(title, () => made(spec, setting));
    if ('why' in outcome) {
      refused ??= outcome;
      return Infinity;
    }
    found.push(outcome);
    return outcome.expected.value;
  };
  if (asked.length === 1) {
    errorAt(asked[0]!);
    return { made: found, refused };
  }
  const tried = leastFirst(asked.map(byBlanketAlone), setting, errorAt);
  const tuned = tunedNumber(asked[0]!);
  if (tuned) improve(tuned, tried, errorAt);
  const ranked = leanestFirst(found);
  const [best] = ranked;
  if (best === undefined || !isBySharpest(asked[0]!)) return { made: ranked, refused };
  const sharper = attempt(title, () => made(bySharpest(best.spec), setting));
  return { made: 'why' in sharper ? ranked : [sharper, ...ranked], refused };
}

/** Errors are flat about the least: of those that differ by less, whatever sends least is taken. */
const FLAT = 0.005;

/** By error, the one first that sends least among the best. */
function leanestFirst(found: readonly Made[]): readonly Made[] {
  const ranked = found.toSorted((a, b) => a.expected.value - b.expected.value);
  const [least] = ranked;
  if (least === undefined) return ranked;
  const sent = ({ created }: Made): readonly [number, number] => {
    const { messagesPerUser, bitsPerUser } = created.protocol.cost();
    return [messagesPerUser, bitsPerUser];
  };
  const [first] = ranked
    .filter(({ expected }) => expected.value <= (1 + FLAT) * least.expected.value)
    .toSorted((a, b) => sent(a)[0] - sent(b)[0] || sent(a)[1] - sent(b)[1]);
  return [first!, ...ranked.filter((one) => one !== first)];
}

interface TriedSpec {
  readonly spec: Spec;
  /** Infinity where it is refused; at most its own where it is known to be above the least. */
  readonly error: number;
}

/** Without those that err more than another whatever their target. */
function leastFirst(
  specs: readonly Spec[],
  setting: PlanSetting,
  errorAt: (spec: Spec) => number,
): readonly TriedSpec[] {
  const ordered = specs
    .map((spec) => ({ spec, floor: errorFloor(spec, setting) }))
    .toSorted((a, b) => a.floor - b.floor);
  let least = Infinity;
  return ordered.map(({ spec, floor }) => {
    const error = floor >= least ? floor : errorAt(spec);
    least = Math.min(least, error);
    return { spec, error };
  });
}

function improve(tuned: TunedNumber, tried: readonly TriedSpec[], errorAt: (spec: Spec) => number): void {
  const given = tried.flatMap(({ spec, error }) => {
    const value = (spec as Readonly<Record<string, unknown>>)[tuned.field];
    return typeof value === 'number' ? [{ value, error }] : [];
  });
  const { spec } = tried[0]!;
  refine(tuned, given, (value) => errorAt({ ...spec, [tuned.field]: value } as Spec));
}

/** Why there is no such protocol. */
const REASONS = [ParameterError, OutOfRegimeError, NothingProvedError];

export function attempt<Found>(title: string, work: () => Outcome<Found>): Outcome<Found> {
  try {
    return work();
  } catch (error) {
    if (REASONS.some((reason) => error instanceof reason))
      return { protocol: title, why: (error as Error).message };
    throw error;
  }
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
  if (spec.kind === 'segmented')
    return typeof spec.blanketRate === 'number' ? spec.blanketRate / (2 * setting.users) : 0;
  if (spec.kind !== 'mix-dump') return 0;
  try {
    return createdProtocol({ ...spec, blanketRate: HARDLY_ANY / setting.users }, setting).error()?.value ?? 0;
  } catch (error) {
    // Such a variant does not exist here; it is refused where it is made.
    if (error instanceof ParameterError) return 0;
    throw error;
  }
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Blankets of all users, which are rounded up. */
const HARDLY_ANY = 0.5;
