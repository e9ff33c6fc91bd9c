export { type Claim, type Finding } from './claim.ts';
export { committedLedger, verdictsOn } from './committed-ledger.ts';
export { type Ledger, ledgerSections, summaryTable, verdictCounts } from './ledger.ts';
export { measureClaims, type MeasureOptions } from './measure-claims.ts';
export { CLAIMS } from './registry.ts';
