import { join } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '@shuffle-dp/core';
import { counted } from '@shuffle-dp/experiments/words';
import type { RunCommandOptions } from '../run-config.ts';
import { noticeUnless, overridesOf } from '../run-config.ts';
import { integerOption, textOption } from '../options/options.ts';
import { printJson, printText } from '../output/print.ts';
import { interruptible } from '../progress/interruption.ts';

interface SealedCommandOptions extends Pick<RunCommandOptions, 'out' | 'seed' | 'force' | 'json' | 'quiet'> {
  readonly cell: number;
  readonly minimumBatch?: number;
  readonly attacks: number;
}

const HELP = `
Examples:
  shuffle-dp demo sealed configs/sealed.yaml
  shuffle-dp demo sealed --help`;

export function demoCommand(): Command {
  return new Command('demo').addCommand(sealedCommand()).addHelpText('after', HELP);
}

const SEALED_HELP = `
Examples:
  shuffle-dp demo sealed configs/sealed.yaml
  shuffle-dp demo sealed configs/sealed.yaml --attacks 10 --force
  shuffle-dp demo sealed configs/quick.yaml --cell 6 --out results/balls --json

Users, shuffler and analyzer are separate processes. The folder has what each of them has seen. Estimates are
those of the first trial that \`run\` makes message by message. Keys are fresh in every run.`;

function sealedCommand(): Command {
  return new Command('sealed')
    .description(
      'One trial whose messages are sealed to the analyzer, so that the shuffler cannot read them.',
    )
    .argument('<config>', 'experiment config, YAML or JSON')
    .option('--out <dir>', 'folder for the views (default: results/<name>-sealed)', textOption)
    .option('--cell <n>', 'which cell of the config, from 1', integerOption(1), 1)
    .option(
      '--minimum-batch <n>',
      'fewest messages that the shuffler hands on (default: half of those that the protocol sends)',
      integerOption(0),
    )
    .option(
      '--attacks <n>',
      'messages of each kind that the network adds: damaged, truncated, foreign, copied and replayed ones',
      integerOption(0, 10_000),
      0,
    )
    .option('--seed <text>', "seed, in place of the config's", textOption)
    .option('--force', 'replace what an earlier run left in the folder')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText('after', SEALED_HELP)
    .action(runSealedCommand);
}

async function runSealedCommand(configFile: string, options: SealedCommandOptions): Promise<void> {
  const [{ loadConfig }, { planExperiment }, sealed, { sealedText }] = await Promise.all([
    import('@shuffle-dp/experiments/config'),
    import('@shuffle-dp/experiments/run'),
    import('@shuffle-dp/experiments/sealed-run'),
    import('../output/sealed-text.ts'),
  ]);
  const config = loadConfig(configFile, overridesOf(options));
  const { cells, itemNames } = planExperiment(config, configFile);
  const planned = cells[options.cell - 1];
  if (!planned)
    throw new UsageError(`--cell ${options.cell}: ${configFile} has ${counted(cells.length, 'cell')}`);
  const cell = sealed.messageCell(planned);
  const out = options.out ?? join('results', `${config.name}-sealed`);
  const release = await sealed.openSealedFolder(out, options.force ?? false);
  const notice = noticeUnless(options.quiet);
  const [clients, shuffler, analyzer] = [
    sealed.startParty('clients'),
    sealed.startParty('shuffler'),
    sealed.startParty('analyzer'),
  ] as const;
  const started = [clients, shuffler, analyzer];
  const endAll = (): void => started.forEach(({ end }) => end());
  const work = async (signal: AbortSignal): Promise<void> => {
    const parties = { clients: clients.party, shuffler: shuffler.party, analyzer: analyzer.party };
    const { minimumBatch, attacks } = options;
    const run = await sealed.runSealed(cell, parties, { attacks, minimumBatch, signal, onNotice: notice });
    const views = {
      clients: await clients.party.view(out),
      shuffler: await shuffler.party.view(out),
      analyzer: await analyzer.party.view(out),
    };
    sealed.writeSealedRun(out, run, itemNames);
    if (options.json) printJson({ out, ...sealed.sealedJson(run) });
    else printText(sealedText(run, views, out));
  };
  try {
    await interruptible(null, async (signal) => {
      signal.addEventListener('abort', endAll);
      await work(signal).catch((error: unknown) => {
        // A party that ended on Ctrl-C is no failure of its own.
        signal.throwIfAborted();
        throw error;
      });
    });
  } finally {
    endAll();
    release();
  }
}
