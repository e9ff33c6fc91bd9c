/** What may be measured of the users of a data set. */
import type { Holding } from '../data/data-set-card.ts';
import type { ErrorMeasure } from './schema.ts';

type Measures = readonly [ErrorMeasure, ...ErrorMeasure[]];

/** By what they hold; the first by default. */
export const MEASURES: { readonly [Held in Holding]: Measures } = {
  categories: ['frequencies', 'ranges'],
  sets: ['frequencies'],
  numbers: ['mean', 'sum'],
  'key-values': ['frequencies', 'means'],
  vectors: ['mean'],
  places: ['frequencies', 'mean'],
  identifiers: ['heavy-hitters'],
};
