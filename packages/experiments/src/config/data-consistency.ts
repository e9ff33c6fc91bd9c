/** Checks between fields of a config's data. */
import { isSetData } from '../data/data-sets.ts';
import type { ConfigPath, Refuse } from '../documents/config-error.ts';
import type { ExperimentConfig } from './schema.ts';

const SHARES_TOLERANCE = 1e-9;

/** Of users who hold enough items: of a generator's others none takes part, and each is drawn in vain. */
const LEAST_ENOUGH = 1e-3;

/** @throws ConfigError by `refuse` */
export function checkData({ data }: ExperimentConfig, refuse: Refuse): void {
  if ('items' in data && 'domain' in data && data.domain !== undefined && data.items > data.domain) {
    refuse(['data', 'items'], data.items, `at most the domain, ${data.domain}`);
  }
  if (data.kind === 'categories-shares') checkShares(data, refuse);
  if ('sizes' in data || ('padding' in data && data.padding !== undefined)) checkSizes(data, refuse);
  if (data.kind === 'msnbc-like' || data.kind === 'msnbc') {
    if (data.items > 17) refuse(['data', 'items'], data.items, 'at most 17, the categories of MSNBC');
  }
  if ('header' in data && data.header === false && hasNamedColumn(data))
    refuse(['data', 'header'], data.header, 'true or auto for a column that is named');
  if ('low' in data) {
    if (!(data.low < data.high)) refuse(['data', 'high'], data.high, `above low, ${data.low}`);
    if (data.high - data.low === Infinity)
      refuse(['data', 'high'], data.high, `nearer to low, ${data.low}: the width of the range is no number`);
  }
  if ('xLow' in data) {
    if (!(data.xLow < data.xHigh)) refuse(['data', 'xHigh'], data.xHigh, `above xLow, ${data.xLow}`);
    if (!(data.yLow < data.yHigh)) refuse(['data', 'yHigh'], data.yHigh, `above yLow, ${data.yLow}`);
  }
  // Of a bump: that of a region is a length.
  if ('centre' in data && data.width > 1e6) refuse(['data', 'width'], data.width, 'at most 1000000');
}

function checkShares(
  { shares, names }: Extract<ExperimentConfig['data'], { readonly kind: 'categories-shares' }>,
  refuse: Refuse,
): void {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (!(total > 0 && total < Infinity)) refuse(['data', 'shares'], shares, 'numbers that are not all zero');
  if (names && names.length !== shares.length)
    refuse(['data', 'names'], names, `as many as shares, ${shares.length}`);
}

const COLUMN_FIELDS: ReadonlySet<string> = new Set(['column', 'user', 'key', 'value', 'x', 'y']);

function hasNamedColumn(data: ExperimentConfig['data']): boolean {
  return Object.entries(data).some(([field, value]) => COLUMN_FIELDS.has(field) && typeof value === 'string');
}

/** Of generators whose sets differ in size. */
function checkSizes(data: ExperimentConfig['data'], refuse: Refuse): void {
  if (!isSetData(data) || !('domain' in data) || 'path' in data) return;
  const { sizes, padding, domain, items } = data;
  if (sizes === undefined) {
    if (padding !== undefined)
      refuse(['data', 'padding'], padding, 'left out, or data.sizes given: all users hold `items` items');
    return;
  }
  if (sizes.length > domain)
    refuse(['data', 'sizes'], sizes, `at most ${domain} shares, as the domain has items`);
  checkSum(['data', 'sizes'], sizes, refuse);
  const enough = sizes.slice(items - 1).reduce((sum, share) => sum + share, 0);
  if (padding === 'truncate' && enough < LEAST_ENOUGH)
    refuse(
      ['data', 'sizes'],
      sizes,
      `at least ${LEAST_ENOUGH} for ${items} items or more, as padding is truncate`,
    );
}

/** @throws ConfigError by `refuse`, for shares that do not sum to 1 */
export function checkSum(path: ConfigPath, shares: readonly number[], refuse: Refuse): void {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (Math.abs(total - 1) > SHARES_TOLERANCE) refuse(path, shares, `numbers that sum to 1, not ${total}`);
}
