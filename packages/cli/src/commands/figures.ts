import { join } from 'node:path';
import { picked } from '@shuffle-dp/core';
import { Command } from 'commander';
import { type Figure, figureFiles, type MadeFigure } from '@shuffle-dp/papers/figures';
import { interruptible } from '../progress/interruption.ts';
import { textOption } from '../options/options.ts';
import { executorOf } from '../options/queue-option.ts';
import { askedEntries, paperOption, type PaperOptions } from '../options/paper-option.ts';
import { printJson, printText } from '../output/print.ts';
import { durationText } from '../progress/remaining-time.ts';
import { addWorkersOption, noticeUnless } from '../run-config.ts';
import { stepProgress } from '../progress/step-progress.ts';
import { textTable } from '../output/text-table.ts';

interface FiguresOptions extends PaperOptions {
  readonly quick?: boolean;
}

const HELP = `
Examples:
  shuffle-dp figures --list
  shuffle-dp figures seg.fig2 --quick
  shuffle-dp figures --paper apes --list
  shuffle-dp figures seg --out results/figures

Simulated figures that were stopped continue where they stopped.`;

export function figuresCommand(): Command {
  const command = new Command('figures')
    .argument('[ids...]', 'figures, or a prefix such as seg (default: all)')
    .addOption(paperOption())
    .option('--list', 'list the figures and their cost')
    .option('--quick', 'fewer points and trials')
    .option('--out <dir>', 'folder for the figures', textOption, join('results', 'figures'))
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP);
  return addWorkersOption(command).action(async (ids: string[], options: FiguresOptions) => {
    const { FIGURES } = await import('@shuffle-dp/papers/figures');
    const selected = askedEntries('figures', FIGURES, options.paper, ids);
    if (options.list) return listFigures(selected, options.json ?? false);
    // Quick and full runs have journals of their own.
    const out = options.quick ? join(options.out, 'quick') : options.out;
    const made = await makeInterruptibly(selected, out, options);
    if (options.json) return printJson(madeJson(made, out));
    for (const { id, notes } of made) printText([id, ...notes.map((note) => `  ${note}`)].join('\n'));
    printText(`${join(out, 'index.html')} shows them.`);
  });
}

function listFigures(figures: readonly Figure[], json: boolean): void {
  if (json)
    return printJson({
      figures: figures.map((figure) => picked(figure, 'id', 'paper', 'title', 'caption', 'cost')),
    });
  printText(
    textTable(
      ['figure', 'title', 'takes about', 'with --quick'],
      figures.map(({ id, title, cost }) => [id, title, durationText(cost.full), durationText(cost.quick)]),
    ),
  );
}

async function makeInterruptibly(
  figures: readonly Figure[],
  out: string,
  { quick = false, quiet = false, workers, queue }: FiguresOptions,
): Promise<MadeFigure[]> {
  const [{ makeFigures }, { committedLedger, verdictsOn }] = await Promise.all([
    import('@shuffle-dp/papers/figures'),
    import('@shuffle-dp/papers/claims'),
  ]);
  const ledger = committedLedger();
  const costs = figures.map(({ cost }) => cost[quick ? 'quick' : 'full']);
  const execution = await executorOf({ queue }, noticeUnless(quiet));
  const progress = await stepProgress(costs, quiet);
  return await interruptible(
    out,
    (signal) =>
      makeFigures(figures, out, {
        quick,
        signal,
        report: progress.report,
        onMade: progress.next,
        verdictsOn: (id) => verdictsOn(ledger, id),
        ...execution,
        workers,
      }),
    { kept: 'finished figures are', goOn: 'the same command goes on' },
  ).finally(() => progress.stop());
}

function madeJson(made: readonly MadeFigure[], out: string): object {
  return {
    out,
    figures: made.map((figure) => ({
      id: figure.id,
      files: figureFiles(figure).map((file) => join(out, figure.id, file)),
      ...picked(figure, 'notes', 'seconds'),
    })),
  };
}
