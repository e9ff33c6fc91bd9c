import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigError } from '../../config/config-error.ts';
import { integerOption, textOption } from '../options.ts';
import { printJson, printText } from '../print.ts';
import { interruptible } from '../run-config.ts';
import { textTable } from '../text-table.ts';

interface ClaimsOptions {
  readonly list?: boolean;
  readonly out: string;
  readonly force?: boolean;
  readonly workers?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function claimsCommand(): Command {
  return new Command('claims')
    .description("Measure the papers' printed numbers and statements again, and judge them.")
    .argument('[ids...]', 'claims, or a prefix such as vr (default: all)')
    .option('--list', 'list the claims')
    .option('--out <dir>', 'folder for claims.json and claims.md', textOption, join('results', 'claims'))
    .option('--force', 'measure again what the folder holds')
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
  shuffle-dp claims --list
  shuffle-dp claims vr.table5
  shuffle-dp claims --out results/claims --json

Verdicts: reproduced; differs: we measure something else; refuted: an exact or certified computation contradicts
it; not-run: data are missing. A run that was stopped goes on where it was.`,
    )
    .action(async (ids: string[], options: ClaimsOptions) => {
      const { CLAIMS, selectClaims } = await import('../../claims/registry.ts');
      const { claims, unknown } = selectClaims(ids);
      if (unknown !== null) {
        throw new ConfigError(
          `claims ${unknown}: must be one of ${CLAIMS.map(({ id }) => id).join(', ')}, or a prefix of them`,
        );
      }
      if (options.list) {
        if (options.json) {
          printJson({
            claims: claims.map(({ id, paper, source, published, criterion }) => ({
              id,
              paper,
              source,
              published,
              criterion,
            })),
          });
        } else {
          printText(
            textTable(
              ['claim', 'where', 'what the paper says'],
              claims.map(({ id, source, published }) => [id, source, published]),
            ),
          );
        }
        return;
      }
      const [{ measureClaims }, { verdictCounts }] = await Promise.all([
        import('../../claims/measure-claims.ts'),
        import('../../claims/ledger.ts'),
      ]);
      const ledger = await interruptible(
        options.out,
        (signal) =>
          measureClaims(claims, {
            out: options.out,
            signal,
            report: (line) => {
              if (!options.quiet) process.stderr.write(`${line}\n`);
            },
            ...(options.force === undefined ? {} : { force: options.force }),
            ...(options.workers === undefined ? {} : { workers: options.workers }),
          }),
        'the same command goes on',
      );
      if (options.json) {
        printJson({ out: options.out, ...ledger });
        return;
      }
      for (const { id, verdict, published, measured, note } of ledger.claims) {
        printText(
          `${id}: ${verdict}\n  paper:    ${published}\n  measured: ${measured}\n  why:      ${note}\n`,
        );
      }
      printText(`${verdictCounts(ledger)}. ${join(options.out, 'claims.md')} has the numbers.`);
    });
}
