/** The literature behind an account: the mechanism and every bound that is shown, each once. */
import type { Account } from './account.ts';
import { MECHANISMS } from './mechanism-list.ts';
import { bibtexOf, type MechanismCitation } from './mechanisms/mechanism-citations.ts';

export interface Citation {
  readonly key: MechanismCitation;
  readonly bibtex: string;
}

export function accountCitations({ mechanism, bounds }: Account): Citation[] {
  const own = MECHANISMS.filter(({ name }) => name === mechanism).map(({ citation }) => citation);
  const keys = new Set([...own, ...bounds.map(({ citation }) => citation)]);
  return [...keys].map((key) => ({ key, bibtex: bibtexOf(key) }));
}
