import type { PaperReading } from '../statements/paper-reading.ts';
import { VARIATION_RATIO_STATEMENTS } from './statements.ts';

export const VARIATION_RATIO_READING: PaperReading = {
  paper: 'variation-ratio',
  claims:
    'Three numbers of a randomizer, the largest ratio p and the total variation beta of the victim’s two laws and the largest ratio q to another user’s, are enough for a tight bound after shuffling, in time that follows the number of users. The same three serve single-message randomizers, metric privacy, multi-message protocols and randomizers that answer one of several queries.',
  holds:
    'The total variations of Tables 2 to 4 are right or on the safe side, and with them far less budget is spent than by the analyses before: about 30 % for subsets and hashing, 75 % for multi-message histograms. The formula of Theorem 4.8 is the exact divergence of the pair, and Algorithm 1 finds its epsilon; Table 5 is at most 0.7 % above it. Where the victim’s leftover is empty, as for any randomizer at the worst beta and for most multi-message protocols, the bound is proved.',
  fails:
    'In general the pair is not an upper bound. Lemma 4.5 hides the victim’s message among leftovers of other users that are not distributed as the victim’s, and already two users with three values exceed it. The excess is small for many users and matters for a promise. Theorem 4.2 has a sign error in its condition and lies below the pair; a repaired form does not. Figure 5 comes from a loop that overwrites a sum: no valid bound can save what it shows.',
  today:
    'For a promise, the blanket of the mechanism itself and the sharp bound ([sharp-bound.md](../sharp-bound.md)): they are proved, and mostly lower than the published value. For a first estimate by hand p, beta and q remain the best three numbers to know of a randomizer.',
  statements: VARIATION_RATIO_STATEMENTS,
};
