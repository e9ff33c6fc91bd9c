/** An audit with a folder of its own, where it goes on after it was killed. */
import type { ParameterValues } from '@shuffle-dp/core';
import type { ExperimentConfig } from '../config/schema.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import { journalledRun, provenanceOf, type JournalledRunOptions } from '../run-folder/journalled-run.ts';
import type { AuditEntry, AuditOptions, AuditReport } from './run-audit.ts';

/** What is audited: a mechanism with its parameters and users, or the protocols of a config. */
export type AuditSubject =
  | { readonly mechanism: string; readonly parameters: ParameterValues; readonly users: number }
  | { readonly config: ExperimentConfig };

/**
 * The reports of `work`, journalled in a folder; a folder that has all of them gives them again.
 *
 * @param work makes the reports with the options that it is given
 * @throws OutputError, LockedError before any work; StoppedError where it can be resumed; what `work` throws
 */
export function keptAudit(
  subject: AuditSubject,
  options: AuditOptions,
  folder: JournalledRunOptions<readonly AuditReport[]>,
  work: (options: AuditOptions) => Promise<readonly AuditReport[]>,
): Promise<readonly AuditReport[]> {
  const { trials, confidence, deltas, seed, path, published } = options;
  const hash = canonicalHash({ audit: subject, trials, confidence, deltas, seed, path, published });
  return journalledRun<AuditEntry, readonly AuditReport[]>(
    provenanceOf(hash, seed, folder.command),
    folder,
    (finished) => work({ ...options, finished }),
  );
}
