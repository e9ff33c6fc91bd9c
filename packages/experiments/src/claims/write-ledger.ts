/** claims.json and claims.md of a run. */
import { join } from 'node:path';
import { writeFileAtomically } from '../run/output-folder.ts';
import { ledgerSections, summaryTable, verdictCounts, type Ledger } from './ledger.ts';

export function writeLedger(ledger: Ledger, folder: string): Promise<void> {
  writeFileAtomically(join(folder, 'claims.json'), `${JSON.stringify(ledger, null, 2)}\n`);
  const text = ['# Claims', `${verdictCounts(ledger)}.`, summaryTable(ledger), ...ledgerSections(ledger)];
  writeFileAtomically(join(folder, 'claims.md'), `${text.join('\n\n')}\n`);
  return Promise.resolve();
}
