/** All figures by id. */
import { APES_ACCURACY_FIGURES } from '../apes/accuracy-figures.ts';
import { APES_TABLES } from '../apes/tables.ts';
import { CALIBRATION_ERROR_FIGURE } from '../apes/calibration-error-figure.ts';
import { CENTRAL_DELTA_TABLE } from '../hps/central-delta-table.ts';
import { CLIP_LAPLACE_MOMENTS } from '../apes/clip-laplace-moments.ts';
import { COMPOSITION_FIGURES } from '../composition/figures.ts';
import { CONVERGENCE_FIGURE } from '../apes/convergence-figure.ts';
import { CONFOUNDING_FIGURE } from '../hps/confounding-figure.ts';
import type { Figure } from './figure.ts';
import { PERSONALIZED_BOUND_FIGURES } from '../hps/personalized-bound-figures.ts';
import { MAP_FIGURES } from '../map/map-figures.ts';
import { SET_BLANKETS_FIGURE } from '../segmented/set-blankets-figure.ts';
import { SEGMENTED_FIGURES } from '../segmented/figures.ts';
import { VECTOR_MEAN_FIGURE } from '../composition/vector-mean-figure.ts';
import { VARIATION_RATIO_FIGURES } from '../variation-ratio/figures.ts';

export const FIGURES: readonly Figure[] = [
  ...VARIATION_RATIO_FIGURES,
  ...COMPOSITION_FIGURES,
  VECTOR_MEAN_FIGURE,
  ...SEGMENTED_FIGURES,
  SET_BLANKETS_FIGURE,
  ...APES_ACCURACY_FIGURES,
  ...APES_TABLES,
  ...PERSONALIZED_BOUND_FIGURES,
  CALIBRATION_ERROR_FIGURE,
  ...CLIP_LAPLACE_MOMENTS,
  CONVERGENCE_FIGURE,
  CONFOUNDING_FIGURE,
  CENTRAL_DELTA_TABLE,
  ...MAP_FIGURES,
];
