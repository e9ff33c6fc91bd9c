/** Mechanisms in which messages that depend on no input hide the one that does, by their cards. */
import type { MechanismCard } from '@shuffle-dp/core';
import { COINS } from './histograms/balcer-cheu.ts';
import { BALLS_INTO_BINS } from './histograms/balls-into-bins-histogram.ts';
import { FLIPPED_BITS } from './histograms/cheu-zhilyaev.ts';
import { MIX_DUMP } from './histograms/mix-dump.ts';
import { PURE_DUMP } from './histograms/pure-dump.ts';
import { POISSON_BLANKET } from './item-sets/poisson-blanket.ts';

export const BLANKET_MECHANISMS: readonly MechanismCard[] = [
  POISSON_BLANKET,
  COINS,
  FLIPPED_BITS,
  BALLS_INTO_BINS,
  PURE_DUMP,
  MIX_DUMP,
];
