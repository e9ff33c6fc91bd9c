export {
  type Account,
  accountCitations,
  accountMechanism,
  accountStages,
  accountWorks,
  boundValue,
} from './account.ts';
export { type AccountedBound } from './accounted-bound.ts';
export {
  calibrateMechanism,
  parameterOfTarget,
  type CalibrationTarget,
  type MechanismCalibration,
} from './calibrate-mechanism.ts';
export {
  type ComposedAccount,
  type CompositionBaselines,
  type ScheduledRounds,
  composeMechanisms,
  composeStages,
} from './compose-account.ts';
export { MOST_ROUNDS, MOST_USERS, checkParameters, flagName } from './mechanism-parameters.ts';
export {
  AUDITED_MECHANISMS,
  MECHANISMS,
  allParameters,
  exampleCommand,
  mechanismCard,
  mechanismModel,
} from './mechanisms.ts';
export {
  GENERAL_WORDS,
  HERE_WORDS,
  VERDICT_COLUMNS,
  VERDICT_LEGEND,
  counterexampleText,
  verdictCells,
} from './verdict-words.ts';
