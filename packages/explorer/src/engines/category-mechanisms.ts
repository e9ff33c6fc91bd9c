/** The mechanisms of the engine that is loaded first: those of categories. The page asks it of no others. */
import type { MechanismCard } from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';

export const MECHANISMS: readonly MechanismCard[] = CATEGORY_RANDOMIZERS;
