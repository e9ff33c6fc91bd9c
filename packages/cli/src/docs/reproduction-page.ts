/** docs/reproduction.md: the committed ledger, docs/claims.json, as a page. */
import { committedLedger, ledgerSections, summaryTable, verdictCounts } from '@shuffle-dp/papers/claims';
import { GENERATED } from '@shuffle-dp/experiments/report';

export function reproductionPage(): string {
  const ledger = committedLedger();
  return `${[
    '# Reproduction',
    GENERATED,
    'The numbers and results that five papers print, a statement of a sixth, and what this code measures. Nothing here is typed in: `shuffle-dp\nclaims` measures every entry, judges it by the criterion given with it, and writes the ledger that this page shows. After a\nchange, with `shuffle-dp` short for `npx -y pnpm@12.21.0 --silent shuffle-dp`:',
    '```sh\nshuffle-dp claims --force && cp results/claims/claims.json docs/claims.json && npx -y pnpm@12.21.0 run docs\n```',
    'The verdicts:',
    [
      '- **reproduced**: what the paper says is what we measure, within the tolerance stated.',
      '- **differs**: we measure something else; no proof that the statement is wrong.',
      '- **refuted**: an exact or certified computation contradicts it. The tables are meant for a sceptical reader: each row names a\n  data set, or two values of one theorem, that can be computed again with a few lines. [soundness.md](soundness.md) and\n  [personalized.md](personalized.md) have the proofs.',
      '- **not-run**: data are missing.',
    ].join('\n'),
    `The ledger has ${ledger.claims.length} claims: ${verdictCounts(ledger)}.`,
    summaryTable(ledger),
    ...ledgerSections(ledger),
  ].join('\n\n')}\n`;
}
