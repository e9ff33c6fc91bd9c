/** What a config of `shuffle-dp forest` may say: decision trees learnt from shuffled histograms. */
import * as z from 'zod';
import { checkDocument } from '../documents/check-document.ts';
import { refusal } from '../documents/config-error.ts';
import { columnName, integer, nonNegative, oneOf, text, unit } from '../documents/fields.ts';
import { readingFields } from '../data/csv/reading-fields.ts';
import { LIMITS } from '../documents/limits.ts';
import { readConfigFile, type ConfigOverrides } from '../config/load-config.ts';
import { messageFields, requireOneSweep, sweepHeadFields, testShare } from '../message-sweep/sweep-fields.ts';
import { ATTRIBUTE_CHOICES, USER_SAMPLES } from '@shuffle-dp/protocols';

export const forestSchema = z
  .strictObject({
    ...sweepHeadFields,
    data: z.discriminatedUnion(
      'kind',
      [
        z.strictObject({
          kind: z.literal('mixture'),
          users: integer(2, 10_000_000).describe('Users in all; some of them are kept to test on.'),
          attributes: integer(1, 1000),
          arity: integer(2, 256).default(2).describe('Values of each attribute.'),
          classes: integer(2, 256).default(2),
          patterns: integer(1, 1000).default(3).describe('Typical users of each class.'),
          clarity: unit
            .default(0.7)
            .describe('Probability that an attribute shows the value of the pattern.'),
        }),
        z.strictObject({
          kind: z.literal('csv'),
          path: text('the path of a file').describe('A table: one user a line, every column categorical.'),
          classColumn: columnName.describe('A name (the first line is then a header) or a number from 0.'),
          ...readingFields,
        }),
      ],
      { error: 'mixture, or csv with a path' },
    ),
    testShare,
    height: integer(1, 32).describe('Levels of splits.'),
    trees: integer(1, 1000).default(1),
    attributesPerTree: integer(1, 1000)
      .optional()
      .describe('Attributes that a tree may ask about; all by default.'),
    attributeChoice: oneOf(ATTRIBUTE_CHOICES).optional(),
    sample: oneOf(USER_SAMPLES)
      .optional()
      .describe(
        'Users that a tree learns from: all (default), half of them, or bootstrap: as many draws as users, with replacement.',
      ),
    minimumUsers: integer(1).optional().describe('Nodes with fewer users are not split.'),
    caution: nonNegative
      .optional()
      .describe('Standard deviations of noise that a gain must exceed to count.'),
    ...messageFields,
  })
  .describe('Decision trees from shuffled histograms with shuffle-dp.');

export type ForestConfig = z.output<typeof forestSchema>;

/**
 * The forest that a YAML or JSON file describes.
 *
 * @param overrides fields in place of what the file says
 * @throws ConfigError in one line: file, field, value, what is allowed
 */
export function loadForestConfig(file: string, overrides: ConfigOverrides = {}): ForestConfig {
  return parseForestConfig(readConfigFile(file), file, overrides);
}

/** @param file the name to use in messages @throws ConfigError */
export function parseForestConfig(
  content: string,
  file: string,
  overrides: ConfigOverrides = {},
): ForestConfig {
  const what = 'a forest config: fields such as name, seed, data and height';
  const config = checkDocument(content, file, forestSchema, what, { overrides });
  requireOneSweep(config, file);
  const { data, attributeChoice } = config;
  if (data.kind === 'mixture' && data.users * data.attributes > LIMITS.tableValues.most)
    throw refusal(
      file,
      ['data', 'users'],
      data.users,
      `at most ${Math.floor(LIMITS.tableValues.most / data.attributes)} with ${data.attributes} attributes`,
    );
  if (data.kind === 'csv' && data.header === false && typeof data.classColumn === 'string')
    throw refusal(file, ['data', 'header'], false, 'true or auto for a class column that is named');
  if (attributeChoice !== undefined && config.attributesPerTree === undefined)
    throw refusal(
      file,
      ['attributeChoice'],
      attributeChoice,
      'left out, or attributesPerTree given: without it every tree may ask all attributes',
    );
  if (data.kind === 'mixture' && config.height > data.attributes)
    throw refusal(file, ['height'], config.height, `at most the attributes, ${data.attributes}`);
  return config;
}
