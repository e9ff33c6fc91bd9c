/** What all commands that run a config share: options, progress, and the run itself. */
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { onDemand } from '@shuffle-dp/core';
import { withoutControls } from '@shuffle-dp/experiments/words';
import { type ConfigOverrides, type ExperimentConfig, LIMITS } from '@shuffle-dp/experiments/config';
import type { RunViews } from '@shuffle-dp/experiments/report';
import type { RunResult } from '@shuffle-dp/experiments/results';
import type { JournalledRunOptions, Shard } from '@shuffle-dp/experiments/run-folder';
import type { Executor } from '@shuffle-dp/experiments/pool';
import type { ShardRun } from '@shuffle-dp/experiments/run';
import { interruptible } from './progress/interruption.ts';
import { printJson, printNote, printText } from './output/print.ts';
import { cacheFolder } from './options/cache-folder.ts';
import { integerOption, textOption, type OutputOptions } from './options/options.ts';
import { addQueueOption, executorOf } from './options/queue-option.ts';
import { fileWord, shellWord } from './options/shell-word.ts';
import { progressReporter, type ProgressReporter } from './progress/progress.ts';

export interface RunCommandOptions extends OutputOptions {
  readonly out?: string;
  readonly trials?: number;
  readonly seed?: string;
  readonly certified?: boolean;
  readonly set?: readonly string[];
  readonly dryRun?: boolean;
  readonly workers?: number;
  readonly queue?: string;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly keepTrials?: boolean;
  readonly trace?: boolean;
  /** False for --no-report. */
  readonly report?: boolean;
  /** False for --no-truth. */
  readonly truth?: boolean;
  /** False for --no-cache. */
  readonly cache?: boolean;
  /** No flag: how to go on with a run that another command began; default with --resume. */
  readonly goOn?: string;
}

/** What every command takes that runs a config. `what`: the kind of config. */
export function addConfigOptions(command: Command, what: string): Command {
  return command
    .argument('<config>', `${what}, YAML or JSON`)
    .option('--out <dir>', 'folder for the results (default: results/<name>)', textOption)
    .option(
      '--trials <n>',
      "number of trials, in place of the config's",
      integerOption(1, LIMITS.trials.most),
    )
    .option('--seed <text>', "seed, in place of the config's", textOption)
    .addOption(new Option('--resume', 'continue a run that was stopped').conflicts('force'))
    .option('--force', 'replace what an earlier run left in the folder')
    .option('--no-report', 'leave out report.html and figures')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress');
}

/** @param usual how many there are unless given */
export function addWorkersOption(command: Command, usual = 'one per core'): Command {
  return addQueueOption(
    command.option(
      '--workers <n>',
      `worker threads; 0 works in the main thread (default: ${usual})`,
      integerOption(0, 1024),
    ),
  );
}

