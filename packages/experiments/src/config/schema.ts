/**
 * What an experiment config may say, as one schema: it checks configs, and its JSON Schema
 * (`shuffle-dp schema`) gives editors completion. Every field says its unit; every refusal says what is
 * allowed.
 */
import * as z from 'zod';
import { SIMULATION_PATHS } from '@shuffle-dp/core';
import { dataSchema } from '../data/data-sets.ts';
import {
  delta,
  headFields,
  integer,
  nonNegative,
  oneOf,
  positive,
  swept,
  sweptPositive,
  text,
} from '../documents/fields.ts';
import { LIMITS } from '../documents/limits.ts';
import { protocolSchema } from './protocol-schema.ts';
import { threatsSchema } from './threat-schema.ts';

const userCount = z.union([integer(1, 1e12), z.literal('all')], {
  error: "an integer from 1 to 1000000000000, or 'all' for the users of a file",
});

export const POSTPROCESSING = ['none', 'clip', 'project-simplex'] as const;
export const ERROR_MEASURES = ['frequencies', 'ranges', 'mean', 'sum', 'means', 'heavy-hitters'] as const;
/** What calibrates protocols. */
export const ACCOUNTINGS = ['published', 'certified'] as const;
export const ESTIMATE_ERRORS = ['total-squared', 'per-item', 'maximum', 'total-variation'] as const;

/** Central epsilon in nats; with a failure probability of its own where that is given. */
const level = z.union([positive, z.strictObject({ epsilon: positive, delta: delta.optional() })], {
  error: 'a positive number, or { epsilon, delta }',
});

export const experimentSchema = z
  .strictObject({
    ...headFields,
    adjacency: z
      .literal('replace-one', { error: "'replace-one', the adjacency that all bounds here are proved for" })
      .describe('Which data sets are neighbours. There is no default.'),
    trials: integer(1, LIMITS.trials.most).describe('Repetitions of every cell.'),
    simulation: oneOf(SIMULATION_PATHS)
      .default('aggregated')
      .describe(
        "'messages': every message is made, shuffled and counted; 'aggregated': the counts are drawn from their distribution.",
      ),
    data: dataSchema,
    users: swept(userCount, "an integer from 1 to 1000000000000, or 'all' for the users of a file,").describe(
      'Number of users, or a list of numbers to sweep over.',
    ),
    privacy: z.strictObject({
      levels: z
        .array(level, { error: 'a list of positive numbers' })
        .min(1, { error: 'a list of at least one level' })
        .max(255, { error: 'a list of at most 255 levels' })
        .optional()
        .describe(
          'Set-valued data: central epsilons that users choose from, in nats, increasing; or { epsilon, delta } for a level with a failure probability of its own. ' +
            'Segmented and separate protocols meet the one of each level; other protocols meet the least of all.',
        ),
      shares: z
        .array(nonNegative, { error: 'a list of numbers' })
        .optional()
        .describe('Set-valued data: fraction of the users at each level; they sum to 1.'),
      epsilon: sweptPositive
        .optional()
        .describe('One target for all users: central epsilon in nats, or a list to sweep over.'),
      accounting: swept(oneOf(ACCOUNTINGS), `one of ${ACCOUNTINGS.join(', ')}`)
        .optional()
        .describe(
          "'published' (default): each protocol is calibrated by its own accounting; 'certified': each is calibrated so that the certified epsilon of each group meets its target, and only protocols that do so are ranked; a list of both runs both.",
        ),
      delta: delta.describe(
        'Central failure probability: a number in (0, 1), or an expression of n, d and s such as 0.01/n.',
      ),
    }),
    budgets: swept(text('a distribution of budgets'), 'a distribution of budgets')
      .optional()
      .describe(
        "Categories and numbers: the users' own local budgets in nats, in place of privacy.epsilon: constant(x), uniform(a,b), gaussian(mean,sd,low,high) or mixture(…); or a list to sweep over. Budgets are drawn once for all trials, and dealt anew to the users of each trial.",
      ),
    budgetLevels: integer(1, 1000)
      .optional()
      .describe('Number of values that users round their own budgets down to; default 10.'),
    threats: threatsSchema.optional(),
    protocols: z
      .array(protocolSchema, { error: 'a list of protocols' })
      .min(1, { error: 'a list of at least one protocol' })
      .describe('What is compared. A number may be a list: one cell for each value.'),
    postprocess: oneOf(POSTPROCESSING)
      .default('none')
      .describe('A biased clean-up of the estimates; appears in every row.'),
    measure: oneOf(ERROR_MEASURES)
      .optional()
      .describe(
        "What is estimated, and what the error of a trial is. Categories and sets: 'frequencies' (default), the sum of squared errors over the domain; " +
          "categories: 'ranges', the squared error of the frequency of a range of categories, in the order of their numbers, mean over all ranges; " +
          "numbers: 'mean' (default) or 'sum', its squared error; " +
          "key-value pairs: 'frequencies' (default), or 'means' of the values of each key; " +
          "vectors: 'mean' (default), the sum over the coordinates of squared errors; " +
          "places: 'frequencies' (default) of the cells of a grid, or 'mean', the squared distance of the mean place; " +
          "identifiers: 'heavy-hitters', the sum of squared errors over the most frequent ones, where a missed one counts as estimate 0.",
      ),
    top: integer(1, 2 ** 16)
      .optional()
      .describe('Identifiers: how many of the most frequent ones to find.'),
    error: oneOf(ESTIMATE_ERRORS)
      .default('total-squared')
      .describe(
        "The error by which protocols are compared. 'total-squared': the sum of squared errors over the domain; " +
          "'per-item': its mean over the domain; 'maximum': the largest absolute error; " +
          "'total-variation': half the sum of absolute errors.",
      ),
  })
  .describe('An experiment of shuffle-dp.');

/** A config whose measure is filled in. */
export type ExperimentConfig = z.output<typeof experimentSchema> & { readonly measure: ErrorMeasure };

export type Postprocessing = ExperimentConfig['postprocess'];
export type ErrorMeasure = (typeof ERROR_MEASURES)[number];
export type EstimateError = ExperimentConfig['error'];
