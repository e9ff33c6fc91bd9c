/** What is said of a mechanism: name, parameters with ranges, formulas, sources. Imports nothing heavy. */
import type { MechanismCitation } from './mechanism-citations.ts';

export interface MechanismParameter {
  /** As in JSON: 'subsetSize'; the flag is --subset-size. */
  readonly name: string;
  readonly range: string;
  /** The ends of the range where they are numbers, both allowed; the other ranges are checked where the mechanism is made. */
  readonly bounds?: readonly [low: number, high: number];
  readonly integer: boolean;
  readonly required: boolean;
  readonly description: string;
}

export interface MechanismEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly citation: MechanismCitation;
  readonly parameters: readonly MechanismParameter[];
  /** What --users counts. */
  readonly usersMean: string;
  /** The variation-ratio parameters as formulas; null where there are none. */
  readonly ratios: { readonly p: string; readonly beta: string; readonly q: string } | null;
  /** How the analyzer estimates, as a formula. */
  readonly estimator: string;
  /** Parameters to show it at. */
  readonly example: Readonly<Record<string, number>>;
}

export const EACH_USER = 'all users, one message each';

export function parameter(name: string, range: string, description: string): MechanismParameter {
  return { name, range, integer: false, required: true, description };
}

export function integer(name: string, range: string, description: string): MechanismParameter {
  return { ...parameter(name, range, description), integer: true };
}

export function optional(known: MechanismParameter): MechanismParameter {
  return { ...known, required: false };
}

/** In [low, high]. */
export function within(name: string, low: number, high: number, description: string): MechanismParameter {
  return { ...parameter(name, `[${low}, ${high}]`, description), bounds: [low, high] };
}

export function integerWithin(
  name: string,
  low: number,
  high: number,
  description: string,
): MechanismParameter {
  return { ...integer(name, `an integer from ${low} to ${high}`, description), bounds: [low, high] };
}

/** Below the least, e^epsilon0 is hardly told from 1; at the largest, certificates end. */
export const epsilon0 = within('epsilon0', 1e-9, 300, 'local budget in nats');

export function domainUpTo(most: number, description = 'number of categories'): MechanismParameter {
  return integerWithin('domain', 2, most, description);
}
