/**
 * The mechanisms that `account` knows. The explorer's first engine has some of them in its place
 * (explorer/build/build-site.ts).
 */
import { RAW_PAIR } from '@shuffle-dp/accounting';
import type { MechanismCard } from '@shuffle-dp/core';
import { BLANKET_MECHANISMS } from '@shuffle-dp/protocols/blanket-mechanisms';
import { RANDOMIZERS } from '@shuffle-dp/randomizers';

export const MECHANISMS: readonly MechanismCard[] = [...RANDOMIZERS, ...BLANKET_MECHANISMS, RAW_PAIR];
