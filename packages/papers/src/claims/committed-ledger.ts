/** The ledger that the project keeps, docs/claims.json. */
import { existsSync, readFileSync } from 'node:fs';
import type { FigureVerdict } from '../figures/gallery.ts';
import type { Ledger } from './ledger.ts';

const FILE = new URL('../../../../docs/claims.json', import.meta.url);

/** Without claims where there is none, as in a published package. */
export function committedLedger(): Ledger {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Ledger) : { claims: [] };
}

/** What became of the claims about a figure or table; none where there are no such claims. */
export function verdictsOn({ claims }: Ledger, id: string): FigureVerdict[] {
  return claims
    .filter((claim) => claim.id === id || claim.figures.includes(id))
    .map(({ verdict, published, measured }) => ({
      verdict,
      tone: TONES[verdict],
      text: `Claim ${verdict}: “${published}” Measured: ${measured}`,
    }));
}

const TONES = { reproduced: 'good', differs: 'fair', refuted: 'bad', 'not-run': 'plain' } as const;
