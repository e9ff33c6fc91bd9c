/** What is said of a mechanism: name, parameters with ranges, formulas, sources. Imports nothing heavy. */
import type { MechanismCitation } from './mechanism-citations.ts';

export interface MechanismParameter {
  /** As in JSON: 'subsetSize'; the flag is --subset-size. */
  readonly name: string;
  readonly range: string;
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

export const epsilon0 = parameter('epsilon0', '(0, inf)', 'local budget in nats');
export const domain = integer('domain', 'an integer of at least 2', 'number of categories');
