/** Data sets that are drawn from a shape over the domain. */
import { syntheticCategories } from './category-source.ts';
import { centre, domain, exponent, items, setDomain, width } from './data-fields.ts';
import { categoryDataCard, setDataCard } from './data-set-card.ts';
import { syntheticSource } from './set-source.ts';

export const SETS_UNIFORM = setDataCard({
  kind: 'sets-uniform',
  description: 'Uniform sets of the given size.',
  fields: { domain: setDomain, items },
  open: (config) => syntheticSource({ kind: 'uniform' }, config),
});

export const SETS_ZIPF = setDataCard({
  kind: 'sets-zipf',
  description: 'Items drawn without replacement with weights 1 / (i + 1)^exponent.',
  fields: { domain: setDomain, items, exponent },
  open: (config) => syntheticSource({ kind: 'zipf', exponent: config.exponent }, config),
});

export const SETS_GAUSSIAN_BUMP = setDataCard({
  kind: 'sets-gaussian-bump',
  description: 'Items drawn without replacement with weights of a bell curve over the domain.',
  fields: { domain: setDomain, items, centre, width },
  open: (config) =>
    syntheticSource({ kind: 'gaussian-bump', centre: config.centre, width: config.width }, config),
});

export const CATEGORIES_UNIFORM = categoryDataCard({
  kind: 'categories-uniform',
  description: 'All categories alike.',
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
