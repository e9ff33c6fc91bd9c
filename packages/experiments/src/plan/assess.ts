/** What one protocol costs and errs at a certified target. */
import type { Interval, ProtocolParameters, SimulationPath, Trust } from '@shuffle-dp/core';
import type { Candidate } from './candidates.ts';
import { provedOf, worstOf, type ExpectedError } from './created-protocol.ts';
import type { PlanSetting } from './plan-setting.ts';
import { shortEnd } from '../words/short-number.ts';
import { isByBlanketAlone } from './row-accounting.ts';
import { attempt, madeVariants, type Excluded, type Made, type Outcome } from './tuning/made-variants.ts';
import { tunedNumber } from './tuning/tuned-number.ts';

export type { Excluded } from './tuning/made-variants.ts';

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

/**
 * The best variant of a candidate, or why it is left out. What is proved of a variant is asked in the order
 * of the errors, and a variant that errs more than another whatever its target is not calibrated.
 */
export function assess(
  { title, trust, variants }: Candidate,
  setting: PlanSetting,
): Outcome<PlannedProtocol> {
  if (!isTrusted(trust, setting))
    return { protocol: title, why: 'its shuffler drops and adds messages itself', trust };
  const { made: found, refused } = madeVariants(title, variants, setting);
  let first = refused;
  for (const made of found) {
    const outcome = attempt(title, () => certified(made, trust, setting));
    if (!('why' in outcome)) return outcome;
    first ??= outcome;
  }
  return first!;
}

/**
 * The candidate with the variant of the least error alone, and that error; null where there is none within
 * the limits. Variants are calibrated by what is proved of them; `assess` looks at the statements besides.
 */
export function leastVariant(
  { title, trust, variants }: Candidate,
  setting: PlanSetting,
): { readonly candidate: Candidate; readonly error: number } | null {
  if (!isTrusted(trust, setting)) return null;
  const [best] = madeVariants(title, variants, setting).made;
  if (best === undefined) return null;
  return { candidate: { title, trust, variants: [best.spec] }, error: best.expected.value };
}

function isTrusted(trust: Trust, { limits }: PlanSetting): boolean {
  return trust === 'shuffler' || limits?.trust === trust;
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
      why: `its certified epsilon is ${shortEnd(worst.epsilon.upper, 'upper')}, above the target`,
    };
  return {
    protocol: name,
    spec,
    parameters: { ...chosenNumber(spec), ...protocol.parameters },
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

/** Not every protocol tells it among its parameters. */
function chosenNumber(spec: PlannedProtocol['spec']): ProtocolParameters {
  const { field } = tunedNumber(spec) ?? {};
  const value = field === undefined ? undefined : (spec as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'number' ? { [field!]: value } : {};
}
