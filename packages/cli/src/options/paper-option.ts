/** `--paper NAME` of `figures` and `claims`: those of one paper. */
import { PAPERS } from '@shuffle-dp/papers/names';
import { Option } from 'commander';

export function paperOption(): Option {
  return new Option('--paper <name>', 'those of one paper').choices(PAPERS);
}

/** Entries about the paper; all of them without one. */
export function ofPaper<Entry extends { readonly paper: string }>(
  entries: readonly Entry[],
  paper: string | undefined,
): readonly Entry[] {
  return paper === undefined ? entries : entries.filter((entry) => entry.paper === paper);
}
