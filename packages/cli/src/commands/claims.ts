import { join } from 'node:path';
import { picked } from '@shuffle-dp/core';
import { Command } from 'commander';
import type { Claim, Ledger } from '@shuffle-dp/papers/claims';
import { interruptible } from '../progress/interruption.ts';
import { textOption } from '../options/options.ts';
import { executorOf } from '../options/queue-option.ts';
import { askedEntries, paperOption, type PaperOptions } from '../options/paper-option.ts';
import { printJson, printText } from '../output/print.ts';
import { addWorkersOption, noticeUnless } from '../run-config.ts';
import { textTable } from '../output/text-table.ts';

interface ClaimsOptions extends PaperOptions {
  readonly force?: boolean;
}

const HELP = `
Examples:
  shuffle-dp claims --list
  shuffle-dp claims vr.table5
  shuffle-dp claims --paper segmented
  shuffle-dp claims --out results/claims --json

Verdicts: reproduced; differs: we measure something else; refuted: an exact or certified computation contradicts
the claim; not-run: data are missing. A run that was stopped continues where it stopped.`;

export function claimsCommand(): Command {
  const command = new Command('claims')
    .argument('[ids...]', 'claims, or a prefix such as vr (default: all)')
    .addOption(paperOption())
    .option('--list', 'list the claims')
    .option('--out <dir>', 'folder for claims.json and claims.md', textOption, join('results', 'claims'))
    .option('--force', 'measure again the claims that the folder holds')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP);
  return addWorkersOption(command).action(async (ids: string[], options: ClaimsOptions) => {
    const { CLAIMS } = await import('@shuffle-dp/papers/claims');
    const selected = askedEntries('claims', CLAIMS, options.paper, ids);
    if (options.list) return listClaims(selected, options.json ?? false);
    const ledger = await measureInterruptibly(selected, options);
    if (options.json) return printJson({ out: options.out, ...ledger });
    const { verdictCounts } = await import('@shuffle-dp/papers/claims');
    for (const { id, verdict, published, measured, note } of ledger.claims) {
      printText(
        `${id}: ${verdict}\n  paper:    ${published}\n  measured: ${measured}\n  why:      ${note}\n`,
      );
    }
    printText(`${verdictCounts(ledger)}. ${join(options.out, 'claims.md')} has the numbers.`);
  });
}

function listClaims(claims: readonly Claim[], json: boolean): void {
  if (json)
    return printJson({
      claims: claims.map((claim) => picked(claim, 'id', 'paper', 'source', 'published', 'criterion')),
    });
  const rows = claims.map(({ id, source, published }) => [id, source, published]);
  printText(textTable(['claim', 'where', 'what the paper says'], rows));
}

async function measureInterruptibly(
  claims: readonly Claim[],
  { out, force, workers, queue, quiet }: ClaimsOptions,
): Promise<Ledger> {
  const { measureClaims } = await import('@shuffle-dp/papers/claims');
  const report = noticeUnless(quiet);
  const execution = await executorOf({ queue }, report);
  return await interruptible(
    out,
    (signal) =>
      measureClaims(claims, {
        out,
        signal,
        report,
        ...execution,
        force,
        workers,
      }),
    { kept: 'findings are', goOn: 'the same command goes on' },
  );
}
