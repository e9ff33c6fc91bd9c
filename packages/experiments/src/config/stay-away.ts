/** Whose users may stay away in a trial. */
import type { Holding } from '../data/data-set-card.ts';

/** What users hold where those who take part can be drawn. */
export const MAY_STAY_AWAY: readonly Holding[] = ['categories', 'numbers', 'vectors'];
