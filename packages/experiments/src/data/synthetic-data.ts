/** Data sets that are drawn from a shape over the domain. */
import { listedCategories, syntheticCategories } from './sources/category-source.ts';
import {
  bits,
  categoryNames,
  categoryShares,
  centre,
  concentration,
  different,
  dimensions,
  domain,
  exponent,
  items,
  numberRange,
  pairs,
  placeFields,
  rangeFields,
  setDomain,
  sideLength,
  sizeFields,
  spread,
  width,
} from './data-fields.ts';
import {
  categoryDataCard,
  identifierDataCard,
  keyValueDataCard,
  numberDataCard,
  placeDataCard,
  setDataCard,
  vectorDataCard,
} from './data-set-card.ts';
import { syntheticKeyValues } from './sources/key-value-source.ts';
import { syntheticNumbers } from './sources/number-source.ts';
import { syntheticPlaces } from './sources/place-source.ts';
import { syntheticSource } from './item-sets/set-source.ts';
import { syntheticIdentifiers } from './synthetic-identifiers.ts';
import { syntheticDirections } from './sources/vector-source.ts';

export const SETS_UNIFORM = setDataCard({
  kind: 'sets-uniform',
  description: 'Uniform sets of the given size.',
  fields: { domain: setDomain, items, ...sizeFields },
  open: (config) => syntheticSource({ kind: 'uniform' }, config),
});

export const SETS_ZIPF = setDataCard({
  kind: 'sets-zipf',
  description: 'Items drawn without replacement with weights 1 / (i + 1)^exponent.',
  fields: { domain: setDomain, items, ...sizeFields, exponent },
  open: (config) => syntheticSource({ kind: 'zipf', exponent: config.exponent }, config),
});

export const SETS_GAUSSIAN_BUMP = setDataCard({
  kind: 'sets-gaussian-bump',
  description: 'Items drawn without replacement with weights of a bell curve over the domain.',
  fields: { domain: setDomain, items, ...sizeFields, centre, width },
  open: (config) =>
    syntheticSource({ kind: 'gaussian-bump', centre: config.centre, width: config.width }, config),
});

export const CATEGORIES_UNIFORM = categoryDataCard({
  kind: 'categories-uniform',
  description: 'All categories equally likely.',
  fields: { domain },
  open: (config) => syntheticCategories({ kind: 'uniform' }, config.domain),
});

export const CATEGORIES_ZIPF = categoryDataCard({
  kind: 'categories-zipf',
  description: 'Category i has a probability proportional to 1 / (i + 1)^exponent.',
  fields: { domain, exponent },
  open: (config) => syntheticCategories({ kind: 'zipf', exponent: config.exponent }, config.domain),
});

export const CATEGORIES_GAUSSIAN_BUMP = categoryDataCard({
  kind: 'categories-gaussian-bump',
  description: 'Probabilities of a bell curve over the domain.',
  fields: { domain, centre, width },
  open: (config) =>
    syntheticCategories({ kind: 'gaussian-bump', centre: config.centre, width: config.width }, config.domain),
});

export const CATEGORIES_SHARES = categoryDataCard({
  kind: 'categories-shares',
  description: 'Categories by shares that the config lists, such as published ones.',
  fields: { shares: categoryShares, names: categoryNames },
  open: ({ shares, names }) => listedCategories(shares, names),
});

export const NUMBERS_UNIFORM = numberDataCard({
  kind: 'numbers-uniform',
  description: 'Equally spaced numbers of a range, all equally likely, as if measured to a few digits.',
  fields: numberRange,
  open: (config) => syntheticNumbers({ kind: 'uniform' }, config),
});

export const NUMBERS_ZIPF = numberDataCard({
  kind: 'numbers-zipf',
  description:
    'Numbers of a range, most of them near its lower end: the i-th from below has weight 1 / (i + 1)^exponent.',
  fields: { ...numberRange, exponent },
  open: (config) => syntheticNumbers({ kind: 'zipf', exponent: config.exponent }, config),
});

export const NUMBERS_GAUSSIAN_BUMP = numberDataCard({
  kind: 'numbers-gaussian-bump',
  description: 'Numbers of a range by a bell curve over it.',
  fields: { ...numberRange, centre, width },
  open: (config) =>
    syntheticNumbers({ kind: 'gaussian-bump', centre: config.centre, width: config.width }, config),
});

export const KEY_VALUES_ZIPF = keyValueDataCard({
  kind: 'key-values-zipf',
  description:
    'Keys are split into as many shelves as a user has pairs. A user holds one key of each shelf, the i-th with weight 1 / (i + 1)^exponent. Values follow a binomial law whose mean falls from key to key.',
  fields: { domain: setDomain.describe('Number of keys.'), items: pairs, exponent, ...rangeFields },
  open: (config) => syntheticKeyValues(config),
});

export const VECTORS_SPHERE = vectorDataCard({
  kind: 'vectors-sphere',
  description: 'Unit vectors around one direction: normal vectors around a point, cut to length 1.',
  fields: { dimensions, concentration },
  open: (config) => syntheticDirections(config.dimensions, config.concentration),
});

export const PLACES_CLUSTERS = placeDataCard({
  kind: 'places-clusters',
  description: 'Places around three middles, half of the users around the first one, inside a rectangle.',
  fields: { width: sideLength, height: sideLength, spread, ...placeFields },
  open: (config) => syntheticPlaces(config),
});

export const IDENTIFIERS_ZIPF = identifierDataCard({
  kind: 'identifiers-zipf',
  description:
    'Identifiers at random places of a large domain, the i-th with a probability proportional to 1 / (i + 1)^exponent.',
  fields: { bits, different, exponent },
  open: (config) => syntheticIdentifiers(config.bits, config.different, config.exponent),
});
