/**
 * What a config of `shuffle-dp unsupervised` may say: what is learnt without labels from shuffled histograms.
 */
import * as z from 'zod';
import { checkDocument } from '../documents/check-document.ts';
import { refusal } from '../documents/config-error.ts';
import { columnName, integer, nonNegative, number, positive } from '../documents/fields.ts';
import { LIMITS } from '../documents/limits.ts';
import { readConfigFile, type ConfigOverrides } from '../config/load-config.ts';
import { lineFields } from '../data/csv/reading-fields.ts';
import { path, rangeFields } from '../data/data-fields.ts';
import { messageFields, requireOneSweep, sweepHeadFields, testShare } from '../message-sweep/sweep-fields.ts';

const share = number('in [0, 1)').min(0, { error: 'in [0, 1)' }).lt(1, { error: 'in [0, 1)' });

const noiseCaution = nonNegative
  .default(2)
  .describe('Standard deviations of noise that a count must exceed to count.');

export const unsupervisedSchema = z
  .strictObject({
    ...sweepHeadFields,
    data: z.discriminatedUnion(
      'kind',
      [
        z.strictObject({
          kind: z.literal('blobs'),
          users: integer(2, 10_000_000).describe('Users in all; some of them are kept to test on.'),
          dimensions: integer(1, 1000),
          clusters: integer(1, 1000).describe('Round clusters in the unit cube, all equally likely.'),
          spread: positive.default(0.05).describe('Standard deviation of a cluster in each coordinate.'),
          outliers: share.default(0).describe('Share of the users who are at uniform places of the cube.'),
        }),
        z.strictObject({
          kind: z.literal('csv'),
          path,
          low: rangeFields.low,
          high: rangeFields.high,
          outlierColumn: columnName
            .optional()
            .describe(
              'isolation-forest, which needs it to be judged: a column of 1 for outliers and 0 for others.',
            ),
          ...lineFields,
        }),
      ],
      { error: 'blobs, or csv with a path' },
    ),
    bins: integer(2, 256).default(16).describe('Equal bins of each coordinate, which the histograms count.'),
    testShare,
    method: z.discriminatedUnion(
      'kind',
      [
        z.strictObject({
          kind: z.literal('k-means'),
          clusters: integer(1, 1000).describe('Centres.'),
          iterations: integer(1, 1000).describe('Each asks one histogram a coordinate.'),
          caution: noiseCaution,
        }),
        z.strictObject({
          kind: z.literal('isolation-forest'),
          trees: integer(1, 1000),
          height: integer(1, 16).describe('Levels of cuts; each asks one histogram a tree.'),
          caution: noiseCaution,
        }),
      ],
      { error: 'k-means, or isolation-forest' },
    ),
    ...messageFields,
  })
  .describe('Learning without labels from shuffled histograms with shuffle-dp.');

export type UnsupervisedConfig = z.output<typeof unsupervisedSchema>;

/**
 * The run of K-means or of an isolation forest that a YAML or JSON file describes.
 *
 * @param overrides fields in place of what the file says
 * @throws ConfigError in one line: file, field, value, what is allowed
 */
export function loadUnsupervisedConfig(file: string, overrides: ConfigOverrides = {}): UnsupervisedConfig {
  return parseUnsupervisedConfig(readConfigFile(file), file, overrides);
}

/** @param file the name to use in messages @throws ConfigError */
export function parseUnsupervisedConfig(
  content: string,
  file: string,
  overrides: ConfigOverrides = {},
): UnsupervisedConfig {
  const what = 'a config of unsupervised learning: fields such as name, seed, data and method';
  const config = checkDocument(content, file, unsupervisedSchema, what, { overrides });
  requireOneSweep(config, file);
  const { data, method } = config;
  if (data.kind === 'blobs' && data.users * data.dimensions > LIMITS.tableValues.most)
    throw refusal(
      file,
      ['data', 'users'],
      data.users,
      `at most ${Math.floor(LIMITS.tableValues.most / data.dimensions)} with ${data.dimensions} dimensions`,
    );
  if (data.kind === 'csv' && !(data.low < data.high))
    throw refusal(file, ['data', 'high'], data.high, `above low, ${data.low}`);
  if (method.kind === 'isolation-forest') {
    if (data.kind === 'csv' && data.outlierColumn === undefined)
      throw refusal(file, ['data', 'outlierColumn'], undefined, 'given: the forest is judged by it');
    if (data.kind === 'blobs' && data.outliers === 0)
      throw refusal(file, ['data', 'outliers'], 0, 'above 0: the forest is judged by who they are');
  }
  return config;
}
