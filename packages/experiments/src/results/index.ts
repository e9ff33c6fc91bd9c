export { ACCOUNTING_COLUMN } from '../config/threat-columns.ts';
export { accountingChanges } from './accounting-change.ts';
export { isOwnParameter, targetWords, threatWords } from './cell-setting.ts';
export { chooseSetting } from './chosen-setting.ts';
export {
  type ComparedCell,
  type ComparisonGroup,
  type ExcludedCell,
  chosenCells,
  comparedByNobody,
  compareCells,
} from './comparison.ts';
export { errorWords, theoryRemark } from './error-words.ts';
export { paddingBiasWords } from './padding-words.ts';
export {
  type CellResult,
  type NamedCell,
  type RefusedCell,
  type RunResult,
  worstEpsilon,
} from './run-result.ts';
export { groupPrivacy, shortfalls, worstVerdict } from './stated-privacy.ts';
export { momentsOf } from './trial-statistics.ts';
export { isAtCertifiedPrivacy, moreThanAsked } from './equal-privacy.ts';
