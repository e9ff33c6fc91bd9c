/** All claims by id. */
import { PAPERS } from '../paper-names.ts';
import { APES_CLAIMS } from '../apes/claims.ts';
import { ALGORITHM_CLAIM } from '../composition/algorithm-claim.ts';
import { ASYMPTOTIC_CLAIM } from '../variation-ratio/asymptotic-claim.ts';
import type { Claim } from './claim.ts';
import { COMPOSITION_CLAIMS } from '../composition/claims.ts';
import { CONVERGENCE_CLAIM } from '../apes/convergence-claim.ts';
import { CANONICAL_PAIR_CLAIMS } from '../canonical-pair/claims.ts';
import { HPS_CLAIMS } from '../hps/claims.ts';
import { NEIGHBOUR_DIVERGENCE_CLAIM } from '../apes/neighbour-divergence-claim.ts';
import { PARAMETER_CLAIMS } from '../variation-ratio/parameter-claims.ts';
import { PERSONAL_SOUNDNESS_CLAIMS } from '../hps/personal-soundness-claims.ts';
import { SEGMENTED_CLAIMS } from '../segmented/claims.ts';
import { SEGMENTED_PRIVACY_CLAIMS } from '../segmented/privacy-claims.ts';
import { SETTINGS_ERRORS_CLAIM } from '../segmented/settings-errors-claim.ts';
import { SOUNDNESS_CLAIMS } from '../variation-ratio/soundness-claims.ts';
import { TRADE_OFF_CLAIM } from '../hps/trade-off-claim.ts';
import { TABLE_5_CLAIMS } from '../variation-ratio/table-5-claims.ts';
import { VARIATION_RATIO_CLAIMS } from '../variation-ratio/claims.ts';

const ALL: readonly Claim[] = [
  ...TABLE_5_CLAIMS,
  ...VARIATION_RATIO_CLAIMS,
  ASYMPTOTIC_CLAIM,
  ...PARAMETER_CLAIMS,
  ...COMPOSITION_CLAIMS,
  ALGORITHM_CLAIM,
  ...SEGMENTED_CLAIMS,
  SETTINGS_ERRORS_CLAIM,
  ...APES_CLAIMS,
  NEIGHBOUR_DIVERGENCE_CLAIM,
  CONVERGENCE_CLAIM,
  ...HPS_CLAIMS,
  TRADE_OFF_CLAIM,
  ...SOUNDNESS_CLAIMS,
  ...SEGMENTED_PRIVACY_CLAIMS,
  ...PERSONAL_SOUNDNESS_CLAIMS,
  ...CANONICAL_PAIR_CLAIMS,
];

/** Paper by paper. */
export const CLAIMS: readonly Claim[] = PAPERS.flatMap((paper) =>
  ALL.filter((claim) => claim.paper === paper),
);
