import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { SIMULATION_PATHS, UsageError, type SimulationPath } from '@shuffle-dp/core';
import { AUDITED_MECHANISMS, MECHANISMS, mechanismCard, MOST_USERS } from '@shuffle-dp/experiments/account';
import type { AuditOptions, AuditReport, AuditSubject } from '@shuffle-dp/experiments/audit';
import { CheckFailedError } from '../exit.ts';
import {
  accounted,
  addMechanismOptions,
  flagsGiven,
  parametersOf,
  type TargetOptions,
} from '../options/mechanism-options.ts';
import { withFlagNames } from '../options/flag-names.ts';
import { integerOption, shareListOption, shareOption, textOption } from '../options/options.ts';
import { executorOf } from '../options/queue-option.ts';
import { auditJson, auditText } from '../output/audit-text.ts';
import { printJson, printText } from '../output/print.ts';
import { interruptible } from '../progress/interruption.ts';
import { stepProgress } from '../progress/step-progress.ts';
import { addWorkersOption, noticeUnless, type RunCommandOptions } from '../run-config.ts';

interface AuditCommandOptions
  extends
    TargetOptions,
    Pick<RunCommandOptions, 'workers' | 'queue' | 'out' | 'resume' | 'force' | 'json' | 'quiet'> {
  readonly users?: number;
  readonly trials: number;
  readonly confidence: number;
  readonly deltas: readonly number[];
  readonly published?: string;
  readonly simulation?: SimulationPath;
  readonly seed: string;
}

const MOST_TRIALS = 1e11;

const HELP = `
Examples:
  shuffle-dp audit grr --epsilon0 2 --domain 16 --users 1000
  shuffle-dp audit grr --epsilon0 4 --domain 4 --users 100 --deltas 1e-3 --published variation-ratio
  shuffle-dp audit examples/own-randomizer/compare.yaml --trials 20000 --out results/audit

Exit codes: 0 if no violation was found, which proves nothing; 1 if the claim is violated; 2 for bad usage.`;

export function auditCommand(): Command {
  const command = addWorkersOption(
    new Command('audit').argument(
      '<mechanism or config>',
      'one of `shuffle-dp mechanisms` for categories or numbers, or an experiment config',
    ),
  )
    .option('--users <n>', 'number of users; needed for a mechanism', integerOption(2, MOST_USERS))
    .option('--trials <n>', 'runs of both worlds together', integerOption(1000, MOST_TRIALS), 100_000)
    .option(
      '--confidence <share>',
      'probability that every measured value is a lower bound',
      shareOption,
      0.99,
    )
    .addOption(
      new Option('--deltas <list>', 'deltas, separated by commas')
        .argParser(shareListOption)
        .default([1e-2, 1e-3, 1e-4, 1e-5], '1e-2,1e-3,1e-4,1e-5'),
    )
    .option(
      '--published <bound>',
      'test the claim of a published bound, in place of the certified one',
      textOption,
    )
    .addOption(
      new Option(
        '--simulation <path>',
        "for a mechanism: draw every message, or the victim's message and counts of the others",
      ).choices(SIMULATION_PATHS),
    )
    .option('--seed <text>', 'names the random streams', textOption, 'audit')
    .option('--out <dir>', 'folder for audit.csv, audit.json and the chart', textOption)
    .addOption(new Option('--resume', 'with --out: continue an audit that was stopped').conflicts('force'))
    .option('--force', 'with --out: replace what an earlier audit left in the folder')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP);
  return addMechanismOptions(command, ({ name }) => AUDITED_MECHANISMS.includes(name)).action(
    async (asked: string, options: AuditCommandOptions) => {
      const reports = await reportsOf(asked, options);
      if (options.json) printJson(auditJson(reports, options));
      else printText(auditText(reports, options));
      const violated = reports.filter(({ verdict }) => verdict === 'violated').map(({ name }) => name);
      if (violated.length > 0)
        throw new CheckFailedError(
          `${violated.join(', ')}: exceeds ${options.published === undefined ? 'the certified epsilon' : `the claim of ${options.published}`}`,
        );
    },
  );
}

