/** What made a run, as the end of its report says. */
import type { RunProvenance } from '../run-folder/journal.ts';

export function provenanceRows(
  configFile: string,
  { configHash, seed, codeVersion, nodeVersion }: RunProvenance,
): [string, string][] {
  return [
    ['config', configFile],
    ['config hash', configHash],
    ['seed', seed],
    ['code version', codeVersion],
    ['Node', nodeVersion],
  ];
}
