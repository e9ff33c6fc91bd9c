/** The ledger that the project keeps, docs/claims.json. */
import { existsSync, readFileSync } from 'node:fs';
import type { FigureVerdict } from '../figures/gallery.ts';
import type { Ledger } from './ledger.ts';

/** A published package has a copy; a checkout has the original. */
const FILES = ['../../claims.json', '../../../../docs/claims.json'].map(
  (path) => new URL(path, import.meta.url),
);

/** Without claims where there is none. */
export function committedLedger(): Ledger {
  const file = FILES.find((candidate) => existsSync(candidate));
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as Ledger) : { claims: [] };
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
