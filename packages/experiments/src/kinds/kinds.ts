/** The kinds of data, by what a user holds. */
import { CATEGORIES } from './categories.ts';
import type { Holding } from '../data/data-set-card.ts';
import type { DataKind } from './data-kind.ts';
import { IDENTIFIERS } from './identifiers.ts';
import { KEY_VALUES } from './key-values.ts';
import { NUMBERS } from './numbers.ts';
import { PLACES } from './places.ts';
import { SETS } from './sets.ts';
import { VECTORS } from './vectors.ts';

const KINDS: { readonly [Held in Holding]: DataKind<Held> } = {
  categories: CATEGORIES,
  sets: SETS,
  numbers: NUMBERS,
  'key-values': KEY_VALUES,
  vectors: VECTORS,
  places: PLACES,
  identifiers: IDENTIFIERS,
};

/** The functions for what holds this; they take data, sources and cells of that kind alone. */
export function kindOf(holds: Holding): DataKind<Holding> {
  return KINDS[holds] as DataKind<Holding>;
}
