import type { MechanismCard, ParameterValues } from '@shuffle-dp/core';
import { parameterOfTarget } from '../../src/account/calibrate-mechanism.ts';

/** What a card is shown at, but for the parameter that a target sets. */
export function otherParameters(card: MechanismCard): ParameterValues {
  const { name } = parameterOfTarget(card);
  return Object.fromEntries(Object.entries(card.example).filter(([given]) => given !== name));
}
