/** All claims by id. */
import type { Paper } from '../figures/figure.ts';
import { APES_CLAIMS } from './apes-claims.ts';
import type { Claim } from './claim.ts';
import { COMPOSITION_CLAIMS } from './composition-claims.ts';
import { HPS_CLAIMS } from './hps-claims.ts';
import { PERSONAL_SOUNDNESS_CLAIMS } from './personal-soundness-claims.ts';
import { SEGMENTED_CLAIMS } from './segmented-claims.ts';
import { SOUNDNESS_CLAIMS } from './soundness-claims.ts';
import { VARIATION_RATIO_CLAIMS } from './variation-ratio-claims.ts';

const PAPERS: readonly Paper[] = ['variation-ratio', 'composition', 'segmented', 'apes', 'hps'];

const ALL: readonly Claim[] = [
  ...VARIATION_RATIO_CLAIMS,
  ...COMPOSITION_CLAIMS,
  ...SEGMENTED_CLAIMS,
  ...APES_CLAIMS,
  ...HPS_CLAIMS,
  ...SOUNDNESS_CLAIMS,
  ...PERSONAL_SOUNDNESS_CLAIMS,
];

/** Paper by paper. */
export const CLAIMS: readonly Claim[] = PAPERS.flatMap((paper) =>
  ALL.filter((claim) => claim.paper === paper),
);

/** Claims whose id is, or starts with, one of the given words: 'vr', 'vr.table5'. All for none. */
export function selectClaims(words: readonly string[]): {
  readonly claims: readonly Claim[];
  readonly unknown: string | null;
} {
  if (words.length === 0) return { claims: CLAIMS, unknown: null };
  const names = (word: string, id: string): boolean => id === word || id.startsWith(`${word}.`);
  const unknown = words.find((word) => !CLAIMS.some(({ id }) => names(word, id))) ?? null;
  return { claims: CLAIMS.filter(({ id }) => words.some((word) => names(word, id))), unknown };
}
