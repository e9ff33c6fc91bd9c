/**
 * Figures and tables of Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and
 * Tightened".
 */
import type { Figure } from '../figures/figure.ts';
import { GENERAL_TABLE } from './general-amplification-table.ts';
import { BALLS_INTO_BINS_FIGURE, FLIPPED_BITS_FIGURE } from './multi-message-amplification.ts';
import { PARALLEL_COMPOSITION_FIGURE } from './parallel-composition-figure.ts';
import { LOCAL_HASH_FIGURE, SUBSET_FIGURE } from './single-message-amplification.ts';

export const VARIATION_RATIO_FIGURES: readonly Figure[] = [
  SUBSET_FIGURE,
  LOCAL_HASH_FIGURE,
  FLIPPED_BITS_FIGURE,
  BALLS_INTO_BINS_FIGURE,
  PARALLEL_COMPOSITION_FIGURE,
  GENERAL_TABLE,
];