async function reportsOf(asked: string, options: AuditCommandOptions): Promise<readonly AuditReport[]> {
  const { simulation, published, users, out } = options;
  if (out === undefined && (options.resume || options.force))
    throw new UsageError(`--${options.resume ? 'resume' : 'force'} needs a folder: --out is missing`);
  const isMechanism = MECHANISMS.some(({ name }) => name === asked);
  // A name that is neither is more likely a mechanism misspelt than a file without a dot.
  const { auditConfig, auditMechanism } = await import('@shuffle-dp/experiments/audit');
  if (!isMechanism && !existsSync(asked) && !/[./\\]/u.test(asked)) mechanismCard(asked, AUDITED_MECHANISMS);
  if (isMechanism) {
    const parameters = parametersOf(asked, options);
    if (users === undefined) throw new UsageError('--users is missing: the number of users');
    return performed({ mechanism: asked, parameters, users }, options, async (audit) => [
      await accountedAudit(() => auditMechanism(asked, parameters, users, audit)),
    ]);
  }
  const [unused] = [
    ...flagsGiven(options),
    ...(users === undefined ? [] : ['--users']),
    ...(simulation === undefined ? [] : ['--simulation']),
    ...(published === undefined ? [] : ['--published']),
  ];
  if (unused !== undefined) throw new UsageError(`${unused} is not used with a config, which sets it itself`);
  const { loadConfig } = await import('@shuffle-dp/experiments/config');
  const config = loadConfig(asked);
  return performed({ config }, options, (audit) => auditConfig(config, asked, audit));
}

/** With progress and Ctrl-C; in a folder, where there is one. */
async function performed(
  subject: AuditSubject,
  options: AuditCommandOptions,
  work: (audit: AuditOptions) => Promise<readonly AuditReport[]>,
): Promise<readonly AuditReport[]> {
  const { trials, confidence, deltas, published, simulation, seed, workers, queue, quiet, out } = options;
  const { keptAudit } = await import('@shuffle-dp/experiments/audit');
  return interruptible(
    out ?? null,
    async (signal) => {
      const progress = await stepProgress(null, quiet ?? false);
      const onProgress = (done: number, total: number): void => {
        if (process.stderr.isTTY) progress.report(`trial ${done} of ${total}`, done / total);
      };
      try {
        const notice = noticeUnless(quiet);
        const execution = await executorOf({ queue }, notice);
        const audit: AuditOptions = {
          ...execution,
          trials,
          confidence,
          deltas,
          seed,
          signal,
          onProgress,
          ...(published === undefined ? {} : { published }),
          ...(simulation === undefined ? {} : { path: simulation }),
          workers,
        };
        if (out === undefined) return await work(audit);
        const folder = {
          out,
          resume: options.resume ?? false,
          force: options.force ?? false,
          command: 'audit',
          onNotice: notice,
          write: writeAudit,
        };
        return await keptAudit(subject, audit, folder, work);
      } finally {
        progress.stop();
      }
    },
    { kept: 'finished trials are' },
  );
}

async function accountedAudit(work: () => Promise<AuditReport>): Promise<AuditReport> {
  return withFlagNames(['published', 'trials'], () => accounted(work));
}

async function writeAudit(reports: readonly AuditReport[], folder: string): Promise<void> {
  const [{ auditChart, auditCsv }, { writeChartFiles }, { jsonText, makeFolder, writeFiles }] =
    await Promise.all([
      import('@shuffle-dp/experiments/audit'),
      import('@shuffle-dp/experiments/report'),
      import('@shuffle-dp/experiments/run-folder'),
    ]);
  makeFolder(folder);
  makeFolder(join(folder, 'figures'));
  writeFiles(folder, { 'audit.csv': auditCsv(reports), 'audit.json': jsonText(reports) });
  await writeChartFiles(join(folder, 'figures'), auditChart(reports));
}
