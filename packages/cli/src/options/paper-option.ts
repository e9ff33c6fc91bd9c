/** Which of the papers' figures or claims: `--paper NAME`, and ids or prefixes such as vr. */
import { ConfigError } from '@shuffle-dp/experiments/config';
import { PAPERS } from '@shuffle-dp/papers/names';
import { Option } from 'commander';
import type { RunCommandOptions } from '../run-config.ts';

/** What `figures` and `claims` take both. */
export interface PaperOptions extends Pick<RunCommandOptions, 'workers' | 'queue' | 'json' | 'quiet'> {
  readonly paper?: string;
  readonly list?: boolean;
  readonly out: string;
}

export function paperOption(): Option {
  return new Option('--paper <name>', 'only those of one paper').choices(PAPERS);
}

/**
 * Those about the paper whose id is, or starts with, one of the given words: 'vr', 'vr.table5'. Without words
 * all of them, and about any paper without one.
 *
 * @param what they are, for the refusal
 * @throws ConfigError for a word that names none, and a paper without any
 */
export function askedEntries<Entry extends { readonly id: string; readonly paper: string }>(
  what: 'figures' | 'claims',
  entries: readonly Entry[],
  paper: string | undefined,
  words: readonly string[],
): readonly Entry[] {
  const known = entries.filter((entry) => paper === undefined || entry.paper === paper);
  const other = what === 'figures' ? 'claims' : 'figures';
  if (known.length === 0)
    throw new ConfigError(
      `--paper ${paper}: has no ${what}; shuffle-dp ${other} --paper ${paper} has ${other}`,
    );
  const names = (word: string, id: string): boolean => id === word || id.startsWith(`${word}.`);
  const unknown = words.find((word) => !known.some(({ id }) => names(word, id)));
  if (unknown !== undefined)
    throw new ConfigError(
      `${what} ${unknown}: must be one of ${known.map(({ id }) => id).join(', ')}, or their beginning up to a dot, such as ${known[0]!.id.split('.')[0]}`,
    );
  return known.filter(({ id }) => words.length === 0 || words.some((word) => names(word, id)));
}
