/**
 * What an experiment config may say, as one schema: it checks configs, and its JSON Schema (`shuffle-dp schema`) gives
 * editors completion. Every field says its unit; every refusal says what is allowed.
 */
import { z } from 'zod';
import {
  delta,
  integer,
  number,
  oneOf,
  positive,
  runName,
  seed,
  swept,
  sweptPositive,
  text,
} from './fields.ts';

const LARGEST_SET_DOMAIN = 65_535;
const domain = integer(2).describe('Number of items or categories that exist.');
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

export const PADDINGS = ['fill', 'dummy', 'truncate'] as const;
const padding = oneOf(PADDINGS)
  .default('fill')
  .describe(
    "How users get exactly `items` items. Users with more keep a random choice. 'fill': missing ones are drawn from the items they do not hold; " +
      "'dummy': missing ones are added items of the domain; 'truncate': only users who hold enough take part.",
  );

const dataSchema = z.discriminatedUnion(
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
      separator: text('a character').default(',').describe('What stands between the items of a line.'),
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
        .describe('A name (the first line is then a header) or a number from 0 (then there is no header).'),
    }),
  ],
  { error: 'a data set: see `shuffle-dp datasets`' },
);

const success = 'a number from 0.01 to below 1';
const blanketFields = {
  blankets: oneOf(['paper', 'poisson', 'negative-binomial'])
    .optional()
    .describe('How the blanket messages of a user are counted out.'),
  successProbability: swept(number(success).min(0.01, { error: success }).lt(1, { error: success }), success)
    .optional()
    .describe(
      "Of negative-binomial blankets, default 0.5: the variance of an item's blankets is their mean over this.",
    ),
};
const setAccounting = oneOf(['group', 'original', 'exact']);
const label = text('a name').optional().describe("Name in tables and charts; the protocol's own by default.");
const histogramFields = {
  label,
  accounting: oneOf(['blanket', 'variation-ratio']).optional(),
  blanketRate: sweptPositive
    .optional()
    .describe('Blanket messages of a user on average; by default the fewest that meet privacy.epsilon.'),
};
const openUnit = (allowed: string, most: number) =>
  swept(number(allowed).gt(0, { error: allowed }).lt(most, { error: allowed }), allowed).optional();
const subsetSize = swept(integer(1), 'an integer of at least 1').optional().describe('Items in a message.');
const hashRange = swept(integer(2), 'an integer of at least 2').optional();

const protocolSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('segmented'),
      label,
      blanketRate: swept(
        z.union([positive, z.literal('optimal')], { error: "a positive number or 'optimal'" }),
        "a positive number, 'optimal'",
      )
        .optional()
        .describe("Expected blanket messages of a user; 'optimal' (default) minimises the error bound."),
      ...blanketFields,
      accounting: oneOf(['published', 'exact']).optional(),
      levelEpsilon: sweptPositive.optional().describe('Central epsilon (nats) for the choices of level.'),
    }),
    z.strictObject({
      kind: z.literal('subexp-local'),
      label,
      epsilon0: sweptPositive.optional().describe('Local budget in nats; default the largest level.'),
      subsetSize,
    }),
    z.strictObject({
      kind: z.literal('subexp-shuffled'),
      label,
      epsilon: sweptPositive.optional().describe('Central target in nats; default the smallest level.'),
      accounting: oneOf(['variation-ratio', 'blanket']).optional(),
      subsetSize,
    }),
    z.strictObject({
      kind: z.literal('balls-into-bins'),
      label,
      epsilon: sweptPositive.optional().describe('Central target in nats; default the smallest level.'),
      accounting: setAccounting.optional(),
      ...blanketFields,
    }),
    z.strictObject({
      kind: z.literal('sep-mm'),
      label,
      accounting: setAccounting.optional(),
      ...blanketFields,
    }),
    z.strictObject({
      kind: z.literal('weighted-sep-mm'),
      label,
      weights: oneOf(['square-root', 'inverse']).optional(),
      accounting: setAccounting.optional(),
      ...blanketFields,
    }),
    z.strictObject({
      kind: z.literal('frequency'),
      label,
      randomizer: swept(
        oneOf(['grr', 'binary-rr', 'oue', 'subset', 'local-hash', 'hadamard']),
        'one of grr, binary-rr, oue, subset, local-hash, hadamard',
      ),
      epsilon0: sweptPositive
        .optional()
        .describe('Local budget in nats; by default the largest that meets privacy.epsilon.'),
      accounting: oneOf(['blanket', 'variation-ratio']).optional(),
      subsetSize,
      hashRange,
    }),
    z.strictObject({
      kind: z.literal('own-randomizer'),
      label,
      module: text('the path of a JavaScript module').describe(
        'Its default export makes a frequency oracle from { domain, epsilon0, …options }; relative to the config.',
      ),
      options: z
        .record(z.string(), number('a number'), { error: 'names with numbers' })
        .optional()
        .describe('Further parameters of the randomizer.'),
      epsilon0: sweptPositive
        .optional()
        .describe('Local budget in nats; by default the largest that meets privacy.epsilon.'),
      accounting: oneOf(['blanket', 'variation-ratio']).optional(),
    }),
    z.strictObject({
      kind: z.literal('range-queries'),
      label,
      branching: swept(integer(2), 'an integer of at least 2')
        .optional()
        .describe('Children of a node of the hierarchy; default 2.'),
      epsilon0: sweptPositive
        .optional()
        .describe('Local budget in nats; by default the largest that meets privacy.epsilon.'),
      accounting: oneOf(['blanket', 'variation-ratio']).optional(),
    }),
    z.strictObject({ kind: z.literal('pure-dump'), ...histogramFields }),
    z.strictObject({
      kind: z.literal('mix-dump'),
      ...histogramFields,
      flip: openUnit('in (0, 1)', 1).describe('Probability that a data message leaves its bin; default 0.1.'),
    }),
    z.strictObject({
      kind: z.literal('balls-into-bins-histogram'),
      ...histogramFields,
      hashRange: hashRange.describe('Buckets, a prime; default the prime nearest to the domain, up to 101.'),
    }),
    z.strictObject({
      kind: z.literal('cheu-zhilyaev'),
      ...histogramFields,
      flip: openUnit('in (0, 1/2)', 0.5).describe(
        'Probability that a bit is flipped; by default the least that meets privacy.epsilon, with one blanket row per user.',
      ),
    }),
    z.strictObject({
      kind: z.literal('balcer-cheu'),
      ...histogramFields,
      coin: openUnit('in (0, 1)', 1).describe('Probability that a blanket message is 1; default 1/2.'),
    }),
  ],
  { error: 'a protocol' },
);

