/** What a config may say of its data. */
import { z } from 'zod';
import { integer, number, oneOf, positive, readingFields, text } from './fields.ts';
import { LIMITS } from './limits.ts';

const LARGEST_SET_DOMAIN = LIMITS.setDomain.most;
const domain = integer(2, LIMITS.domain.most).describe('Number of items or categories that exist.');
const setDomain = integer(2, LARGEST_SET_DOMAIN).describe('Number of items that exist.');
const items = integer(1, LARGEST_SET_DOMAIN).describe('Items that every user holds after padding.');
const exponent = number('zero or a positive number')
  .min(0, { error: 'zero or a positive number' })
  .default(1)
  .describe('Item i has weight 1 / (i + 1)^exponent.');
const centre = number('in [0, 1]')
  .min(0, { error: 'in [0, 1]' })
  .max(1, { error: 'in [0, 1]' })
  .default(0.5)
  .describe('Where the bump stands, as a fraction of the domain.');
const width = positive
  .default(0.125)
  .describe('Standard deviation of the bump, as a fraction of the domain.');
const path = text('the path of a file').describe(
  'File, plain or .gz, relative to the config; $NAME and ${NAME} stand for environment variables.',
);

const SEPARATOR = 'characters that are no quote and no end of a line';

export const PADDINGS = ['fill', 'dummy', 'truncate'] as const;
const padding = oneOf(PADDINGS)
  .default('fill')
  .describe(
    "How users get exactly `items` items. Users with more keep a random choice. 'fill': missing ones are drawn from the items they do not hold; " +
      "'dummy': missing ones are added items of the domain; 'truncate': only users who hold enough take part.",
  );

export const dataSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('msnbc-like'), items, padding }),
    z.strictObject({ kind: z.literal('msnbc'), path, items, padding }),
    z.strictObject({ kind: z.literal('sets-uniform'), domain: setDomain, items }),
    z.strictObject({ kind: z.literal('sets-zipf'), domain: setDomain, items, exponent }),
    z.strictObject({ kind: z.literal('sets-gaussian-bump'), domain: setDomain, items, centre, width }),
    z.strictObject({
      kind: z.literal('csv-sets'),
      path,
      items,
      padding,
      domain: setDomain.optional(),
      separator: z
        .string({ error: SEPARATOR })
        .regex(/^[^"\r\n]+$/u, { error: SEPARATOR })
        .default(',')
        .describe('What stands between the items of a line.'),
      ...readingFields,
    }),
    z.strictObject({ kind: z.literal('categories-uniform'), domain }),
    z.strictObject({ kind: z.literal('categories-zipf'), domain, exponent }),
    z.strictObject({ kind: z.literal('categories-gaussian-bump'), domain, centre, width }),
    z.strictObject({
      kind: z.literal('csv-categories'),
      path,
      domain: domain.optional(),
      column: z
        .union([text('a name'), integer(0)], { error: 'the name of a column or its number, from 0' })
        .default(0)
        .describe('A name (the first line is then a header) or a number from 0.'),
      ...readingFields,
    }),
  ],
  { error: 'a data set: see `shuffle-dp datasets`' },
);

export type DataConfig = z.output<typeof dataSchema>;
export type Padding = (typeof PADDINGS)[number];

const SET_DATA = [
  'msnbc-like',
  'msnbc',
  'sets-uniform',
  'sets-zipf',
  'sets-gaussian-bump',
  'csv-sets',
] as const;
export type SetDataConfig = Extract<DataConfig, { kind: (typeof SET_DATA)[number] }>;
export type CategoryDataConfig = Exclude<DataConfig, SetDataConfig>;

export function isSetData(data: DataConfig): data is SetDataConfig {
  return (SET_DATA as readonly string[]).includes(data.kind);
}
