import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { TRUST, UsageError, type Trust } from '@shuffle-dp/core';
import { MOST_USERS } from '@shuffle-dp/experiments/account';
import { LIMITS } from '@shuffle-dp/experiments/config';
import {
  domainMeaning,
  mayStayAway,
  PLAN_TASKS,
  type Plan,
  planChart,
  planConfig,
  LEAST_PLANNED_EPSILON,
  planForError,
  type PlanSetting,
  type PlanTask,
} from '@shuffle-dp/experiments/plan';
import { requireWritable } from '../account-files.ts';
import { withFlagNames } from '../options/flag-names.ts';
import { integerOption, numberOption, textOption, type OutputOptions } from '../options/options.ts';
import { fileWord } from '../options/shell-word.ts';
import { addThreatOptions, threatsOf, THREAT_FLAGS, type ThreatOptions } from '../options/threat-options.ts';
import { printJson, printText } from '../output/print.ts';
import { noteWhile } from '../progress/note-while.ts';
import { runConfig } from '../run-config.ts';

interface PlanOptions extends ThreatOptions, OutputOptions {
  readonly task?: PlanTask;
  readonly users?: number;
  readonly domain?: number;
  readonly items?: number;
  readonly top?: number;
  readonly epsilon?: number;
  readonly error?: number;
  readonly delta?: number;
  readonly maxMessages?: number;
  readonly maxBits?: number;
  readonly trust: Trust;
  readonly write?: string;
  readonly chart?: string;
  readonly verify?: boolean;
  readonly force?: boolean;
}

const HELP = `
Examples:
  shuffle-dp plan --task frequencies --users 100000 --domain 64 --epsilon 1 --delta 1e-6
  shuffle-dp plan --task mean --users 10000 --error 1e-5 --delta 1e-6 --max-messages 1
  shuffle-dp plan --task sets --users 50000 --domain 128 --items 4 --epsilon 0.5 --delta 1e-7 --write plan.yaml --verify
  shuffle-dp plan --task heavy-hitters --users 100000 --domain 16777216 --top 16 --epsilon 1 --delta 1e-7

Errors are expected squared errors, as compare measures them, for users spread evenly over the domain. Errors of searches for heavy
hitters are simulated, with identifiers by Zipf's law. With --colluding or --dropout, parameters are chosen for the honest users who
take part; errors are computed as if all users took part.`;

export function planCommand(): Command {
  const command = new Command('plan')
    .addOption(new Option('--task <task>', 'what is estimated').choices(PLAN_TASKS))
    .option('--users <n>', 'number of users', integerOption(2, MOST_USERS))
    .option(
      '--domain <d>',
      'number of categories, items or possible identifiers; dimensions of vectors',
      integerOption(2),
    )
    .option('--items <s>', 'items of a user, for sets', integerOption(1))
    .option('--top <k>', 'number of heavy hitters to find; default 16', integerOption(1))
    .option('--epsilon <epsilon>', 'central target in nats', numberOption)
    .option(
      '--error <x>',
      'in place of --epsilon: the largest error; the answer is the least epsilon, from 0.01 to 16, at which some protocol meets it',
      numberOption,
    )
    .option('--delta <delta>', 'central failure probability', numberOption)
    .option('--max-messages <m>', 'limit on the mean number of messages of a user', numberOption)
    .option('--max-bits <b>', 'limit on the mean number of bits of a user', numberOption)
    .addOption(
      new Option('--trust <trust>', 'augmented: the shuffler may also drop and add messages')
        .choices(TRUST)
        .default('shuffler'),
    )
    .option(
      '--write <file>',
      'write a config that tests the choice by trials; replaces a file of that name',
      textOption,
    )
    .option('--verify', 'run the config of --write, and print the comparison')
    .option('--force', 'with --verify: replace what an earlier run left in the folder')
    .option('--chart <file>', 'draw error against messages and bits: .svg, .png or .pdf', textOption)
    .option('--json', 'one JSON document on stdout; with --verify it has the comparison')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP);
  return addThreatOptions(command).action(makePlan);
}