const userCount = z.union([integer(1, 1e12), z.literal('all')], {
  error: "an integer from 1 to 1000000000000, or 'all' for the users of a file",
});

export const POSTPROCESSING = ['none', 'clip', 'project-simplex'] as const;
export const ERROR_MEASURES = ['frequencies', 'ranges'] as const;

export const experimentSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: runName,
    question: text('a sentence').optional().describe('What the experiment asks; shown in the report.'),
    seed,
    adjacency: z
      .literal('replace-one', { error: "'replace-one', the adjacency that all bounds here are proved for" })
      .describe('Which data sets are neighbours. There is no default.'),
    trials: integer(1, 10_000_000).describe('Repetitions of every cell.'),
    simulation: oneOf(['aggregated', 'messages'])
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
        .array(positive, { error: 'a list of positive numbers' })
        .min(1, { error: 'a list of at least one level' })
        .max(255, { error: 'a list of at most 255 levels' })
        .optional()
        .describe('Set-valued data: central epsilons that users choose from, in nats, increasing.'),
      shares: z
        .array(number('zero or a positive number').min(0, { error: 'zero or a positive number' }), {
          error: 'a list of numbers',
        })
        .optional()
        .describe('Set-valued data: fraction of the users at each level; they sum to 1.'),
      epsilon: sweptPositive
        .optional()
        .describe('Categories: central target in nats, or a list to sweep over.'),
      delta: delta.describe(
        'Central failure probability: a number in (0, 1), or an expression of n, d and s such as 0.01/n.',
      ),
    }),
    protocols: z
      .array(protocolSchema, { error: 'a list of protocols' })
      .min(1, { error: 'a list of at least one protocol' })
      .describe('What is compared. A number may be a list: one cell for each value.'),
    postprocess: oneOf(POSTPROCESSING)
      .default('none')
      .describe('A biased clean-up of the estimates; appears in every row.'),
    measure: oneOf(ERROR_MEASURES)
      .default('frequencies')
      .describe(
        "What the error of a trial is. 'frequencies': the sum of squared errors over the domain; " +
          "'ranges': the squared error of the frequency of a range of categories, in the order of their numbers, mean over all ranges.",
      ),
  })
  .describe('An experiment of shuffle-dp.');

export type ExperimentConfig = z.output<typeof experimentSchema>;
export type DataConfig = ExperimentConfig['data'];
export type Postprocessing = ExperimentConfig['postprocess'];
export type ErrorMeasure = ExperimentConfig['measure'];
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
