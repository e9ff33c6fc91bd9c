/** All claims by id. */
import type { Paper } from '../figures/figure.ts';
import { APES_CLAIMS } from '../apes/claims.ts';
import type { Claim } from './claim.ts';
import { COMPOSITION_CLAIMS } from '../composition/claims.ts';
import { CANONICAL_PAIR_CLAIMS } from '../canonical-pair/claims.ts';
import { HPS_CLAIMS } from '../hps/claims.ts';
import { PERSONAL_SOUNDNESS_CLAIMS } from '../hps/personal-soundness-claims.ts';
import { SEGMENTED_CLAIMS } from '../segmented/claims.ts';
import { SEGMENTED_PRIVACY_CLAIMS } from '../segmented/privacy-claims.ts';
import { SOUNDNESS_CLAIMS } from '../variation-ratio/soundness-claims.ts';
import { VARIATION_RATIO_CLAIMS } from '../variation-ratio/claims.ts';

const PAPERS: readonly Paper[] = [
  'variation-ratio',
  'composition',
  'segmented',
  'apes',
  'hps',
  'canonical-pair',
];

const ALL: readonly Claim[] = [
  ...VARIATION_RATIO_CLAIMS,
  ...COMPOSITION_CLAIMS,
  ...SEGMENTED_CLAIMS,
  ...APES_CLAIMS,
  ...HPS_CLAIMS,
  ...SOUNDNESS_CLAIMS,
  ...SEGMENTED_PRIVACY_CLAIMS,
  ...PERSONAL_SOUNDNESS_CLAIMS,
  ...CANONICAL_PAIR_CLAIMS,
];

/** Paper by paper. */
export const CLAIMS: readonly Claim[] = PAPERS.flatMap((paper) =>
  ALL.filter((claim) => claim.paper === paper),
);
