/** Figures and tables of Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and Tightened". */
import type { Figure } from '../figures/figure.ts';
import { GENERAL_TABLE } from './general-amplification-table.ts';
import { MULTI_MESSAGE_FIGURES } from './multi-message-amplification.ts';
import { PARALLEL_COMPOSITION_FIGURE } from './parallel-composition-figure.ts';
import { SINGLE_MESSAGE_FIGURES } from './single-message-amplification.ts';

export const VARIATION_RATIO_FIGURES: readonly Figure[] = [
  ...SINGLE_MESSAGE_FIGURES,
  ...MULTI_MESSAGE_FIGURES,
  PARALLEL_COMPOSITION_FIGURE,
  GENERAL_TABLE,
];
