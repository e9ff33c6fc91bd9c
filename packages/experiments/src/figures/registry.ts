/** All figures by id. */
import { APES_ACCURACY_FIGURES } from './apes-accuracy-figures.ts';
import { APES_TABLES } from './apes-tables.ts';
import { CENTRAL_DELTA_TABLE } from './central-delta-table.ts';
import { CLIP_LAPLACE_FIGURES } from './clip-laplace-figures.ts';
import { COMPOSITION_FIGURES } from './composition-figures.ts';
import { CONFOUNDING_FIGURE } from './confounding-figure.ts';
import type { Figure } from './figure.ts';
import { PERSONALIZED_BOUND_FIGURES } from './personalized-bound-figures.ts';
import { SET_BLANKETS_FIGURE } from './set-blankets-figure.ts';
import { SEGMENTED_FIGURES } from './segmented-figures.ts';
import { VECTOR_MEAN_FIGURE } from './vector-mean-figure.ts';
import { VARIATION_RATIO_FIGURES } from './variation-ratio-figures.ts';

export const FIGURES: readonly Figure[] = [
  ...VARIATION_RATIO_FIGURES,
  ...COMPOSITION_FIGURES,
  VECTOR_MEAN_FIGURE,
  ...SEGMENTED_FIGURES,
  SET_BLANKETS_FIGURE,
  ...APES_ACCURACY_FIGURES,
  ...APES_TABLES,
  ...PERSONALIZED_BOUND_FIGURES,
  ...CLIP_LAPLACE_FIGURES,
  CONFOUNDING_FIGURE,
  CENTRAL_DELTA_TABLE,
];

/** Figures whose id is, or starts with, one of the given words: 'seg', 'seg.fig2'. Null for a word that names none. */
export function selectFigures(words: readonly string[]): {
  readonly figures: readonly Figure[];
  readonly unknown: string | null;
} {
  if (words.length === 0) return { figures: FIGURES, unknown: null };
  const names = (word: string, id: string): boolean => id === word || id.startsWith(`${word}.`);
  const unknown = words.find((word) => !FIGURES.some(({ id }) => names(word, id))) ?? null;
  return { figures: FIGURES.filter(({ id }) => words.some((word) => names(word, id))), unknown };
}
