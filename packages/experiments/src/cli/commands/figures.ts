import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigError } from '../../config/config-error.ts';
import { integerOption, textOption } from '../options.ts';
import { printJson, printText } from '../print.ts';
import { textTable } from '../text-table.ts';

interface FiguresOptions {
  readonly list?: boolean;
  readonly quick?: boolean;
  readonly out: string;
  readonly workers?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function figuresCommand(): Command {
  return new Command('figures')
    .description("Make the papers' figures and tables again: CSV, SVG, PNG and one gallery page.")
    .argument('[ids...]', 'figures, or a prefix such as seg (default: all)')
    .option('--list', 'list the figures and what they cost')
    .option('--quick', 'fewer points and trials')
    .option('--out <dir>', 'folder for the figures', textOption, join('results', 'figures'))
    .option(
      '--workers <n>',
      'worker threads; 0 runs in this one (default: one per core)',
      integerOption(0, 1024),
    )
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `
Examples:
  shuffle-dp figures --list
  shuffle-dp figures seg.fig2 --quick
  shuffle-dp figures seg --out results/figures

A figure that was stopped goes on where it was.`,
    )
    .action(async (ids: string[], options: FiguresOptions) => {
      const { FIGURES, selectFigures } = await import('../../figures/registry.ts');
      if (options.list) {
        if (options.json) {
          printJson({
            figures: FIGURES.map(({ id, paper, title, caption, cost }) => ({
              id,
              paper,
              title,
              caption,
              cost,
            })),
          });
        } else {
          printText(
            textTable(
              ['figure', 'title', 'takes', 'with --quick'],
              FIGURES.map(({ id, title, cost }) => [id, title, cost.full, cost.quick]),
            ),
          );
        }
        return;
      }
      const { figures, unknown } = selectFigures(ids);
      if (unknown !== null) {
        throw new ConfigError(
          `figures ${unknown}: must be one of ${FIGURES.map(({ id }) => id).join(', ')}, or a prefix of them`,
        );
      }
      const quick = options.quick ?? false;
      const [{ makeFigures }, { figureFiles }] = await Promise.all([
        import('../../figures/make-figures.ts'),
        import('../../figures/made-figure.ts'),
      ]);
      // Quick and full runs have journals of their own.
      const out = quick ? join(options.out, 'quick') : options.out;
      const made = await makeFigures(figures, out, {
        quick,
        report: (line) => {
          if (!options.quiet) process.stderr.write(`${line}\n`);
        },
        ...(options.workers === undefined ? {} : { workers: options.workers }),
      });
      if (options.json) {
        printJson({
          out,
          figures: made.map((figure) => ({
            id: figure.id,
            files: figureFiles(figure).map((file) => join(out, figure.id, file)),
            notes: figure.notes,
            seconds: figure.seconds,
          })),
        });
        return;
      }
      for (const { id, notes } of made) printText([id, ...notes.map((note) => `  ${note}`)].join('\n'));
      printText(`${join(out, 'index.html')} shows them.`);
    });
}
