/**
 * Frequencies by randomized response with budgets of the users' own. All messages are shuffled together and
 * show no budget, so that the estimate is of the average user: the counts less what all users are sure to
 * give, over the mean of what a holder adds to them. Budgets are dealt to users whatever they hold; where
 * these differ by what users hold, the estimate is biased.
 */
import { ParameterError, type FrequencyOracle } from '@shuffle-dp/core';
import { frequencyOracle, type SingleMessageFrequencySpec } from './named-oracle.ts';
import { expectedRangeError, spreadOverRanges } from './range-error.ts';
import type { ShuffledOracleParameters } from './shuffled-oracle.ts';
import { categoriesOf, checkCategoricalSetting, checkData, type CategoricalSetting } from '../setting.ts';
import { jointPaths, type FrequencyProtocol } from '../shuffle-protocol.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';
import { checkBudgets, dealtCounts, dealtValues } from '../personalized/assigned-levels.ts';
import type { BudgetLevel } from '../personalized/budget-groups.ts';
import { budgetParameters, personalStatements } from '../personalized/personal-privacy.ts';

/** Whose randomizers the accountant knows. */
export const PERSONAL_CATEGORY_RANDOMIZERS: readonly string[] = ['grr'];

/**
 * @throws ParameterError for other randomizers, a spec that fixes the budget, and budgets of more or fewer
 * users
 */
export function personalFrequency(
  spec: SingleMessageFrequencySpec,
  setting: CategoricalSetting & { readonly budgets: readonly BudgetLevel[] },
): FrequencyProtocol<ShuffledOracleParameters> {
  checkCategoricalSetting(setting);
  const { users, domain, delta } = setting;
  const levels = checkBudgets(setting.budgets, users);
  if (!PERSONAL_CATEGORY_RANDOMIZERS.includes(spec.randomizer))
    throw new ParameterError(
      'randomizer',
      spec.randomizer,
      `one of ${PERSONAL_CATEGORY_RANDOMIZERS.join(', ')} for users with budgets of their own`,
    );
  if (spec.epsilon0 !== undefined)
    throw new ParameterError('epsilon0', spec.epsilon0, 'left out for users with budgets of their own');
  const { accounting = 'sharpest' } = spec;
  if (accounting === 'variation-ratio')
    throw new ParameterError(
      'accounting',
      accounting,
      "'sharpest' or 'blanket' for users with budgets of their own",
    );
  const oracles = levels.map(({ budget }) => frequencyOracle(spec, domain, budget));
  const [first] = oracles as [FrequencyOracle, ...FrequencyOracle[]];
  const meanOf = (term: (oracle: FrequencyOracle) => number): number =>
    oracles.reduce((sum, oracle, t) => sum + (levels[t]!.users / users) * term(oracle), 0);
  const gapOf = ({ supportProbability: { own, other } }: FrequencyOracle): number => own - other;
  const others = meanOf(({ supportProbability }) => supportProbability.other);
  const gap = meanOf(gapOf);
  const coin = (probability: number): number => probability * (1 - probability);
  const ownSpread = meanOf(({ supportProbability }) => coin(supportProbability.own));
  const otherSpread = meanOf(({ supportProbability }) => coin(supportProbability.other));
  const gapSpread = meanOf((oracle) => (gapOf(oracle) - gap) ** 2);
  const estimate = (counts: Float64Array): Float64Array =>
    counts.map((count) => (count / users - others) / gap);

  return Object.freeze({
    kind: 'frequency',
    name: 'Randomized response, own budgets',
    description: "One message per user, randomized with the user's own budget; all are shuffled together.",
    parameters: Object.freeze({
      randomizer: spec.randomizer,
      accounting,
      ...budgetParameters(levels),
    }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: jointPaths(first),
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      if (path === 'aggregated') {
        const counts = new Float64Array(domain);
        const held = dealtCounts(data.histogram, levels, stream.fork('budgets'));
        const own = stream.fork('counts');
        oracles.forEach((oracle, t) =>
          oracle.sampleSupportCounts(held[t]!, own).forEach((count, v) => (counts[v]! += count)),
        );
        return estimate(counts);
      }
      const held = categoriesOf(data, path);
      const messages = first.allocate(users);
      const sent = stream.fork('messages');
      let start = 0;
      dealtValues(held, levels, stream.fork('budgets')).forEach((values, t) => {
        const part = oracles[t]!.allocate(values.length);
        oracles[t]!.randomizeInto(values, part, sent);
        for (const [name, column] of Object.entries(part.columns))
          messages.columns[name]!.set(column.subarray(0, values.length), start);
        start += values.length;
      });
      messages.count = users;
      const shuffled = shuffleWithTrace('data messages', messages, stream, trace);
      return estimate(first.supportCounts(shuffled));
    },
    ...personalStatements(levels, { kind: 'grr', domain }, delta),
    // Given the data: the coins of every user, and which of them have which budget.
    expectedError: (data) => {
      checkData(data, setting);
      let variance = 0;
      for (const holders of data.histogram) {
        variance += holders * ownSpread + (users - holders) * otherSpread;
        if (users > 1) variance += (gapSpread * holders * (users - holders)) / (users - 1);
      }
      return variance / (users * gap) ** 2;
    },
    expectedRangeError: (data) => {
      checkData(data, setting);
      const { histogram } = data;
      const coins = meanOf((oracle) => {
        const { supports, supportProbability } = oracle;
        return (
          (gapOf(oracle) / gap) ** 2 *
          expectedRangeError({ supports: supports!, ...supportProbability }, histogram, users)
        );
      });
      if (users === 1) return coins;
      const dealt = spreadOverRanges(histogram.map((holders) => holders / users));
      return coins + (gapSpread * dealt) / ((users - 1) * gap * gap);
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: first.bitsPerMessage }),
  } satisfies FrequencyProtocol<ShuffledOracleParameters>);
}
