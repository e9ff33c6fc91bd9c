/** Fields that several data sets have in a config. */
import { MOST_CELLS_ALONG } from '@shuffle-dp/protocols';
import * as z from 'zod';
import { integer, name, nonNegative, number, oneOf, positive, text, unit } from '../documents/fields.ts';
import { LIMITS } from '../documents/limits.ts';

const LARGEST_SET_DOMAIN = LIMITS.setDomain.most;
export const domain = integer(2, LIMITS.domain.most).describe('Number of items or categories that exist.');
export const setDomain = integer(2, LARGEST_SET_DOMAIN).describe('Number of items that exist.');
export const items = integer(1, LARGEST_SET_DOMAIN).describe('Items that every user holds after padding.');
export const exponent = nonNegative.default(1).describe('Item i has weight 1 / (i + 1)^exponent.');
export const centre = unit.default(0.5).describe('Where the bump stands, as a fraction of the domain.');
export const width = positive
  .default(0.125)
  .describe('Standard deviation of the bump, as a fraction of the domain.');
export const path = text('the path of a file').describe(
  'File, plain or .gz, relative to the config; $NAME and ${NAME} stand for environment variables.',
);

export const PADDINGS = ['fill', 'dummy', 'truncate'] as const;
const paddingRule = oneOf(PADDINGS);
export const padding = paddingRule
  .default('fill')
  .describe(
    "How users get exactly `items` items. Users with more keep a random choice. 'fill': missing ones are drawn from the items they do not hold; " +
      "'dummy': missing ones are added items of the domain; 'truncate': only users who hold enough take part.",
  );

export type Padding = (typeof PADDINGS)[number];

/** Of generators: how many items users hold before padding. */
export const sizeFields = {
  sizes: z
    .array(nonNegative, { error: 'a list of numbers' })
    .min(1, { error: 'a list of numbers' })
    .optional()
    .describe(
      'Shares of users who hold 1, 2, 3, … items before padding; they sum to 1. Without it all hold `items`.',
    ),
  padding: paddingRule
    .optional()
    .describe("With `sizes`: how users get exactly `items` items, as in `csv-sets`; default 'fill'."),
};

/** A config that lists more would be longer than what is read. */
const MOST_LISTED = 20_000;
const LISTED = `a list of 2 to ${MOST_LISTED} numbers`;
export const categoryShares = z
  .array(nonNegative, { error: LISTED })
  .min(2, { error: LISTED })
  .max(MOST_LISTED, { error: LISTED })
  .describe('How often each category occurs: shares, or counts, which are divided by their sum.');
export const categoryNames = z
  .array(name, { error: 'a list of names' })
  .optional()
  .describe('Names of the categories, as many as shares, for tables and charts.');

const finite = number('a finite number');
/** The range that users' numbers are of: public, and what the noise is for. */
export const rangeFields = {
  low: finite.default(0).describe('Lower end of the range. Smaller numbers are sent as this one.'),
  high: finite.default(1).describe('Upper end of the range, above low. Larger numbers are sent as this one.'),
  unit: name.optional().describe("Unit of the numbers, for tables and charts: 'kg'."),
};
export const numberRange = {
  ...rangeFields,
  points: integer(2, 2 ** 20)
    .default(1001)
    .describe('How many different numbers there are, equally spaced from low to high.'),
};

export const pairs = integer(1, LARGEST_SET_DOMAIN).describe(
  'Pairs that every user holds, of distinct keys.',
);

export const dimensions = integer(2, 2 ** 16).describe('Length of the vectors.');
export const concentration = nonNegative
  .default(1)
  .describe('Distance of the point from the origin; the normal vectors around it have length 1 on average.');

export const bits = integer(1, 48).describe('Identifiers are whole numbers below 2 to the power of this.');
export const different = integer(1, 2 ** 20).describe('Different identifiers that users hold.');

const side = integer(2, MOST_CELLS_ALONG);
/** The region of users' places: public, and what the noise is for. */
export const placeFields = {
  grid: side
    .default(4)
    .describe('Cells of the grid along each side. Cells much smaller than the noise have large errors.'),
  unit: name.optional().describe("Unit of length, for tables and charts: 'km'."),
};
export const regionSides = {
  xLow: finite.describe(
    'Western end of the region. Places outside are sent as if they were the nearest one inside.',
  ),
  xHigh: finite.describe('Eastern end, above xLow.'),
  yLow: finite.describe('Southern end.'),
  yHigh: finite.describe('Northern end, above yLow.'),
};
export const sideLength = positive.default(10).describe('Length of the side of the region, in its unit.');
export const spread = positive
  .default(0.1)
  .describe('Standard deviation of a cluster along each side, as a fraction of the shorter one.');
