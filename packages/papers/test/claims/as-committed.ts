/** The committed ledger, and claims that are measured again. */
import { readFileSync } from 'node:fs';
import type { ClaimContext } from '../../src/claims/claim.ts';
import type { Ledger } from '../../src/claims/ledger.ts';
import { CLAIMS } from '../../src/claims/registry.ts';

export const ledger = JSON.parse(
  readFileSync(new URL('../../../../docs/claims.json', import.meta.url), 'utf8'),
) as Ledger;

const withoutFigures: ClaimContext = {
  folder: '',
  figureTable: ({ id }) => Promise.reject(new Error(`${id} was asked for`)),
};

/** What the ledger says of a claim. */
export function committed(id: string): object {
  return ledger.claims.find((entry) => entry.id === id)!;
}

/** What is found of a claim that needs no figure. */
export async function measuredAgain(id: string): Promise<object> {
  const finding = await CLAIMS.find((claim) => claim.id === id)!.measure(withoutFigures);
  return JSON.parse(JSON.stringify(finding)) as object;
}
