/** The ledger: every claim with what was measured and the verdict, as data and as text. */
import { markdownTable } from '@shuffle-dp/experiments/report';
import type { ResultTable } from '../figures/figure-table.ts';
import { PAPER_TITLES } from '../figures/paper-titles.ts';
import type { Claim, ClaimVerdict, Finding } from './claim.ts';

export type LedgerEntry = Finding & Required<Omit<Claim, 'company' | 'measure'>>;

export interface Ledger {
  readonly claims: readonly LedgerEntry[];
}

export const VERDICTS: readonly ClaimVerdict[] = ['reproduced', 'differs', 'refuted', 'not-run'];

export function ledgerOf(findings: ReadonlyMap<Claim, Finding>): Ledger {
  return {
    claims: [...findings].map(([{ id, paper, source, figures = [], published, criterion }, finding]) => ({
      id,
      paper,
      source,
      figures,
      published,
      criterion,
      ...finding,
    })),
  };
}

/** 'reproduced 12, differs 3, refuted 2' */
export function verdictCounts({ claims }: Ledger): string {
  return VERDICTS.map((verdict) => ({
    verdict,
    count: claims.filter((claim) => claim.verdict === verdict).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${verdict} ${count}`)
    .join(', ');
}

/** One section per claim, by paper, with the numbers behind it. */
export function ledgerSections({ claims }: Ledger): string[] {
  const papers = [...new Set(claims.map(({ paper }) => paper))];
  return papers.flatMap((paper) => [
    `## ${PAPER_TITLES[paper]}`,
    ...claims.filter((claim) => claim.paper === paper).flatMap(section),
  ]);
}

/** All claims of the ledger as a Markdown table of claim, place and verdict. */
export function summaryTable({ claims }: Ledger): string {
  const rows = claims.map(({ id, source, verdict }) => [`\`${id}\``, source, verdict]);
  return markdownTable(['claim', 'where', 'verdict'], rows);
}

function section(entry: LedgerEntry): string[] {
  const { id, source, verdict, published, criterion, measured, note, evidence } = entry;
  return [
    `### \`${id}\`: ${verdict}`,
    `**The paper** (${source}): ${published}`,
    `**Measured:** ${measured}`,
    `**Why:** ${note} _Judged:_ ${criterion}.`,
    ...evidenceTable(evidence),
  ];
}

function evidenceTable({ columns, rows }: ResultTable): string[] {
  const cells = rows.map((row) => row.map(String));
  return cells.length === 0 ? [] : [markdownTable(columns, cells)];
}
