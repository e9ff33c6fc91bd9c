/** The ledger that the project keeps, docs/claims.json. */
import { existsSync, readFileSync } from 'node:fs';
import type { Ledger } from './ledger.ts';

const FILE = new URL('../../../../docs/claims.json', import.meta.url);

/** Without claims where there is none, as in a published package. */
export function committedLedger(): Ledger {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Ledger) : { claims: [] };
}

/** What became of the claim about a figure or table, in words; none where there is no such claim. */
export function verdictsOn({ claims }: Ledger, id: string): string[] {
  return claims
    .filter((claim) => claim.id === id)
    .map(({ verdict, published, measured }) => `Claim ${verdict}: “${published}” Measured: ${measured}`);
}
