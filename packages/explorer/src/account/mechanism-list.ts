/** The mechanisms by their cards, for every page that names one: the build writes them into the page. */
import type { AccountEngine, ShownMechanism } from './contract.ts';

declare global {
  var shuffleDpMechanisms: readonly ShownMechanism[] | undefined;
}

export const MECHANISMS: readonly ShownMechanism[] = globalThis.shuffleDpMechanisms ?? [];

/** Which engine accounts the mechanism. */
export function engineOf(mechanism: string): AccountEngine {
  return MECHANISMS.find(({ name }) => name === mechanism)?.engine ?? 'mechanisms';
}
