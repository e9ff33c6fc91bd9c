/**
 * A program with one more randomizer, protocol and bound: their cards stand here, and their lines are added to the registries before
 * anything reads them. Prints what the rest of the program then knows of them.
 */
import { publishedBounds, type PublishedBound } from '@shuffle-dp/accounting';
import {
  EACH_USER,
  EPSILON0,
  domainUpTo,
  modelOf,
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
  usersMean: EACH_USER,
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
protocols: [{ kind: frequency, randomizer: half-grr, epsilon0: 2 }, { kind: fixed-frequency, epsilon0: 1 }]
`,
  'half.yaml',
);
const [cell, fixed] = planExperiment(config, 'half.yaml').cells;

process.stdout.write(
  JSON.stringify({
    half: accountMechanism('half-grr', { epsilon0: 2, domain: 8 }, 1000, { delta: 1e-6 }).bracket,
    plain: accountMechanism('grr', { epsilon0: 1, domain: 8 }, 1000, { delta: 1e-6 }).bracket,
    refusal: refusal(),
    protocol: cellProtocol(cell!).describe().name,
    fixedProtocol: cellProtocol(fixed!).describe().parameters,
    bounds: accountMechanism('grr', { epsilon0: 1, domain: 8 }, 1000, { delta: 1e-6 }).bounds.filter(
      ({ name }) => name === 'local-budget',
    ),
    inSchema: JSON.stringify(jsonSchemaOf(experimentSchema, 'experiment')).includes('half-grr'),
    protocolInSchema: JSON.stringify(jsonSchemaOf(experimentSchema, 'experiment')).includes(
      'fixed-frequency',
    ),
    onPage: mechanismsPage().includes('## `half-grr`: Randomized response at half the budget'),
  }),
);
