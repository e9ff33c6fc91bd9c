/** Mechanisms that can be audited. Apart from the registry, so that an engine of accounts need not load them. */
import { CATEGORY_RANDOMIZERS, NUMBER_RANDOMIZERS } from '@shuffle-dp/randomizers';

/** Those that can be audited: their messages are drawn one by one. */
export const AUDITED_MECHANISMS: readonly string[] = [...CATEGORY_RANDOMIZERS, ...NUMBER_RANDOMIZERS].map(
  ({ name }) => name,
);
