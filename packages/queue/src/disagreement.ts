/** Two answers of one task that are not the same bytes. */
import { decoded } from './messages.ts';

/** Workers that answer one task differently. What they answered besides is not to be trusted either. */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError';
  readonly code = 'workers-disagree';
}

/** What a worker refuses, in its own words. */
export function refusalIn(text: string): string {
  const { refused } = decoded(text) as { readonly refused?: string };
  return refused === undefined ? '' : ` (it refuses: ${refused})`;
}

export function disagreement(
  worker: string,
  other: string,
  label: string,
  refusal: string,
  verdict = '',
): DisagreementError {
  return new DisagreementError(
    `worker ${worker} gives another answer than ${other}${refusal}: ${label}${verdict && `; ${verdict}`}; do not trust earlier answers of ${worker}: leave it out, and start again with --force`,
  );
}
