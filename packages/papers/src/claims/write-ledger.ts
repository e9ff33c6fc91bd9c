/** claims.json and claims.md of a run. */
import { jsonText, writeFiles } from '@shuffle-dp/experiments/run-folder';
import { ledgerSections, summaryTable, verdictCounts, type Ledger } from './ledger.ts';

export function writeLedger(ledger: Ledger, folder: string): Promise<void> {
  const text = ['# Claims', `${verdictCounts(ledger)}.`, summaryTable(ledger), ...ledgerSections(ledger)];
  writeFiles(folder, { 'claims.json': jsonText(ledger), 'claims.md': `${text.join('\n\n')}\n` });
  return Promise.resolve();
}
