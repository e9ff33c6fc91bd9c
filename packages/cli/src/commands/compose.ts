import { isDeepStrictEqual } from 'node:util';
import { Argument, Command } from 'commander';
import { UsageError } from '@shuffle-dp/core';
import {
  mechanismCard,
  MOST_ROUNDS,
  MOST_USERS,
  type ScheduledRounds,
} from '@shuffle-dp/experiments/account';
import { certificateLines, requireWritable, writeCertificate } from '../account-files.ts';
import { composedJson, composedText } from '../output/composed-account-text.ts';
import {
  accounted,
  addMechanismOptions,
  addTargetOptions,
  flagsGiven,
  parametersOf,
  targetOf,
  type TargetOptions,
} from '../options/mechanism-options.ts';
import { integerOption, textOption, type OutputOptions } from '../options/options.ts';
import { addThreatOptions, threatsOf, type ThreatOptions } from '../options/threat-options.ts';
import { printJson, printText } from '../output/print.ts';
import { sharpestOf, soFar } from '../progress/note-while.ts';

interface ComposeOptions extends TargetOptions, ThreatOptions, OutputOptions {
  readonly users?: number;
  readonly rounds?: number;
  readonly schedule?: string;
  readonly certificate?: string;
}

const HELP = `
Examples:
  shuffle-dp compose vector-rr --bits 4 --keep-probability 0.6225 --rounds 256 --users 10000 --delta 1e-6
  shuffle-dp compose variation-ratio --p inf --beta 1 --q 16 --rounds 16 --users 10000 --epsilon 0.5 --json
  shuffle-dp compose --schedule configs/schedules/tree.yaml --delta 1e-6
  shuffle-dp compose grr --epsilon0 1 --domain 16 --rounds 16 --users 10000 --delta 1e-6 --certificate rounds.json

A schedule is a list such as - { mechanism: grr, epsilon0: 1, domain: 16, users: 10000, rounds: 3 }.`;

export function composeCommand(): Command {
  const command = addThreatOptions(
    addTargetOptions(
      new Command('compose')
        .addArgument(new Argument('[mechanism]', 'one of `shuffle-dp mechanisms`'))
        .option('--rounds <k>', 'number of rounds', integerOption(1, MOST_ROUNDS))
        .option('--users <n>', 'number of users of a round', integerOption(1, MOST_USERS))
        .option('--schedule <file>', 'file with a list of rounds that differ, YAML or JSON', textOption),
    ),
  )
    .option(
      '--certificate <file>',
      "write a certificate of the blanket's upper end, for `verify` to recheck",
      textOption,
    )
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP);
  return addMechanismOptions(command).action(async (name: string | undefined, options: ComposeOptions) => {
    const target = targetOf(options);
    const { composeStages } = await import('@shuffle-dp/experiments/account');
    const schedule = await scheduleOf(name, options);
    const threats = threatsOf(options);
    const { certificate: file } = options;
    if (file !== undefined) await requireCertifiable(file, { schedule, target, threats });
    const account = await accounted(() =>
      sharpestOf(composeStages(schedule, target, threats), ({ bracket }) => soFar(target, bracket), options),
    );
    const { mechanism, parameters, users } = schedule[0]!;
    // Those of all entries, which are alike.
    const { rounds } = account;
    const certificate =
      file === undefined
        ? undefined
        : await writeCertificate(file, { name: mechanism, given: parameters, users, rounds, target });
    if (options.json) return printJson({ ...composedJson(account), ...(certificate && { certificate }) });
    const proved = { upper: account.bracket.upper, isOfBlanket: account.upperBy === 'blanket' };
    const lines = certificate ? certificateLines(certificate, target, proved) : [];
    printText([composedText(account), ...lines].join('\n'));
  });
}

interface ComposeAsked {
  readonly schedule: readonly ScheduledRounds[];
  readonly target: ReturnType<typeof targetOf>;
  readonly threats: ReturnType<typeof threatsOf>;
}

/** @throws UsageError, NoCertificateError before anything is computed */
async function requireCertifiable(file: string, { schedule, target, threats }: ComposeAsked): Promise<void> {
  requireWritable('--certificate', file);
  if (threats !== undefined)
    throw new UsageError('--certificate needs that all users take part: leave out --colluding and --dropout');
  const [first, ...others] = schedule.map(({ mechanism, parameters, users }) => [
    mechanism,
    parameters,
    users,
  ]);
  const other = others.findIndex((entry) => !isDeepStrictEqual(entry, first));
  if (other >= 0)
    throw new UsageError(
      `--certificate needs rounds that are all alike: [${other + 1}] of the schedule is not like [0]`,
    );
  const { requireCertifiableTarget } = await import('@shuffle-dp/experiments/certify');
  requireCertifiableTarget(target);
}

async function scheduleOf(name: string | undefined, options: ComposeOptions): Promise<ScheduledRounds[]> {
  if (options.schedule !== undefined) {
    if (name !== undefined || options.rounds !== undefined || options.users !== undefined)
      throw new UsageError('--schedule takes the place of a mechanism, --rounds and --users');
    const unused = flagsGiven(options)[0];
    if (unused !== undefined)
      throw new UsageError(
        `${unused} is not used with --schedule, whose rounds have parameters of their own`,
      );
    const { loadSchedule } = await import('@shuffle-dp/experiments/account/schedule-file');
    return loadSchedule(options.schedule);
  }
  if (name === undefined) throw new UsageError('a mechanism or --schedule must be given');
  const mechanism = mechanismCard(name).name;
  const parameters = parametersOf(mechanism, options);
  if (options.users === undefined) throw new UsageError('--users is missing: the number of users of a round');
  if (options.rounds === undefined) throw new UsageError('--rounds is missing: the number of rounds');
  return [{ mechanism, parameters, users: options.users, rounds: options.rounds }];
}
