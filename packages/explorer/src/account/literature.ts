/** The works behind an account as BibTeX, loaded when somebody cites them. */
import type { CitationKey } from '@shuffle-dp/core';
import { lane } from '../engine/lane.ts';

export type LiteratureContract = {
  readonly bibliography: { readonly given: readonly CitationKey[]; readonly answer: string };
};

const worker = lane<LiteratureContract>('literature', 'finish');

export function bibliography(works: readonly CitationKey[]): Promise<string> {
  return new Promise((resolve) => {
    worker.ask('bibliography', works, {
      answer: resolve,
      refusal: ({ message }) => resolve(message),
    });
  });
}
