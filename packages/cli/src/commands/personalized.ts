import { Command, Option } from 'commander';
import { UsageError } from '@shuffle-dp/core';
import { PERSONALIZED_MECHANISMS, type PersonalizedMechanism } from '@shuffle-dp/accounting';
import { withFlagNames } from '../options/flag-names.ts';
import { integerOption, numberOption, textOption, type OutputOptions } from '../options/options.ts';
import { personalizedJson, personalizedText } from '../output/personalized-account-text.ts';
import { addThreatOptions, THREAT_FLAGS, threatsOf, type ThreatOptions } from '../options/threat-options.ts';
import { printJson, printNote, printText } from '../output/print.ts';
import { sharpestOf, soFar } from '../progress/note-while.ts';

interface PersonalizedOptions extends ThreatOptions, OutputOptions {
  readonly budgets?: string;
  readonly users?: number;
  readonly mechanism: PersonalizedMechanism;
  readonly delta?: number;
  readonly localDelta?: number;
  readonly clip: number;
  readonly domain: number;
  readonly levels: number;
  readonly seed: string;
  readonly explain?: boolean;
}

const HELP = `
Examples:
  shuffle-dp personalized --budgets "uniform(0.05,1)" --users 10000 --mechanism clip-laplace --delta 1e-8
  shuffle-dp personalized --budgets "gaussian(0.2,1,0.05,1)" --users 10000 --mechanism gaussian --local-delta 1e-10 --delta 1e-5
  shuffle-dp personalized --budgets budgets.csv --delta 1e-6 --json

Budgets: constant(x), uniform(a,b), gaussian(mean,sd,low,high), mixture(0.9*gaussian(…),0.1*gaussian(…)).`;

export function personalizedCommand(): Command {
  return addThreatOptions(new Command('personalized'))
    .option(
      '--budgets <text>',
      'local budgets: a distribution, numbers separated by commas, or a CSV file',
      textOption,
    )
    .option('--users <n>', 'number of users', integerOption(1, 1_000_000))
    .addOption(
      new Option('--mechanism <name>', 'mechanism of every user')
        .choices(PERSONALIZED_MECHANISMS)
        .default('laplace'),
    )
    .option('--delta <delta>', 'central failure probability', numberOption)
    .option('--local-delta <delta>', 'for gaussian: its local failure probability', numberOption)
    .option('--clip <c>', 'for gaussian: width of the range of values', numberOption, 1)
    .option('--domain <d>', 'for grr: number of values', integerOption(2, 4096), 16)
    .option('--levels <k>', 'number of values that budgets are rounded down to', integerOption(1, 50), 20)
    .option('--seed <text>', 'names the random stream of the budgets', textOption, 'budgets')
    .option('--explain', 'show, for every refuted bound, a setting that exceeds it')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP)
    .action(async (options: PersonalizedOptions, command: Command) => {
      const { budgets: text, users, mechanism, delta, localDelta } = options;
      const given = (name: keyof PersonalizedOptions): boolean =>
        command.getOptionValueSource(name) !== 'default' && options[name] !== undefined;
      if (text === undefined)
        throw new UsageError("--budgets is missing: a distribution such as 'uniform(0.5,2)'");
      if (delta === undefined) throw new UsageError('--delta is missing: the central failure probability');
      if ((mechanism === 'gaussian') !== (localDelta !== undefined)) {
        throw new UsageError(
          mechanism === 'gaussian'
            ? '--local-delta is missing: Gaussian noise has a local failure probability'
            : `--local-delta is for Gaussian noise, not for ${mechanism}`,
        );
      }
      if (mechanism !== 'grr' && given('domain'))
        throw new UsageError(`--domain is for grr, not for ${mechanism}`);
      if (mechanism !== 'gaussian' && given('clip'))
        throw new UsageError(`--clip is for Gaussian noise, not for ${mechanism}, whose bounds have no unit`);
      const { BudgetError, isDistribution, personalizedStages } =
        await import('@shuffle-dp/experiments/personalized');
      const { budgetList } = await import('@shuffle-dp/experiments/personalized/budget-list');
      if (given('seed') && !isDistribution(text))
        throw new UsageError('--seed is for budgets that are drawn, not for a list or a file of them');
      let budgets: Float64Array;
      try {
        budgets = budgetList(text, users, options.seed, (line) => {
          if (!options.quiet) printNote(line);
        });
      } catch (error) {
        if (error instanceof BudgetError)
          throw new UsageError(`--budgets ${JSON.stringify(text)}: ${error.message}`);
        throw error;
      }
      const { clip, domain, levels } = options;
      const threats = threatsOf(options);
      const common = { budgets, mechanism, delta, localDelta: localDelta ?? 0, clip, domain, levels };
      const setting = { ...common, ...(threats && { threats }) };
      const names = ['delta', 'localDelta', 'clip', 'budgets', ...THREAT_FLAGS];
      const account = await withFlagNames(names, () =>
        sharpestOf(personalizedStages(setting), ({ epsilon }) => soFar({ delta }, epsilon), options),
      );
      if (options.json) printJson(personalizedJson(account));
      else printText(personalizedText(account, { explain: options.explain ?? false }));
    });
}
