import { Argument, Command } from 'commander';
import { mechanismCard, MOST_ROUNDS, MOST_USERS, parameterOfTarget } from '@shuffle-dp/experiments/account';
import { UsageError, type MechanismCard, type ParameterSpec } from '@shuffle-dp/core';
import {
  accounted,
  addMechanismOptions,
  otherParametersOf,
  type TargetOptions,
} from '../options/mechanism-options.ts';
import { integerOption, numberOption, type OutputOptions } from '../options/options.ts';
import { addThreatOptions, threatsOf, type ThreatOptions } from '../options/threat-options.ts';
import { printJson, printText } from '../output/print.ts';
import { noteWhile } from '../progress/note-while.ts';

interface CalibrateOptions extends TargetOptions, ThreatOptions, OutputOptions {
  readonly users?: number;
  readonly rounds: number;
}

const HELP = `
Leave out the parameter to be found: epsilon0, or the parameter in its place (sigma, keep-probability, separation,
blankets, flip, coin, bins, q). The value found is proved to meet the target; the next step is not.

Examples:
  shuffle-dp calibrate grr --domain 16 --users 10000 --epsilon 0.5 --delta 1e-6
  shuffle-dp calibrate gaussian --users 10000 --epsilon 0.1 --delta 1e-6 --json
  shuffle-dp calibrate vector-rr --bits 4 --users 10000 --epsilon 1 --delta 1e-6 --rounds 16
  shuffle-dp calibrate grr --domain 16 --users 10000 --epsilon 0.5 --delta 1e-6 --colluding 0.1 --dropout 0.2`;

export function calibrateCommand(): Command {
  const command = new Command('calibrate')
    .addArgument(new Argument('<mechanism>', 'one of `shuffle-dp mechanisms`'))
    .option('--users <n>', 'number of users', integerOption(1, MOST_USERS))
    .option('--epsilon <epsilon>', 'central epsilon in nats, the target', numberOption)
    .option('--delta <delta>', 'central failure probability', numberOption)
    .option('--rounds <k>', 'number of rounds; all users send in each', integerOption(1, MOST_ROUNDS), 1)
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP);
  return addMechanismOptions(addThreatOptions(command), isGiven).action(
    async (name: string, options: CalibrateOptions) => {
      const card = mechanismCard(name);
      const given = otherParametersOf(card, parameterOfTarget(card), options);
      const { users, epsilon, delta, rounds } = options;
      if (users === undefined) throw new UsageError('--users is missing: the number of users');
      if (epsilon === undefined) throw new UsageError('--epsilon is missing: the target, a central epsilon');
      if (delta === undefined) throw new UsageError('--delta is missing: the central failure probability');
      const { calibrateMechanism } = await import('@shuffle-dp/experiments/account');
      const { calibrationJson, calibrationText } = await import('../output/calibration-text.ts');
      const threats = threatsOf(options);
      const target = { users, epsilon, delta, rounds, ...(threats && { threats }) };
      const note = `calibrating ${name} …`;
      const found = await noteWhile(note, options, () =>
        accounted(() => calibrateMechanism(name, given, target)),
      );
      if (options.json) printJson(calibrationJson(found));
      else printText(calibrationText(found));
    },
  );
}

/** All but what is looked for, of mechanisms where something is. */
function isGiven({ parameters }: MechanismCard, { setByTarget }: ParameterSpec): boolean {
  return setByTarget === undefined && parameters.some((spec) => spec.setByTarget !== undefined);
}
