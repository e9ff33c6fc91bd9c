/**
 * A program in which randomized response at half the budget is one more randomizer: its card stands here, and its line is added to the
 * registry before anything reads it. Prints what the rest of the program then knows of it.
 */
import {
  EACH_USER,
  EPSILON0,
  domainUpTo,
  modelOf,
  type CategoryCard,
  type Given,
  type MechanismCard,
} from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS, generalizedRandomizedResponse, RANDOMIZERS } from '@shuffle-dp/randomizers';

const make = ({ epsilon0, domain }: Given<'epsilon0' | 'domain'>) =>
  generalizedRandomizedResponse({ epsilon0: epsilon0 / 2, domain });

const HALF_GRR: CategoryCard = {
  name: 'half-grr',
  title: 'Randomized response at half the budget',
  holds: 'a category',
  description: 'As generalized randomized response, with half of the budget.',
  source: 'this test',
  citation: 'kairouz2016',
  parameters: [EPSILON0, domainUpTo(2 ** 10)],
  options: [],
  usersMean: EACH_USER,
  ratios: null,
  estimator: 'that of randomized response',
  example: { epsilon0: 1, domain: 4 },
  make,
  model: (given: Given<'epsilon0' | 'domain'>) => modelOf(make(given), given),
};

(CATEGORY_RANDOMIZERS as CategoryCard[]).push(HALF_GRR);
(RANDOMIZERS as MechanismCard[]).push(HALF_GRR);

const { accountMechanism } = await import('@shuffle-dp/experiments/account');
const { experimentSchema, jsonSchemaOf, parseConfig } = await import('@shuffle-dp/experiments/config');
const { planExperiment } = await import('../../../experiments/src/run/plan-experiment.ts');
const { cellProtocol } = await import('../../../experiments/src/run/cell-protocol.ts');
const { mechanismsPage } = await import('../../src/docs/mechanisms-page.ts');

function refusal(): string {
  try {
    accountMechanism('half-grr', { epsilon0: 2, domain: 5000 }, 10, { delta: 0.1 });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const config = parseConfig(
  `
name: half
seed: 1
adjacency: replace-one
trials: 2
data: { kind: categories-zipf, domain: 8, exponent: 1 }
users: 500
privacy: { delta: 1e-6 }
protocols: [{ kind: frequency, randomizer: half-grr, epsilon0: 2 }]
`,
  'half.yaml',
);
const [cell] = planExperiment(config, 'half.yaml').cells;

process.stdout.write(
  JSON.stringify({
    half: accountMechanism('half-grr', { epsilon0: 2, domain: 8 }, 1000, { delta: 1e-6 }).bracket,
    plain: accountMechanism('grr', { epsilon0: 1, domain: 8 }, 1000, { delta: 1e-6 }).bracket,
    refusal: refusal(),
    protocol: cellProtocol(cell!).describe().name,
    inSchema: JSON.stringify(jsonSchemaOf(experimentSchema, 'experiment')).includes('half-grr'),
    onPage: mechanismsPage().includes('## `half-grr`: Randomized response at half the budget'),
  }),
);
