/** The page visits of MSNBC: the file itself, and a mixture that is like it. */
import { items, padding, path } from '../data-fields.ts';
import { readDataFile } from '../data-file.ts';
import { setDataCard } from '../data-set-card.ts';
import { fileSource, paddedSource } from '../item-sets/set-source.ts';
import { parseMsnbc } from './msnbc-file.ts';
import { msnbcLikeSets } from './msnbc-like.ts';

export const MSNBC_LIKE = setDataCard({
  kind: 'msnbc-like',
  description:
    '17 page categories, drawn from a mixture fitted to the 989,818 users of the MSNBC data: exact marginals, pairs within 1.5 % in total variation.',
  fields: { items, padding },
  open: (config) => paddedSource(msnbcLikeSets(), config.items, config.padding),
});

export const MSNBC = setDataCard({
  kind: 'msnbc',
  description: 'The UCI file msnbc990928.seq, plain or gzipped; a random subset of its users in every trial.',
  fields: { path, items, padding },
  open: (config, file) => fileSource(parseMsnbc(readDataFile(file!)), config, file!),
});
