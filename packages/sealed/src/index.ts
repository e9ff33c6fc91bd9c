/**
 * @module Sealed messages: encrypted by users to the analyzer, so that the shuffler permutes what it cannot
 * read. For Node.
 */

export {
  generateKeyPair,
  hpkeOpener,
  hpkeSealer,
  KEY_BYTES,
  keyPairOf,
  SEAL_BYTES,
  type HpkeKeyPair,
} from './hpke.ts';
export { SealedIntake, SmallBatchError, type BatchRules, type IntakeVerdict } from './intake.ts';
export { decodeMessages, encodeMessage, layoutOf, type MessageLayout } from './message-layout.ts';
export { SealedOpening, type OpenedBatch, type OpeningVerdict } from './opening.ts';
