import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import { UsageError } from '@shuffle-dp/core';
import { mechanismCard, MOST_USERS } from '@shuffle-dp/experiments/account';
import {
  accounted,
  addMechanismOptions,
  addTargetOptions,
  parametersOf,
  targetOf,
  type TargetOptions,
} from '../options/mechanism-options.ts';
import { requireWritable, writeAccountFiles, writtenLines } from '../account-files.ts';
import { integerOption, textOption, type OutputOptions } from '../options/options.ts';
import { addThreatOptions, threatsOf, type ThreatOptions } from '../options/threat-options.ts';
import { printJson, printText } from '../output/print.ts';
import { sharpestOf, soFar } from '../progress/note-while.ts';

interface AccountOptions extends TargetOptions, ThreatOptions, OutputOptions {
  readonly users?: number;
  readonly explain?: boolean;
  readonly cite?: boolean;
  readonly certificate?: string;
  readonly profile?: string;
}

const HELP = `
Examples:
  shuffle-dp account grr --epsilon0 1 --domain 16 --users 10000 --delta 1e-6
  shuffle-dp account variation-ratio --p inf --beta 1 --q 16 --users 10000 --epsilon 0.1 --json
  shuffle-dp account laplace --epsilon0 1 --users 10000 --delta 1e-6 --certificate laplace.json
  shuffle-dp account grr --epsilon0 1 --domain 16 --users 10000 --delta 1e-6 --profile profile.csv`;

export function accountCommand(): Command {
  const command = addThreatOptions(
    addTargetOptions(
      new Command('account')
        .addArgument(new Argument('<mechanism>', 'one of `shuffle-dp mechanisms`'))
        .option('--users <n>', 'number of users', integerOption(1, MOST_USERS)),
    ),
  )
    .option(
      '--explain',
      'show every bound with its verdict, its conditions, and the values that meet or break them',
    )
    .option('--cite', 'print the sources of the mechanism and the bounds as BibTeX')
    .option(
      '--certificate <file>',
      "write a certificate of the blanket's upper end, for `verify` to recheck",
      textOption,
    )
    .option(
      '--profile <file>',
      'write points of the privacy profile, each an upper bound of delta, as CSV or JSON',
      textOption,
    )
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP);
  return addMechanismOptions(command).action(async (name: string, options: AccountOptions) => {
    const given = parametersOf(mechanismCard(name).name, options);
    if (options.users === undefined) throw new UsageError('--users is missing: the number of users');
    const target = targetOf(options);
    const { accountStages, boundValue } = await import('@shuffle-dp/experiments/account');
    const { users, certificate, profile } = options;
    const threats = threatsOf(options);
    for (const [flag, file] of [
      ['--certificate', certificate],
      ['--profile', profile],
    ] as const) {
      if (file === undefined) continue;
      requireWritable(flag, file);
      if (threats !== undefined)
        throw new UsageError(`${flag} needs that all users take part: leave out --colluding and --dropout`);
    }
    if (certificate !== undefined && profile !== undefined && resolve(certificate) === resolve(profile))
      throw new UsageError(`--profile ${profile}: must be another file than --certificate`);
    if (certificate !== undefined) {
      const { requireCertifiableTarget } = await import('@shuffle-dp/experiments/certify');
      requireCertifiableTarget(target);
    }
    const account = await accounted(() =>
      sharpestOf(
        accountStages(name, given, users, target, threats),
        ({ bracket }) => soFar(target, bracket),
        options,
      ),
    );
    const written =
      certificate === undefined && profile === undefined
        ? {}
        : await writeAccountFiles({ name, given, users, target, certificate, profile });
    const shown = { explain: options.explain ?? false, cite: options.cite ?? false };
    if (options.json) {
      const { accountJson } = await import('../output/account-json.ts');
      return printJson({ ...accountJson(account, shown), ...written });
    }
    const { accountText } = await import('../output/account-text.ts');
    const { upper } = account.bracket;
    const proved = { upper, isOfBlanket: boundValue(account, 'blanket') === upper };
    const lines = writtenLines(written, target, proved);
    printText([accountText(account, shown), ...lines].join('\n'));
  });
}