export function addRunOptions(command: Command): Command {
  const usual = 'one per core, or 0 where all trials take about a second';
  return addWorkersOption(addConfigOptions(command, 'experiment config'), usual)
    .option('--keep-trials', 'write trials.csv, one row per trial')
    .option(
      '--certified',
      'calibrate every protocol so that the certified epsilon of each group meets its target, and rank only protocols that do so',
    )
    .option(
      '--set <path=value>',
      'replace a field of the config, as in privacy.epsilon=0.5; repeatable',
      (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
    )
    .option('--no-cache', 'compute the privacy of every cell anew, and store nothing for later runs')
    .addOption(
      new Option(
        '--dry-run',
        'list the cells that would run and the expected time; write no results',
      ).conflicts(['shard', 'resume', 'queue']),
    );
}

/** What the command line says in place of the config. */
export function overridesOf({ trials, seed, certified, set }: RunCommandOptions): ConfigOverrides {
  return { trials, seed, accounting: certified ? 'certified' : undefined, set };
}

/** Prints what would run. */
export async function printDryRun(configFile: string, options: RunCommandOptions): Promise<void> {
  const [{ loadConfig }, { dryRun }, { dryRunJson, dryRunText }] = await Promise.all([
    import('@shuffle-dp/experiments/config'),
    import('@shuffle-dp/experiments/run'),
    import('./output/dry-run-text.ts'),
  ]);
  const result = await dryRun(loadConfig(configFile, overridesOf(options)), configFile, {
    workers: options.workers,
    keptAccounts: keptAccountsOf(options),
  });
  if (options.json) printJson(dryRunJson(result));
  else printText(dryRunText(result));
}

export interface FinishedRun {
  readonly run: RunResult;
  /** As the user would name it. */
  readonly out: string;
}

export async function runConfig(configFile: string, options: RunCommandOptions): Promise<FinishedRun> {
  const { config, out, execute } = await prepareRun(configFile, options);
  const { runExperiment } = await import('@shuffle-dp/experiments/run');
  const report = onDemand(() => import('@shuffle-dp/experiments/report'));
  const run = await execute((shared) => {
    const running = runExperiment(config, configFile, {
      ...shared,
      write: async (result, folder) => (await report()).writeResults(result, folder, viewsOf(options)),
      trace: options.trace,
    });
    // What writes and draws takes some tenths of a second to load: here while threads work, unless the config
    // is refused at once. Where that fails, writing says so.
    let isRefused = false;
    running.catch(() => (isRefused = true));
    setImmediate(() => {
      if (isRefused) return;
      report().catch(() => {});
      if (viewsOf(options).report) import('@shuffle-dp/experiments/charts').catch(() => {});
    });
    return running;
  });
  return { run, out };
}

export interface FinishedShard {
  readonly run: ShardRun;
  readonly out: string;
  /** What joins the shards when all of them are done. */
  readonly merge: string;
}

/** As `runConfig` for one shard, by default in a folder of its own beside that of the whole run. */
export async function runConfigShard(
  configFile: string,
  shard: Shard,
  options: RunCommandOptions,
): Promise<FinishedShard> {
  const { index, count } = shard;
  const { config, out, whole, execute } = await prepareRun(
    configFile,
    options,
    `-shard-${index}-of-${count}`,
  );
  const { runShard } = await import('@shuffle-dp/experiments/run');
  const run = await execute((shared) => runShard(config, configFile, { ...shared, shard }));
  const folders = options.out === undefined ? `${whole}-shard-*-of-${count}` : '<folders of all shards>';
  return { run, out, merge: `shuffle-dp merge ${folders} --out ${whole}` };
}

interface PreparedRun {
  readonly config: ExperimentConfig;
  /** The folder as the user would name it, and that of the whole run by default. */
  readonly out: string;
  readonly whole: string;
  /** Interruptible, with progress on the terminal. */
  execute<Result>(
    work: (shared: SharedRunOptions<ProgressReporter['update']>) => Promise<Result>,
  ): Promise<Result>;
}

async function prepareRun(
  configFile: string,
  options: RunCommandOptions,
  folderSuffix = '',
): Promise<PreparedRun> {
  const { loadConfig } = await import('@shuffle-dp/experiments/config');
  const overrides = overridesOf(options);
  const config = loadConfig(configFile, overrides);
  const whole = join('results', config.name);
  const out = options.out ?? `${whole}${folderSuffix}`;
  const progress = await progressReporter(options.quiet ?? false);
  const repeated = repeatingCommand('run', configFile, overrides, options.truth);
  return { config, out, whole, execute: (work) => executed(out, repeated, options, progress, work) };
}

/** What every run is given by the command line, whatever its kind; `Update` takes its progress. */
export interface SharedRunOptions<Update> extends Omit<JournalledRunOptions<never>, 'write'> {
  readonly workers?: number | undefined;
  readonly executor?: Executor;
  /** Folder of accounts that runs share. */
  readonly keptAccounts?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: Update;
}

/** Runs `work`, which Ctrl-C interrupts, with progress on the terminal that ends with it. */
export function executed<Result, Update>(
  out: string,
  command: string,
  options: RunCommandOptions,
  progress: { readonly update: Update; stop(): void },
  work: (shared: SharedRunOptions<Update>) => Promise<Result>,
): Promise<Result> {
  const onNotice = noticeUnless(options.quiet);
  const { goOn, workers, resume, force } = options;
  return interruptible(
    out,
    async (signal) =>
      work({
        out,
        command,
        goOn,
        signal,
        onProgress: progress.update,
        onNotice,
        workers,
        resume,
        force,
        keptAccounts: keptAccountsOf(options),
        ...(await executorOf(options, onNotice)),
      }),
    { goOn },
  ).finally(() => progress.stop());
}

function keptAccountsOf({ cache }: RunCommandOptions): string | undefined {
  return cache === false ? undefined : cacheFolder();
}

/** Which views of a run are written. */
export function viewsOf({
  keepTrials,
  report,
  truth,
}: Pick<RunCommandOptions, 'keepTrials' | 'report' | 'truth'>): RunViews {
  return { keepTrials: keepTrials ?? false, report: report ?? true, truth: truth ?? true };
}

/** What whoever hands out the results of real data should know. */
export function noteOfHandingOut(
  out: string,
  { config: { trials, users, data } }: RunResult,
  note: (line: string) => void,
): void {
  note(`${out}/journal.jsonl still holds the errors of the estimates: hand out only the other files`);
  // Users who are drawn are nobody's own.
  if (trials > 1 && 'path' in data)
    note(
      `estimates are means of ${trials} trials on ${users === 'all' ? 'the same users' : 'subsets of the same users'}: they give away as much as ${trials} rounds, but the stated epsilon is that of one round (--trials 1)`,
    );
}

export function noticeUnless(quiet = false): (line: string) => void {
  return (line) => {
    if (!quiet) printNote(withoutControls(line));
  };
}

/**
 * Only what determines the results: the folder and the number of workers do not. A config outside of the
 * folder is named alone, as where it lies is nobody else's business, and a comment says so.
 */
export function repeatingCommand(
  command: string,
  configFile: string,
  { trials, seed, accounting, set = [] }: ConfigOverrides,
  truth = true,
): string {
  const near = relative(process.cwd(), resolve(configFile));
  const isOutside = near.startsWith('..') || isAbsolute(near);
  const words = ['shuffle-dp', command, fileWord(isOutside ? basename(configFile) : near)];
  if (trials !== undefined) words.push('--trials', String(trials));
  if (seed !== undefined) words.push('--seed', shellWord(seed));
  if (accounting !== undefined) words.push('--certified');
  for (const setting of set) words.push('--set', shellWord(setting));
  if (isOutside) words.push('# in the folder of the config');
  return truth ? words.join(' ') : withoutTruth(words.join(' '));
}

/** The command that repeats a run for handing it out: the flag stands before a comment, and once. */
export function withoutTruth(command: string): string {
  return command.includes(' --no-truth')
    ? command
    : command.replace(/(?= # in the folder|$)/u, ' --no-truth');
}
