/**
 * A program with one more randomizer, protocol, bound and data set: their cards stand here, and their lines
 * are added to the registries before anything reads them. Prints what the rest of the program then knows of
 * them.
 */
import type { DataConfig } from '../../../experiments/src/data/data-sets.ts';
import { publishedBounds, type PublishedBound } from '@shuffle-dp/accounting';
import {
  EPSILON0,
  domainUpTo,
  modelOf,
  RandomStream,
  type CategoryCard,
  type Given,
  type MechanismCard,
} from '@shuffle-dp/core';
import type { ProtocolCard } from '@shuffle-dp/protocols';
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
  ratios: null,
  estimator: 'that of randomized response',
  example: { epsilon0: 1, domain: 4 },
  make,
  model: (given: Given<'epsilon0' | 'domain'>) => modelOf(make(given), given),
};

(CATEGORY_RANDOMIZERS as CategoryCard[]).push(HALF_GRR);
(RANDOMIZERS as MechanismCard[]).push(HALF_GRR);

/** The local budget itself: no shuffled epsilon is larger. */
(publishedBounds as PublishedBound[]).push({
  name: 'local-budget',
  direction: 'upper',
  source: 'this test',
  citation: 'kairouz2016',
  verdict: () => ({ sound: true }),
  at: ({ epsilon0 }) => ({ value: epsilon0, conditions: [] }),
});

// Its choices are the randomizers that are known by now.
const { FREQUENCY_PROTOCOLS } = await import('@shuffle-dp/protocols');
type FrequencyCard = (typeof FREQUENCY_PROTOCOLS)[number];
const plainFrequency = FREQUENCY_PROTOCOLS.find(({ kind }) => kind === 'frequency')!;
const FIXED_FREQUENCY: ProtocolCard<
  { readonly kind: 'fixed-frequency'; readonly epsilon0: number },
  Parameters<FrequencyCard['create']>[1],
  ReturnType<FrequencyCard['create']>
> = {
  ...plainFrequency,
  kind: 'fixed-frequency',
  title: 'Randomized response, chosen for you',
  fields: plainFrequency.fields.filter(({ name }) => name === 'epsilon0'),
  create: (spec, setting) =>
    plainFrequency.create({ kind: 'frequency', randomizer: 'grr', epsilon0: spec.epsilon0 }, setting),
};
(FREQUENCY_PROTOCOLS as unknown[]).push(FIXED_FREQUENCY);

const { DATA_SETS } = await import('@shuffle-dp/experiments/data');
const { categoryDataCard } = await import('../../../experiments/src/data/data-set-card.ts');
const { domain } = await import('../../../experiments/src/data/data-fields.ts');
const { syntheticCategories } = await import('../../../experiments/src/data/sources/category-source.ts');
(DATA_SETS as unknown as unknown[]).push(
  categoryDataCard({
    kind: 'categories-steep',
    description: 'Each category has an eighth of what the one before it has, about.',
    fields: { domain },
    open: (drawn) => syntheticCategories({ kind: 'zipf', exponent: 3 }, drawn.domain),
  }),
);

const { accountMechanism } = await import('@shuffle-dp/experiments/account');
const { experimentSchema, jsonSchemaOf, parseConfig } = await import('@shuffle-dp/experiments/config');
const { planExperiment } = await import('../../../experiments/src/cells/plan-experiment.ts');
const { openDataSource } = await import('../../../experiments/src/data/data-sets.ts');
const { cellProtocol } = await import('../../../experiments/src/trials/cell-protocol.ts');
const { mechanismSections } = await import('../../src/docs/mechanisms-page.ts');

function refusalOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const plainConfig = `
name: half
seed: 1
adjacency: replace-one
trials: 2
data: { kind: categories-zipf, domain: 8, exponent: 1 }
users: 500
privacy: { delta: 1e-6 }
protocols: [{ kind: frequency, randomizer: half-grr, epsilon0: 2 }, { kind: fixed-frequency, epsilon0: 1 }]
`;
const config = parseConfig(plainConfig, 'half.yaml');
const steepConfig = plainConfig.replace(
  'categories-zipf, domain: 8, exponent: 1',
  'categories-steep, domain: 8',
);
const steep = parseConfig(steepConfig, 'steep.yaml');
const steepSource = openDataSource(steep.data as DataConfig<'categories'>, null);
const drawn = steepSource.draw(500, 'aggregated', RandomStream.fromSeed('steep'));
const [cell, fixed] = planExperiment(config, 'half.yaml').cells;

process.stdout.write(
  JSON.stringify({
    half: accountMechanism('half-grr', { epsilon0: 2, domain: 8 }, 1000, { delta: 1e-6 }).bracket,
    plain: accountMechanism('grr', { epsilon0: 1, domain: 8 }, 1000, { delta: 1e-6 }).bracket,
    refusal: refusalOf(() => accountMechanism('half-grr', { epsilon0: 2, domain: 5000 }, 10, { delta: 0.1 })),
    protocol: cellProtocol(cell!).describe().name,
    fixedProtocol: cellProtocol(fixed!).describe().parameters,
    bounds: accountMechanism('grr', { epsilon0: 1, domain: 8 }, 1000, { delta: 1e-6 }).bounds.filter(
      ({ name }) => name === 'local-budget',
    ),
    dataOfPlan: planExperiment(steep, 'steep.yaml').cells[0]!.data,
    dataDrawn: drawn,
    dataRefusal: refusalOf(() => parseConfig(steepConfig.replace('domain: 8', 'domain: 1'), 'steep.yaml')),
    dataInSchema: JSON.stringify(jsonSchemaOf(experimentSchema, 'experiment')).includes('categories-steep'),
    inSchema: JSON.stringify(jsonSchemaOf(experimentSchema, 'experiment')).includes('half-grr'),
    protocolInSchema: JSON.stringify(jsonSchemaOf(experimentSchema, 'experiment')).includes(
      'fixed-frequency',
    ),
    onPage: mechanismSections().join('\n').includes('## `half-grr`: Randomized response at half the budget'),
  }),
);
