/** @module One trial with sealed messages, its parties in processes of their own. */
export type { View } from './parties.ts';
export { startParty } from './party-process.ts';
export {
  messageCell,
  runSealed,
  type Parties,
  type SealedOptions,
  type SealedRound,
  type SealedRun,
} from './sealed-run.ts';
export { largestDifference, openSealedFolder, sealedJson, writeSealedRun } from './sealed-folder.ts';
