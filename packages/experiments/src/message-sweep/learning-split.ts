/** What is settled before the first trial: how many users are learnt from, and what names the run. */
import { canonicalHash } from '../run-folder/canonical-json.ts';
import type { RunProvenance } from '../run-folder/journal.ts';
import { provenanceOf } from '../run-folder/journalled-run.ts';

/** Users to learn from; the others only test. Of two users or more, each part has at least one. */
export function trainUsersOf(users: number, testShare: number): number {
  return Math.max(1, Math.min(users - 1, Math.round(users * (1 - testShare))));
}

/** The same wherever the data lie. @param digest of the data; null where they are drawn */
export function sweepProvenance(
  config: { readonly seed: string; readonly data: object },
  digest: string | null,
  command: string | undefined,
): RunProvenance {
  const data = { ...config.data, path: undefined };
  return provenanceOf(canonicalHash({ ...config, $schema: undefined, data, digest }), config.seed, command);
}
