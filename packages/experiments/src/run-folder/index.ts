export { canonicalHash, decodeNumbers, encodeNumbers } from './canonical-json.ts';
export { codeDigest } from './code-digest.ts';
export { codeVersion } from './code-version.ts';
export { type JournalEntry } from './journal.ts';
export {
  type FinishedWork,
  type JournalledRunOptions,
  journalledRun,
  provenanceOf,
} from './journalled-run.ts';
export { makeFolder, OutputError } from './make-folder.ts';
export { type Shard } from './shard.ts';
export { jsonText, writeFileAtomically, writeFiles } from './write-files.ts';
