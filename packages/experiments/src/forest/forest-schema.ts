/** What a config of `shuffle-dp forest` may say: decision trees learnt from shuffled histograms. */
import { z } from 'zod';
import { checkDocument } from '../config/check-document.ts';
import { ConfigError, refusal } from '../config/config-error.ts';
import {
  delta,
  integer,
  number,
  oneOf,
  positive,
  readingFields,
  runName,
  seed,
  sentence,
  swept,
  text,
} from '../config/fields.ts';
import { LIMITS } from '../config/limits.ts';
import { readConfigFile, type ConfigOverrides } from '../config/load-config.ts';
import { USER_SAMPLES } from '@shuffle-dp/protocols';

const unit = (allowed: string) => number(allowed).min(0, { error: allowed }).max(1, { error: allowed });

export const forestSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: runName,
    question: sentence.optional().describe('What the experiment asks; shown in the report.'),
    seed,
    trials: integer(1, 10_000).describe('Repetitions, each with a split of the users and noise of its own.'),
    simulation: oneOf(['aggregated', 'messages']).default('aggregated'),
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
          clarity: unit('in [0, 1]')
            .default(0.7)
            .describe('Probability that an attribute shows the value of the pattern.'),
        }),
        z.strictObject({
          kind: z.literal('csv'),
          path: text('the path of a file').describe('A table: one user a line, every column categorical.'),
          classColumn: z
            .union([text('a name'), integer(0)], { error: 'the name of a column or its number, from 0' })
            .describe('A name (the first line is then a header) or a number from 0.'),
          ...readingFields,
        }),
      ],
      { error: 'mixture, or csv with a path' },
    ),
    testShare: number('in (0, 1)')
      .gt(0, { error: 'in (0, 1)' })
      .lt(1, { error: 'in (0, 1)' })
      .default(0.2)
      .describe('Share of the users that only tests.'),
    height: integer(1, 32).describe('Levels of splits.'),
    trees: integer(1, 1000).default(1),
    attributesPerTree: integer(1, 1000)
      .optional()
      .describe('Attributes that a tree may ask; all by default.'),
    attributeChoice: oneOf(['random', 'disjoint']).optional(),
    sample: oneOf(USER_SAMPLES)
      .optional()
      .describe(
        'Users that a tree learns from: all (default), half of them, or bootstrap: as many draws as users, with replacement.',
      ),
    minimumUsers: integer(1).optional().describe('Nodes with fewer users are not split.'),
    caution: number('zero or a positive number')
      .min(0, { error: 'zero or a positive number' })
      .optional()
      .describe('Standard deviations of noise that a gain must exceed to count.'),
    messagesPerUser: swept(integer(2, 1_000_000), 'an integer of at least 2')
      .optional()
      .describe('Messages that a user sends in each round, blankets included.'),
    epsilon: swept(positive, 'a positive number')
      .optional()
      .describe('In place of messagesPerUser: central targets; the least messages that meet them are sent.'),
    privacy: z.strictObject({
      delta: delta.describe(
        'Central failure probability over all rounds; n is the number of users learnt from.',
      ),
    }),
  })
  .describe('Decision trees from shuffled histograms with shuffle-dp.');

export type ForestConfig = z.output<typeof forestSchema>;

/** @throws ConfigError */
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
  if ((config.messagesPerUser === undefined) === (config.epsilon === undefined)) {
    throw new ConfigError(`${file}: exactly one of messagesPerUser and epsilon must be given`);
  }
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