async function makePlan(options: PlanOptions): Promise<void> {
  const { task, write, verify, chart, json, force = false } = options;
  if (verify && write === undefined)
    throw new UsageError('--verify runs the config that --write names; --write is missing');
  if (force && !verify)
    throw new UsageError(
      '--force replaces the run of --verify, but --verify is missing; --write replaces its file without --force',
    );
  for (const [flag, file] of [
    ['--write', write],
    ['--chart', chart],
  ] as const)
    if (file !== undefined) requireWritable(flag, file);
  if (chart !== undefined && !/\.(?:svg|png|pdf)$/iu.test(chart))
    throw new UsageError(`--chart ${chart}: must end in .svg, .png or .pdf`);
  if (write !== undefined && chart !== undefined && resolve(write) === resolve(chart))
    throw new UsageError(`--chart ${chart}: must be another file than that of --write`);
  if (write !== undefined && task !== undefined && (options.dropout ?? 0) > 0 && !mayStayAway(task))
    throw new UsageError(
      `--write: trials of the task ${task} have no users who stay away: leave out --dropout or --write`,
    );
  // A run that is there already is not replaced unasked.
  const folder = write !== undefined && verify ? join('results', nameOf(write)) : null;
  if (folder !== null && !force && existsSync(folder))
    throw new UsageError(
      `--verify: ${folder} is there already: name another file with --write, or replace it with --force`,
    );
  const plan = await noteWhile('calibrating and comparing protocols …', options, (note) =>
    planned(options, note),
  );
  if (write !== undefined) await writeConfig(plan, write);
  if (chart !== undefined) await writeChart(plan, chart);
  const { planJson, planText } = await import('../output/plan-text.ts');
  // One document: with --verify it waits for the run.
  if (json && !verify) printJson(planJson(plan));
  if (!json) printText(planText(plan, write));
  if (!json && options.error !== undefined && plan.setting.epsilon === LEAST_PLANNED_EPSILON)
    printText(`\nEpsilons below ${LEAST_PLANNED_EPSILON} are not searched: a smaller one may suffice.`);
  if (!verify) return;
  const { run, out } = await runConfig(write!, {
    quiet: options.quiet ?? false,
    report: true,
    force,
    // This command would begin it anew.
    goOn: `shuffle-dp compare ${fileWord(write!)} --resume goes on`,
  });
  if (json) {
    const { comparisonJson } = await import('../output/comparison-json.ts');
    printJson({ ...planJson(plan), verification: comparisonJson(run, out, false) });
  } else {
    const { comparisonText } = await import('../output/comparison-table.ts');
    printText(`\n${comparisonText(run, false)}\n\n${out}/report.html has the figures.`);
  }
}

async function planned(options: PlanOptions, note: (line: string) => void): Promise<Plan> {
  const { error, epsilon } = options;
  const setting = settingOf(options);
  if ((error === undefined) === (epsilon === undefined))
    throw new UsageError(
      'exactly one of --epsilon (the answer is the least error) and --error (the answer is the least epsilon) must be given',
    );
  const names = ['users', 'domain', 'items', 'top', 'epsilon', 'delta', 'error', ...THREAT_FLAGS];
  if (error === undefined) {
    const { planOnThreads } = await import('@shuffle-dp/experiments/plan/plan-threads');
    return withFlagNames(names, () =>
      planOnThreads({ ...setting, epsilon: epsilon! }, undefined, (title, begun, all) =>
        note(`calibrating protocols, ${begun} of ${all}: ${title} …`),
      ),
    );
  }
  return withFlagNames(names, () => planForError(setting, error));
}

/** @throws UsageError for what is missing or out of range */
function settingOf({
  task,
  users,
  domain,
  items,
  top,
  delta,
  maxMessages,
  maxBits,
  trust,
  ...threatened
}: PlanOptions): Omit<PlanSetting, 'epsilon'> {
  if (task === undefined) throw new UsageError(`--task is missing: one of ${PLAN_TASKS.join(', ')}`);
  if (users === undefined) throw new UsageError('--users is missing: the number of users');
  if (delta === undefined) throw new UsageError('--delta is missing: the central failure probability');
  const meaning = domainMeaning(task);
  if (meaning !== undefined && domain === undefined) throw new UsageError(`--domain is missing: ${meaning}`);
  if (task === 'sets' && items === undefined) throw new UsageError('--items is missing: the items of a user');
  for (const [flag, value] of [
    ['--max-messages', maxMessages],
    ['--max-bits', maxBits],
  ] as const)
    if (value !== undefined && !(value > 0)) throw new UsageError(`${flag} = ${value}: must be positive`);
  const threats = threatsOf(threatened);
  const limits = { trust, messages: maxMessages, bits: maxBits };
  return { task, users, delta, threats, domain, items, top, limits };
}

async function writeConfig(plan: Plan, file: string): Promise<void> {
  const [{ yamlText }, { jsonText, writeFileAtomically }] = await Promise.all([
    import('@shuffle-dp/experiments/config'),
    import('@shuffle-dp/experiments/run-folder'),
  ]);
  const config = planConfig(plan, nameOf(file));
  writeFileAtomically(file, /\.json$/iu.test(file) ? jsonText(config) : yamlText(config));
}

/** Of the config in a file: a name begins with a letter or digit, and has a limit that files have not. */
function nameOf(file: string): string {
  const words = basename(file)
    .replace(/\.[^.]*$/u, '')
    .replaceAll(/[^\w.-]/gu, '-')
    .replace(/^[^a-z\d]+/iu, '')
    .slice(0, LIMITS.names.most);
  return words || 'plan';
}

async function writeChart(plan: Plan, file: string): Promise<void> {
  const [{ renderAs }, { writeFileAtomically }] = await Promise.all([
    import('@shuffle-dp/experiments/charts'),
    import('@shuffle-dp/experiments/run-folder'),
  ]);
  writeFileAtomically(file, await renderAs(file, planChart(plan, 'plan')));
}
