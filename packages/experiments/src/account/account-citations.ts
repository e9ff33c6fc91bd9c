/** The literature behind an account: the mechanism and every bound that is shown, each once. */
import type { Account } from './account.ts';
import { bibtex, type CitationKey } from '@shuffle-dp/core';
import { MECHANISMS } from './mechanisms.ts';

export interface Citation {
  readonly key: CitationKey;
  readonly bibtex: string;
}

/** The works that an account rests on, each once: that of the mechanism first, then those of its bounds. */
export function accountCitations(account: Account): Citation[] {
  return accountWorks(account).map((key) => ({ key, bibtex: bibtex(key) }));
}

/** Their keys alone, without the bibliography. */
export function accountWorks({ mechanism, bounds }: Account): CitationKey[] {
  const own = MECHANISMS.filter(({ name }) => name === mechanism).map(({ citation }) => citation);
  return [...new Set([...own, ...bounds.map(({ citation }) => citation)])];
}
